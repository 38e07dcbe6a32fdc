/* Runs jobs on the CPU: on several threads (thread_pool.h), and by interpolants where that is faster. */
#include "cpu.h"
#include "interpolated.h"
#include "sums.h"
#include "approximate.h"
#include "ranges.h"
#include "thread_pool.h"
#include "../base/memory.h"
#include "interpolable.h"
#include "columns.h"
#include "../base/threads.h"
#include "../interpolant/cache.h"
#include "../interpolant/quantile_interpolant.h"

struct session {
    struct thread_pool thread_pool;
    struct interpolants interpolants;
    struct shape_pool shape_pool;       /* builds the interpolants */
    struct approximation approximation;
};

/* Approximate seconds per element (measured at 2 to 3 GHz): with one shape for all elements, and with a shape
 * that changes between elements. */
struct cost { double same, varying; };

static const struct cost eval_cost     = { 0.35e-6, 12e-6 };
static const struct cost interpolated_cost  = { 0.02e-6, 12e-6 };
static const struct cost quantile_cost = { 2e-6,    40e-6 };
static const struct cost random_cost   = { 0.03e-6, 0.17e-6 };
static const struct cost mode_cost     = { 0.05e-6, 250e-6 };
static const struct cost score_cost    = { 10e-6,   600e-6 };
static const struct cost approximate_cost    = { 0.03e-6, 0.03e-6 };

/* Returns the estimated time for the rest of a job of n elements. */
static double seconds_for(size_t n, const struct slice *slice, const struct laws *l,
                          const struct cost *c)
{
    return (double)(n - slice->first) * (is_one_shape(l) ? c->same : c->varying);
}

static int run(struct session *s, range_function range, const void *job, size_t n, double seconds,
               struct slice *slice, struct status *st)
{
    return thread_pool_run(&s->thread_pool, range, job, n, BLOCK_LEAST, seconds, slice, st);
}

static struct session *cpu_open(const struct selection *unused, struct status *st)
{
    (void)unused;
    struct session *s = memory_zeroed(1, sizeof *s);
    if (!s) fail(st, ST_MEMORY, "no memory for a session");
    return s;
}

static void cpu_close(struct session *s)
{
    thread_pool_free(&s->thread_pool);
    cache_clear(&s->interpolants);
    cache_set_limit(CACHE_LIMIT);
    shape_pool_free(&s->shape_pool);
    approximation_free(&s->approximation);
    memory_release(s);
}

/* Returns the interpolant of a law if n elements justify building one, or if it exists. */
static struct interpolant *interpolant_for(struct session *s, const struct user_law *l, size_t n)
{
    struct interpolant *known = cache_find(&s->interpolants, l->alpha, l->beta);
    if (known || n < BUILD_INTERPOLANT || !cache_limit()) return known;
    if (!shape_pool_reserve(&s->shape_pool, threads_limit())) return NULL;
    return cache_build(&s->interpolants, &s->shape_pool, l->alpha, l->beta);
}

/* Likewise with the quantile interpolant. */
static struct interpolant *quantile_interpolant_for(struct session *s, const struct user_law *l, size_t n)
{
    struct interpolant *c = interpolant_for(s, l, n);
    if (!c || c->quantile_interpolant || n < BUILD_INTERPOLANT) return c && c->quantile_interpolant ? c : NULL;
    if (shape_pool_reserve(&s->shape_pool, threads_limit())) c->quantile_interpolant =
        quantile_interpolant_new(&s->shape_pool, c);
    if (!c->quantile_interpolant) return NULL;
    c->bytes += c->quantile_interpolant->bytes;
    return c;
}

static int cpu_eval(struct session *s, const struct eval_job *job, struct slice *slice,
                    struct status *st)
{
    struct interpolated_job interpolated = { job, first_law(&job->laws), NULL };

    if (!job->error && is_interpolable(&job->laws, job->n))
        interpolated.interpolant = interpolant_for(s, &interpolated.law, job->n);
    if (interpolated.interpolant)
        return run(s, interpolated_range, &interpolated, job->n,
                   seconds_for(job->n, slice, &job->laws, &interpolated_cost), slice, st);
    return run(s, eval_range, job, job->n, seconds_for(job->n, slice, &job->laws, &eval_cost), slice, st);
}

static int cpu_quantile(struct session *s, const struct quantile_job *job,
                        struct slice *slice, struct status *st)
{
    struct interpolated_job interpolated_quantile = { job, first_law(&job->laws), NULL };

