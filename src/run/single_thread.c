/* The single-threaded counterpart of cpu.c. */
#include "../base/memory.h"
#include "single_thread.h"
#include "sums.h"
#include "interpolated.h"
#include "approximate.h"
#include "ranges.h"
#include "interpolable.h"
#include "columns.h"

struct context {
    struct worker worker;
    struct shape_pool shape_pool;       /* with one thread */
    struct interpolant *interpolant;    /* most recent one; NULL: none */
    double *sum;                        /* block sums of approximate_job or loglik_job; room for `blocks` blocks */
    size_t blocks;
};

struct context *context_new(void)
{
    struct context *s = memory_zeroed(1, sizeof *s);
    if (!s) return NULL;
    s->worker.shape = shape_new();
    int is_ready = score_prepare(&s->worker) && approximate_prepare(&s->worker) && loglik_prepare(&s->worker);
    if (s->worker.shape && is_ready && shape_pool_reserve(&s->shape_pool, 1)) return s;
    context_free(s);
    return NULL;
}

void context_free(struct context *s)
{
    if (!s) return;
    worker_clear(&s->worker);
    shape_pool_free(&s->shape_pool);
    interpolant_free(s->interpolant);
    memory_release(s->sum);
    memory_release(s);
}

static int make_room(struct context *s, size_t blocks, struct status *st)
{
    if (blocks <= s->blocks) return ST_OK;
    double *sum = memory_resize(s->sum, blocks * APPROXIMATE_SUMS * sizeof *sum);
    if (!sum) return fail(st, ST_MEMORY, "no memory for the sums of %.0f blocks", (double)blocks);
    s->sum = sum;
    s->blocks = blocks;
    return ST_OK;
}

/* Returns the interpolant for n elements; NULL if exact evaluation is faster or no interpolant applies. */
static const struct interpolant *interpolant_for(struct context *s, const struct laws *laws, size_t n)
{
    struct user_law l = first_law(laws);
    if (n < BUILD_INTERPOLANT || !is_interpolable(laws, n)) return NULL;
    if (s->interpolant && s->interpolant->alpha == l.alpha && s->interpolant->beta == l.beta) return s->interpolant;
    interpolant_free(s->interpolant);
    s->interpolant = interpolant_new(&s->shape_pool, l.alpha, l.beta);
    return s->interpolant;
}

int context_quick(struct context *s, const struct approximate_job *job, double *sum, struct status *st)
{
    struct approximate_job own = *job;
    struct approximated_job approximated = { &own, first_law(&job->laws), NULL };

    if (make_room(s, blocks_of(job->n), st)) return st->code;
    own.sum = s->sum;
    approximated.approximation = approximation_for(&s->worker.approximation, &approximated.law);
    approximate_range(&approximated, &s->worker, 0, blocks_of(job->n));
    blocks_sums(&own, sum);
    return ST_OK;
}

int context_loglik(struct context *s, const struct loglik_job *job, double *sum, struct status *st)
{
    struct loglik_job own = *job;
    struct interpolated_job interpolated = { &own, first_law(&job->laws), interpolant_for(s, &job->laws, job->n) };

    if (make_room(s, blocks_of(job->n), st)) return st->code;
    own.block = (struct double_double *)s->sum;
    loglik_range(&interpolated, &s->worker, 0, blocks_of(job->n));
    *sum = blocks_total(&own);
    return ST_OK;
}

int context_eval(struct context *s, const struct eval_job *job, struct status *st)
{
    struct interpolated_job interpolated = { job, first_law(&job->laws), interpolant_for(s, &job->laws, job->n) };

    if (interpolated.interpolant) interpolated_range(&interpolated, &s->worker, 0, job->n);
    else eval_range(job, &s->worker, 0, job->n);
    return st->code;
}

void context_quantile(struct context *s, const struct quantile_job *job)
{
    quantile_range(job, &s->worker, 0, job->n);
}

void context_score(struct context *s, const struct score_job *job)
{
    score_range(job, &s->worker, 0, job->n);
}

void context_random(struct context *s, const struct random_job *job, uint64 first)
{
    random_stretch(job, &s->worker, first, 0, job->n);
}
