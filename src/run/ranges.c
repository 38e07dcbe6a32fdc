#include "columns.h"
#include "element.h"
#include "../base/memory.h"
#include "../stable/value_batch.h"

/* In jobs of at least this many elements, an element whose neighbours have other shapes is evaluated without a
 * node set. */
#define STREAMED_JOB_MIN 64

static int same_shape(const struct laws *l, size_t i, size_t j)
{
    return column_value(l->alpha, i) == column_value(l->alpha, j)
        && column_value(l->beta, i) == column_value(l->beta, j);
}

/* TRUE if no neighbour of element i of n has its shape, so that a node set would serve a single element.  In
 * small jobs all elements use node sets, and results do not depend on whether elements are evaluated together or
 * separately. */
static int has_unique_shape(const struct laws *l, size_t i, size_t n)
{
    if (is_one_shape(l) || n < STREAMED_JOB_MIN) return 0;
    return (i == 0 || !same_shape(l, i, i - 1)) && (i == n - 1 || !same_shape(l, i, i + 1));
}

/* Elements without a node set, collected until VALUE_BATCH of them can be computed together. */
struct pending {
    struct value_batch value_batch;
    struct user_law law[VALUE_BATCH];
    struct user_argument at[VALUE_BATCH];
    size_t index[VALUE_BATCH];          /* of the element in the job */
};

/* Computes the collected elements and writes their values. */
static void pending_compute(struct pending *t, const struct element_job *job, int what)
{
    value_batch_compute(&t->value_batch, what == WANT_PDF);
    for (int k = 0; k < t->value_batch.count; k++) {
        struct point_values y = { 0.0, 0.0, 0.0, 0.0 };
        user_values(&t->law[k], &t->at[k], &t->value_batch.v[k], what, job->give_log, &y);
        outputs_write(job, t->index[k], &y);
    }
    t->value_batch.count = 0;
}

/* Adds element i of the job, or writes its values if they need no evaluation. */
static int pending_add(struct pending *t, struct worker *w, const struct element_job *job, size_t i,
                       const struct user_law *l, double x, int what)
{
    struct user_argument at;
    struct point_values y = { 0.0, 0.0, 0.0, 0.0 };
    int nans;
    if (user_argument(l, mode_if_needed(w, l), x, what, job->give_log, &at, &y, &nans)) {
        outputs_write(job, i, &y);
        return nans;
    }
    int k = value_batch_add(&t->value_batch, l->alpha, l->beta, at.z);
    t->law[k] = *l;
    t->at[k] = at;
    t->index[k] = i;
    if (t->value_batch.count == VALUE_BATCH) pending_compute(t, job, what);
    return 0;
}

int values_range(const struct evaluation *e, struct worker *w, size_t from, size_t to)
{
    const struct element_job *job = e->job;
    if (e->interpolant) return interpolated_values(e, w, from, to);
    struct law_cursor laws = law_cursor_at(&job->laws, from);
    struct cursor x = cursor_at(job->x, from);
    struct pending pending;
    int what = outputs_wanted(job), nans = 0;

    pending.value_batch.count = 0;
    for (size_t i = from; i < to; i++) {
        struct user_law l = law_cursor_next(&laws);
        struct point_values y;
        if (has_unique_shape(&job->laws, i, job->n)) {
            nans |= pending_add(&pending, w, job, i, &l, cursor_next(&x), what);
            continue;
        }
        nans |= point_eval(w, &l, cursor_next(&x), what, job->give_log, 0, &y);
        outputs_write(job, i, &y);
    }
    pending_compute(&pending, job, what);
    return nans;
}

static int quantiles_range(const struct evaluation *e, struct worker *w, size_t from, size_t to)
{
    const struct element_job *job = e->job;
    if (e->interpolant) return interpolated_quantiles(e, w, from, to);
    struct law_cursor laws = law_cursor_at(&job->laws, from);
    struct cursor p = cursor_at(job->x, from);
    int nans = 0;

    for (size_t i = from; i < to; i++) {
        struct user_law l = law_cursor_next(&laws);
        int without_store = has_unique_shape(&job->laws, i, job->n);
        nans |= point_quantile(w, &l, cursor_next(&p), job->lower, job->give_log, without_store, &job->out[0][i]);
    }
    return nans;
}