    if (is_interpolable(&job->laws, job->n))
        interpolated_quantile.interpolant = quantile_interpolant_for(s, &interpolated_quantile.law, job->n);
    if (interpolated_quantile.interpolant)
        return run(s, interpolated_quantile_range, &interpolated_quantile, job->n,
                   seconds_for(job->n, slice, &job->laws, &interpolated_cost), slice, st);
    return run(s, quantile_range, job, job->n, seconds_for(job->n, slice, &job->laws, &quantile_cost), slice, st);
}

static int cpu_random(struct session *s, const struct random_job *job, struct slice *slice,
                      struct status *st)
{
    double seconds = seconds_for(job->n, slice, &job->laws, &random_cost);
    return run(s, random_range, job, job->n, seconds, slice, st);
}

static int cpu_mode(struct session *s, const struct mode_job *job, struct slice *slice,
                    struct status *st)
{
    double seconds = seconds_for(job->n, slice, &job->laws, &mode_cost);
    return run(s, mode_range, job, job->n, seconds, slice, st);
}

struct interpolants *cpu_interpolants(struct session *s)
{
    return &s->interpolants;
}

/* Runs a job of n elements in blocks, each of which is one element of the thread pool's slice. */
static int run_blocks(struct session *s, range_function range, const void *job, size_t n, double seconds,
                      struct slice *slice, struct status *st)
{
    struct slice blocks = { slice->first / TOTAL_BLOCK, slice->seconds, 0, slice->nans };

    if (thread_pool_run(&s->thread_pool, range, job, blocks_of(n), 1, seconds, &blocks, st)) return st->code;
    size_t end = (blocks.first + blocks.done) * TOTAL_BLOCK;
    slice->done = (end < n ? end : n) - slice->first;
    slice->nans = blocks.nans;
    return ST_OK;
}

static int cpu_loglik(struct session *s, const struct loglik_job *job, struct slice *slice, struct status *st)
{
    struct interpolated_job interpolated = { job, first_law(&job->laws), NULL };

    if (is_interpolable(&job->laws, job->ahead))
        interpolated.interpolant = interpolant_for(s, &interpolated.law, job->ahead);
    double seconds = seconds_for(job->n, slice, &job->laws, interpolated.interpolant ? &interpolated_cost : &eval_cost);
    if (st->code || thread_pool_prepare(&s->thread_pool, threads_for(seconds), loglik_prepare, st)) return st->code;
    return run_blocks(s, loglik_range, &interpolated, job->n, seconds, slice, st);
}

/* The CPU keeps no data. */
static void cpu_forget(struct session *s, unsigned long data)
{
    (void)s;
    (void)data;
}

static int cpu_score(struct session *s, const struct score_job *job, struct slice *slice,
                     struct status *st)
{
    double seconds = seconds_for(job->n, slice, &job->laws, &score_cost);
    if (thread_pool_prepare(&s->thread_pool, threads_for(seconds), score_prepare, st)) return st->code;
    return run(s, score_range, job, job->n, seconds, slice, st);
}

static int cpu_approximate(struct session *s, const struct approximate_job *job, struct slice *slice, struct status *st)
{
    struct approximated_job approximated = { job, first_law(&job->laws), NULL };

    approximated.approximation = approximation_whole(&s->approximation, &approximated.law);
    double seconds = seconds_for(job->n, slice, &job->laws, approximated.approximation ? &approximate_cost :
                                 &score_cost);
    int threads = threads_for(seconds);
    if (thread_pool_prepare(&s->thread_pool, threads, score_prepare, st)) return st->code;
    if (thread_pool_prepare(&s->thread_pool, threads, approximate_prepare, st)) return st->code;
    return run_blocks(s, approximate_range, &approximated, job->n, seconds, slice, st);
}

static int cpu_logliks(struct session *s, const struct logliks_job *job, struct slice *slice, struct status *st)
{
    double points = (double)job->x.length * (double)(job->n - slice->first);
    double seconds = points * (job->laws.alpha.at[slice->first] < TABLES_BEGIN ? eval_cost.same :
                               approximate_cost.same);
    if (thread_pool_prepare(&s->thread_pool, threads_for(seconds), approximate_prepare, st)) return st->code;
    return thread_pool_run(&s->thread_pool, logliks_range, job, job->n, 1, seconds, slice, st);
}

/* The caller evaluates many samples faster on threads with one sample each (single_thread.h). */
static int cpu_many(struct session *s, const struct many_job *job, struct slice *slice, struct status *st)
{
    (void)s;
    (void)job;
    (void)slice;
    return fail(st, ST_UNSUPPORTED, "batches of samples are not supported by this backend");
}

const struct backend cpu_backend = {
    "cpu", cpu_open, cpu_close, cpu_eval, cpu_quantile, cpu_random, cpu_mode, cpu_score,
    cpu_loglik, cpu_approximate, cpu_logliks, cpu_many, cpu_forget
};
