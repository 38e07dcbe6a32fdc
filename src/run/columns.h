/* Access to the columns of a job: its elements, whether they are constant, and whether an interpolant serves them. */
#ifndef STABLECL_RUN_COLUMNS_H
#define STABLECL_RUN_COLUMNS_H

#include "job.h"
#include "../stable/user_law.h"

/* TRUE if all elements have the same alpha and beta. */
static inline int is_one_shape(const struct laws *l)
{
    return l->alpha.length == 1 && l->beta.length == 1;
}

static inline int is_one_law(const struct laws *l)
{
    return is_one_shape(l) && l->gamma.length == 1 && l->delta.length == 1;
}

/* Returns the number of blocks (special/double_double.h) for n elements; the last may be shorter. */
static inline size_t blocks_of(size_t n)
{
    return (n + SUM_BLOCK - 1) / SUM_BLOCK;
}

/* Returns the number of sums of each block: the two parts of a double-double, or those of JOB_APPROXIMATE. */
static inline size_t sums_of_block(const struct element_job *job)
{
    return job->quantity == JOB_LOGLIK ? 2 : APPROXIMATE_SUMS;
}

/* --- interpolants --- */

/* Smallest number of elements for which an existing interpolant (interpolant/interpolant.h) is used: for fewer, exact
 * values are preferred, and a device would spend more on copying the interpolant than it gains.  Each backend decides
 * by its costs when to build one. */
#define USE_INTERPOLANT 2000

/* Returns the law of element 0. */
static inline struct user_law first_law(const struct laws *l)
{
    struct user_law law = { l->alpha.at[0], l->beta.at[0], l->gamma.at[0], l->delta.at[0], l->pm };
    return law;
}

/* TRUE if interpolants support the law. */
static inline int is_interpolated_law(const struct user_law *l)
{
    return l->pm != 2 && user_is_proper(l);
}

/* Returns the number of elements by which an interpolant pays for itself. */
static inline size_t elements_expected(const struct element_job *job)
{
    return job->ahead > job->n ? job->ahead : job->n;
}

/* TRUE if the job may be evaluated by an interpolant: the same on every backend. */
static inline int is_interpolable(const struct element_job *job)
{
    if (elements_expected(job) < USE_INTERPOLANT || !is_one_law(&job->laws) || job->out[OUT_ERROR]) return 0;
    struct user_law law = first_law(&job->laws);
    return is_interpolated_law(&law)
        && (job->quantity == JOB_VALUES || job->quantity == JOB_QUANTILES || job->quantity == JOB_LOGLIK);
}

/* --- columns read in order --- */

/* Position in a recycled column; reading in order avoids a division per element. */
struct cursor {
    const double *at;
    size_t length, next;
};

static inline struct cursor cursor_at(struct column c, size_t from)
{
    struct cursor k = { c.at, c.length, from % c.length };
    return k;
}

static inline double cursor_next(struct cursor *k)
{
    double value = k->at[k->next];
    if (++k->next == k->length) k->next = 0;
    return value;
}

/* Returns the next `count` elements as an array: a pointer into the column, or `buffer` if they wrap around. */
static inline const double *cursor_next_run(struct cursor *k, size_t count, double *buffer)
{
    const double *run = k->at + k->next;
    if (count > k->length - k->next) {
        for (size_t i = 0; i < count; i++) buffer[i] = cursor_next(k);
        return buffer;
    }
    k->next += count;
    if (k->next == k->length) k->next = 0;
    return run;
}

struct law_cursor {
    struct cursor alpha, beta, gamma, delta;
    int pm;
};

static inline struct law_cursor law_cursor_at(const struct laws *l, size_t from)
{
    struct law_cursor k = {
        cursor_at(l->alpha, from), cursor_at(l->beta, from),
        cursor_at(l->gamma, from), cursor_at(l->delta, from), l->pm
    };
    return k;
}

static inline struct user_law law_cursor_next(struct law_cursor *k)
{
    struct user_law l;
    l.alpha = cursor_next(&k->alpha);
    l.beta = cursor_next(&k->beta);
    l.gamma = cursor_next(&k->gamma);
    l.delta = cursor_next(&k->delta);
    l.pm = k->pm;
    return l;
}

/* --- outputs of JOB_VALUES --- */

/* Returns the wanted values as bits of `what`; the error estimate is always computed. */
static inline int outputs_wanted(const struct element_job *job)
{
    return (job->out[OUT_PDF] ? WANT_PDF : 0) | (job->out[OUT_CDF] ? WANT_CDF : 0) | (job->out[OUT_SF] ? WANT_SF : 0);
}

/* Writes element i. */
static inline void outputs_write(const struct element_job *job, size_t i, const struct point_values *y)
{
    if (job->out[OUT_PDF])   job->out[OUT_PDF][i] = y->pdf;
    if (job->out[OUT_CDF])   job->out[OUT_CDF][i] = y->cdf;
    if (job->out[OUT_SF])    job->out[OUT_SF][i] = y->sf;
    if (job->out[OUT_ERROR]) job->out[OUT_ERROR][i] = y->error;
}

#endif
