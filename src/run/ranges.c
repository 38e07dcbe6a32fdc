#include "ranges.h"
#include "sums.h"
#include "interpolated.h"
#include "columns.h"
#include "../base/memory.h"

/* In jobs of at least this many elements, an element whose neighbours have other shapes is evaluated without a
 * node set. */
#define USE_SINGLE 64

static int same_shape(const struct laws *l, size_t i, size_t j)
{
    return column_value(l->alpha, i) == column_value(l->alpha, j)
        && column_value(l->beta, i) == column_value(l->beta, j);
}

/* TRUE if no neighbour of element i of n has its shape, so that a node set would serve a single element.  In
 * small jobs all elements use node sets, and results do not depend on whether elements are evaluated together or
 * separately. */
static int is_single(const struct laws *l, size_t i, size_t n)
{
    if (is_one_shape(l) || n < USE_SINGLE) return 0;
    return (i == 0 || !same_shape(l, i, i - 1)) && (i == n - 1 || !same_shape(l, i, i + 1));
}

int eval_range(const void *p, struct worker *w, size_t from, size_t to)
{
    const struct eval_job *job = p;
    struct law_cursor laws = laws_at(&job->laws, from);
    struct cursor x = cursor_at(job->x, from);
    int what = outputs_wanted(job), nans = 0;

    for (size_t i = from; i < to; i++) {
        struct user_law l = take_law(&laws);
        struct point_values y;
        int alone = is_single(&job->laws, i, job->n);
        nans |= point_eval(w, &l, take(&x), what, job->give_log, alone, &y);
        outputs_write(job, i, &y);
    }
    return nans;
}

int quantile_range(const void *p, struct worker *w, size_t from, size_t to)
{
    const struct quantile_job *job = p;
    struct law_cursor laws = laws_at(&job->laws, from);
    struct cursor prob = cursor_at(job->p, from);
    int nans = 0;

    for (size_t i = from; i < to; i++) {
        struct user_law l = take_law(&laws);
        nans |= point_quantile(w, &l, take(&prob), job->lower, job->log_p, &job->q[i]);
    }
    return nans;
}

int random_stretch(const struct random_job *job, struct worker *w, uint64 first, size_t from, size_t to)
{
    struct law_cursor laws = laws_at(&job->laws, from);
    size_t run = is_one_law(&job->laws) ? to - from : 1;
    int nans = 0;

    for (size_t i = from; i < to; i += run) {
        struct user_law l = take_law(&laws);
        nans |= point_random(w, &l, job->key, first + i, run, &job->y[i]);
    }
    return nans;
}

int random_range(const void *random_job, struct worker *w, size_t from, size_t to)
{
    return random_stretch(random_job, w, 0, from, to);
}

int mode_range(const void *p, struct worker *w, size_t from, size_t to)
{
    const struct mode_job *job = p;
    struct law_cursor laws = laws_at(&job->laws, from);
    int nans = 0;

    for (size_t i = from; i < to; i++) {
        struct user_law l = take_law(&laws);
        nans |= point_mode(w, &l, &job->mode[i]);
    }
    return nans;
}

int score_range(const void *p, struct worker *w, size_t from, size_t to)
{
    const struct score_job *job = p;
    struct law_cursor laws = laws_at(&job->laws, from);
    struct cursor x = cursor_at(job->x, from);
    int nans = 0;

    for (size_t i = from; i < to; i++) {
        struct user_law l = take_law(&laws);
        nans |= point_score(w, &l, take(&x), 0, &job->score[i], job->n);
    }
    return nans;
}

int score_prepare(struct worker *w)
{
    if (!w->scorer) w->scorer = scorer_new();
    return w->scorer != NULL;
}

int loglik_prepare(struct worker *w)
{
    if (!w->block) w->block = memory_allocate(TOTAL_BLOCK * sizeof *w->block);
    return w->block != NULL;
}

int loglik_range(const void *p, struct worker *w, size_t from, size_t to)
{
    const struct interpolated_job *c = p;
    const struct loglik_job *job = c->job;
    double *value = w->block;
    int nans = 0;

    for (size_t k = from; k < to; k++) {
        struct column x = { job->x.at + k * TOTAL_BLOCK, block_length(k, job->n) };
        struct eval_job part = { x.length, x, job->laws, 1, value, NULL, NULL, NULL };
        struct interpolated_job interpolated = { &part, c->law, c->interpolant };
        nans |= c->interpolant ? interpolated_range(&interpolated, w, 0, part.n) : eval_range(&part, w, 0, part.n);
        job->block[k] = block_total(job, k, value);
    }
    return nans;
}
