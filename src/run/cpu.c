/* run/cpu.c: jobs on the processor: over threads (thread_pool.h), and by charts where that pays. */
#include "cpu.h"
#include "interpolated.h"
#include "interpolated_quantile.h"
#include "log_likelihoods.h"
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
    struct team team;
    struct charts charts;
    struct crew crew;                   /* that lays them */
    struct sketch sketch;
};

/* Seconds that an element takes, roughly (measured at 2 to 3 GHz): with one shape
 * throughout, and where the shape changes from element to element. */
struct cost { double same, varying; };

static const struct cost eval_cost     = { 0.35e-6, 12e-6 };
static const struct cost charted_cost  = { 0.02e-6, 12e-6 };
static const struct cost quantile_cost = { 2e-6,    40e-6 };
static const struct cost random_cost   = { 0.03e-6, 0.17e-6 };
static const struct cost mode_cost     = { 0.05e-6, 250e-6 };
static const struct cost score_cost    = { 10e-6,   600e-6 };
static const struct cost quick_cost    = { 0.03e-6, 0.03e-6 };

/* What is left of a job of n elements. */
static double seconds_for(size_t n, const struct slice *slice, const struct laws *l,
                          const struct cost *c)
{
    return (double)(n - slice->first) * (is_one_shape(l) ? c->same : c->varying);
}

static int run(struct session *s, range_function range, const void *job, size_t n, double seconds,
               struct slice *slice, struct status *st)
{
    return team_run(&s->team, range, job, n, BLOCK_LEAST, seconds, slice, st);
}

static struct session *cpu_open(const struct choice *unused, struct status *st)
{
    (void)unused;
    struct session *s = memory_zeroed(1, sizeof *s);
    if (!s) fail(st, ST_MEMORY, "no memory for a session");
    return s;
}

static void cpu_close(struct session *s)
{
    team_free(&s->team);
    charts_clear(&s->charts);
    charts_set_limit(CHARTS_LIMIT);
    crew_free(&s->crew);
    sketch_free(&s->sketch);
    memory_release(s);
}

/* The chart of a law, if it is worth one for n elements. */
static struct chart *chart_for(struct session *s, const struct user_law *l, size_t n)
{
    struct chart *known = charts_find(&s->charts, l->alpha, l->beta);
    if (known || n < LAY_CHART || !charts_limit() || !crew_hire(&s->crew, threads_limit())) return known;
    return charts_lay(&s->charts, &s->crew, l->alpha, l->beta);
}

/* The chart with its inverse. */
static struct chart *inverse_for(struct session *s, const struct user_law *l, size_t n)
{
    struct chart *c = chart_for(s, l, n);
    if (!c || c->inverse || n < LAY_CHART) return c && c->inverse ? c : NULL;
    if (crew_hire(&s->crew, threads_limit())) c->inverse = inverse_new(&s->crew, c);
    if (!c->inverse) return NULL;
    c->bytes += c->inverse->bytes;
    return c;
}

static int cpu_eval(struct session *s, const struct eval_job *job, struct slice *slice,
                    struct status *st)
{
    struct charted_job charted = { job, first_law(&job->laws), NULL };

    if (!job->error && is_chartable(&job->laws, job->n))
        charted.chart = chart_for(s, &charted.law, job->n);
    if (charted.chart)
        return run(s, charted_range, &charted, job->n, seconds_for(job->n, slice, &job->laws, &charted_cost),
                   slice, st);
    return run(s, eval_range, job, job->n, seconds_for(job->n, slice, &job->laws, &eval_cost), slice, st);
}

static int cpu_quantile(struct session *s, const struct quantile_job *job,
                        struct slice *slice, struct status *st)
{
    struct charted_job inverted = { job, first_law(&job->laws), NULL };

    if (is_chartable(&job->laws, job->n))
        inverted.chart = inverse_for(s, &inverted.law, job->n);
    if (inverted.chart)
        return run(s, inverted_range, &inverted, job->n, seconds_for(job->n, slice, &job->laws, &charted_cost),
                   slice, st);
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

struct charts *cpu_charts(struct session *s)
{
    return &s->charts;
}

/* Blocks of n elements, each of which counts as one element of a slice. */
static int run_blocks(struct session *s, range_function range, const void *job, size_t n, double seconds,
                      struct slice *slice, struct status *st)
{
    struct slice blocks = { slice->first / TOTAL_BLOCK, slice->seconds, 0, slice->nans };

    if (team_run(&s->team, range, job, blocks_of(n), 1, seconds, &blocks, st)) return st->code;
    size_t end = (blocks.first + blocks.done) * TOTAL_BLOCK;
    slice->done = (end < n ? end : n) - slice->first;
    slice->nans = blocks.nans;
    return ST_OK;
}

static int cpu_loglik(struct session *s, const struct loglik_job *job, struct slice *slice, struct status *st)
{
    struct charted_job charted = { job, first_law(&job->laws), NULL };

    if (is_chartable(&job->laws, job->ahead))
        charted.chart = chart_for(s, &charted.law, job->ahead);
    double seconds = seconds_for(job->n, slice, &job->laws, charted.chart ? &charted_cost : &eval_cost);
    if (st->code || team_prepare(&s->team, threads_for(seconds), loglik_prepare, st)) return st->code;
    return run_blocks(s, loglik_range, &charted, job->n, seconds, slice, st);
}

/* Nothing is kept. */
static void cpu_forget(struct session *s, unsigned long data)
{
    (void)s;
    (void)data;
}

static int cpu_score(struct session *s, const struct score_job *job, struct slice *slice,
                     struct status *st)
{
    double seconds = seconds_for(job->n, slice, &job->laws, &score_cost);
    if (team_prepare(&s->team, threads_for(seconds), score_prepare, st)) return st->code;
    return run(s, score_range, job, job->n, seconds, slice, st);
}

static int cpu_quick(struct session *s, const struct quick_job *job, struct slice *slice, struct status *st)
{
    struct sketched_job sketched = { job, first_law(&job->laws), NULL };

    sketched.sketch = sketch_whole(&s->sketch, &sketched.law);
    double seconds = seconds_for(job->n, slice, &job->laws, sketched.sketch ? &quick_cost : &score_cost);
    int threads = threads_for(seconds);
    if (team_prepare(&s->team, threads, score_prepare, st)) return st->code;
    if (team_prepare(&s->team, threads, quick_prepare, st)) return st->code;
    return run_blocks(s, quick_range, &sketched, job->n, seconds, slice, st);
}

static int cpu_logliks(struct session *s, const struct logliks_job *job, struct slice *slice, struct status *st)
{
    double points = (double)job->x.length * (double)(job->n - slice->first);
    double seconds = points * (job->laws.alpha.at[slice->first] < TABLES_BEGIN ? eval_cost.same : quick_cost.same);
    if (team_prepare(&s->team, threads_for(seconds), quick_prepare, st)) return st->code;
    return team_run(&s->team, logliks_range, job, job->n, 1, seconds, slice, st);
}

/* Threads that have a sample each do better (single_thread.h). */
static int cpu_many(struct session *s, const struct many_job *job, struct slice *slice, struct status *st)
{
    (void)s;
    (void)job;
    (void)slice;
    return fail(st, ST_UNSUPPORTED, "many samples are left to threads of their own");
}

const struct backend cpu_backend = {
    "cpu", cpu_open, cpu_close, cpu_eval, cpu_quantile, cpu_random, cpu_mode, cpu_score,
    cpu_loglik, cpu_quick, cpu_logliks, cpu_many, NULL, NULL, NULL, cpu_forget
};