static int variates_range(const struct evaluation *e, struct worker *w, size_t from, size_t to)
{
    const struct element_job *job = e->job;
    struct law_cursor laws = law_cursor_at(&job->laws, from);
    size_t run = is_one_law(&job->laws) ? to - from : 1;
    int nans = 0;

    for (size_t i = from; i < to; i += run) {
        struct user_law l = law_cursor_next(&laws);
        nans |= point_random(w, &l, job->key, job->first + i, run, &job->out[0][i]);
    }
    return nans;
}

static int modes_range(const struct evaluation *e, struct worker *w, size_t from, size_t to)
{
    const struct element_job *job = e->job;
    struct law_cursor laws = law_cursor_at(&job->laws, from);
    int nans = 0;

    for (size_t i = from; i < to; i++) {
        struct user_law l = law_cursor_next(&laws);
        nans |= point_mode(w, &l, &job->out[0][i]);
    }
    return nans;
}

static int scores_range(const struct evaluation *e, struct worker *w, size_t from, size_t to)
{
    const struct element_job *job = e->job;
    struct law_cursor laws = law_cursor_at(&job->laws, from);
    struct cursor x = cursor_at(job->x, from);
    int nans = 0;

    for (size_t i = from; i < to; i++) {
        struct user_law l = law_cursor_next(&laws);
        double y[SCORE_COLUMNS];
        nans |= point_score(w, &l, cursor_next(&x), 0, y);
        for (int k = 0; k < SCORE_COLUMNS; k++) job->out[k][i] = y[k];
    }
    return nans;
}

static int loglik_prepare(struct worker *w)
{
    if (!w->block) w->block = memory_allocate(SUM_BLOCK * sizeof *w->block);
    return w->block != NULL;
}

/* Computes the sums of blocks [from, to). */
static int loglik_range(const struct evaluation *whole, struct worker *w, size_t from, size_t to)
{
    const struct element_job *job = whole->job;
    double *value = w->block;
    int nans = 0;

    for (size_t k = from; k < to; k++) {
        struct element_job part = {
            .quantity = JOB_VALUES, .n = block_length(k, job->n), .x = { job->x.at + k * SUM_BLOCK, job->x.length },
            .laws = job->laws, .give_log = 1, .out = { value }
        };
        part.x.length = part.n;
        struct evaluation e = { &part, whole->law, whole->interpolant, NULL };
        nans |= values_range(&e, w, 0, part.n);
        struct double_double total = block_total(job, k, value);
        job->sum[2 * k] = total.hi;
        job->sum[2 * k + 1] = total.lo;
    }
    return nans;
}

const struct quantity_method quantity_methods[QUANTITIES] = {
    [JOB_VALUES]      = { "",         1, values_range,      NULL,                1, 16, { 0.35e-6, 3e-6 } },
    [JOB_QUANTILES]   = { "quantile", 1, quantiles_range,   NULL,                1, 16, { 2e-6,    7e-6 } },
    [JOB_VARIATES]    = { "",         1, variates_range,    NULL,                1, 16, { 0.03e-6, 0.17e-6 } },
    [JOB_MODES]       = { "mode",     1, modes_range,       NULL,                1, 16, { 0.05e-6, 250e-6 } },
    [JOB_SCORES]      = { "score",    5, scores_range,      score_prepare,       1, 16, { 10e-6,   600e-6 } },
    [JOB_LOGLIK]      = { "",         0, loglik_range,      loglik_prepare,      SUM_BLOCK, 1, { 0.35e-6, 3e-6 } },
    [JOB_APPROXIMATE] = { "",         5, approximate_range, approximate_prepare, SUM_BLOCK, 1, { 10e-6,   600e-6 } },
    [JOB_LOGLIKS]     = { "",         1, logliks_range,     logliks_prepare,     1, 1, { 0.35e-6, 0.35e-6 } },
    [JOB_APPROXIMATE_EACH] = { "quick", 5, approximate_each_range, score_prepare, 1, 16, { 0.1e-6, 3e-6 } }
};
