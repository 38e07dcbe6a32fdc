/* The single-threaded counterpart of cpu.c. */
#include "../base/memory.h"
#include "single_thread.h"
#include "sums.h"
#include "ranges.h"
#include "columns.h"

struct context {
    struct worker worker;
    struct shape_pool shape_pool;       /* with one thread */
    struct interpolant *interpolant;    /* most recent one; NULL: none */
    double *sum;                        /* block sums of JOB_APPROXIMATE or JOB_LOGLIK; room for `blocks` blocks */
    size_t blocks;
};

struct context *context_new(void)
{
    struct context *s = memory_zeroed(1, sizeof *s);
    if (!s) return NULL;
    s->worker.shape = shape_new();
    int is_ready = 1;
    for (int q = 0; q < QUANTITIES && is_ready; q++)
        if (quantity_methods[q].prepare) is_ready = quantity_methods[q].prepare(&s->worker);
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

/* Returns the interpolant of the job; NULL if exact evaluation is faster or no interpolant applies. */
static const struct interpolant *interpolant_for(struct context *s, const struct element_job *job)
{
    if (job->n < BUILD_INTERPOLANT || job->quantity == JOB_QUANTILES || !is_interpolable(job)) return NULL;
    struct user_law l = first_law(&job->laws);
    if (s->interpolant && s->interpolant->alpha == l.alpha && s->interpolant->beta == l.beta) return s->interpolant;
    interpolant_free(s->interpolant);
    s->interpolant = interpolant_new(&s->shape_pool, l.alpha, l.beta);
    return s->interpolant;
}

int context_run(struct context *s, const struct element_job *job, struct status *st)
{
    struct evaluation e = { job, first_law(&job->laws), interpolant_for(s, job), NULL };
    quantity_methods[job->quantity].range(&e, &s->worker, 0, job->n);
    return st->code;
}

int context_sums(struct context *s, const struct element_job *job, double *sum, struct status *st)
{
    struct element_job own = *job;
    struct evaluation e = { &own, first_law(&job->laws), interpolant_for(s, job), NULL };
    size_t blocks = blocks_of(job->n);

    if (make_room(s, blocks, st)) return st->code;
    own.sum = s->sum;
    if (job->quantity == JOB_APPROXIMATE) e.approximation = approximation_for(&s->worker.approximation, &e.law);
    quantity_methods[job->quantity].range(&e, &s->worker, 0, blocks);
    blocks_total(&own, sum);
    return ST_OK;
}
