/* Access to the columns of a job: element i, and whether a column is constant. */
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

/* Returns the number of blocks (special/compensated_sum.h) for n elements; the last may be shorter. */
static inline size_t blocks_of(size_t n)
{
    return (n + TOTAL_BLOCK - 1) / TOTAL_BLOCK;
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

static inline double take(struct cursor *k)
{
    double value = k->at[k->next];
    if (++k->next == k->length) k->next = 0;
    return value;
}

/* Returns the next `count` elements as an array: a pointer into the column, or `room` if they wrap around. */
static inline const double *take_run(struct cursor *k, size_t count, double *room)
{
    const double *run = k->at + k->next;
    if (count > k->length - k->next) {
        for (size_t i = 0; i < count; i++) room[i] = take(k);
        return room;
    }
    k->next += count;
    if (k->next == k->length) k->next = 0;
    return run;
}

struct law_cursor {
    struct cursor alpha, beta, gamma, delta;
    int pm;
};

static inline struct law_cursor laws_at(const struct laws *l, size_t from)
{
    struct law_cursor k = {
        cursor_at(l->alpha, from), cursor_at(l->beta, from),
        cursor_at(l->gamma, from), cursor_at(l->delta, from), l->pm
    };
    return k;
}

static inline struct user_law take_law(struct law_cursor *k)
{
    struct user_law l;
    l.alpha = take(&k->alpha);
    l.beta = take(&k->beta);
    l.gamma = take(&k->gamma);
    l.delta = take(&k->delta);
    l.pm = k->pm;
    return l;
}

/* --- outputs of an evaluation --- */

/* Returns the wanted values as bits of `what`; the error estimate is always computed. */
static inline int outputs_wanted(const struct eval_job *job)
{
    return (job->pdf ? WANT_PDF : 0) | (job->cdf ? WANT_CDF : 0) | (job->sf ? WANT_SF : 0);
}

/* Writes element i. */
static inline void outputs_write(const struct eval_job *job, size_t i, const struct point_values *y)
{
    if (job->pdf)   job->pdf[i] = y->pdf;
    if (job->cdf)   job->cdf[i] = y->cdf;
    if (job->sf)    job->sf[i] = y->sf;
    if (job->error) job->error[i] = y->error;
}

#endif
