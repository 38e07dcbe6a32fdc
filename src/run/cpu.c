/* Runs jobs on the CPU: on several threads (workers.h), and by interpolants where that is faster. */
#include "cpu.h"
#include "ranges.h"
#include "../base/memory.h"
#include "columns.h"
#include "../base/parallel.h"
#include "../interpolant/cache.h"

struct session {
    struct workers workers;
    struct interpolants interpolants;
    struct shape_pool shape_pool;       /* builds the interpolants */
    struct approximation approximation;
};

/* Seconds per element of an interpolant, and of a tensor approximation. */
static const struct cost interpolated_cost = { 0.02e-6, 0.02e-6 };
static const struct cost approximate_cost  = { 0.03e-6, 0.03e-6 };

static struct session *cpu_open(const struct selection *unused, struct status *st)
{
    (void)unused;
    struct session *s = memory_zeroed(1, sizeof *s);
    if (!s) fail(st, ST_MEMORY, "no memory for a session");
    return s;
}

static void cpu_close(struct session *s)
{
    workers_free(&s->workers);
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

/* Chooses what replaces the formulas of the law. */
static void choose(struct session *s, struct evaluation *e)
{
    const struct element_job *job = e->job;
    size_t n = elements_expected(job);

    if (job->quantity == JOB_APPROXIMATE) e->approximation = approximation_whole(&s->approximation, &e->law);
    else if (!is_interpolable(job)) return;
    else if (job->quantity == JOB_QUANTILES) e->interpolant = quantile_interpolant_for(s, &e->law, n);
    else e->interpolant = interpolant_for(s, &e->law, n);
}

/* Returns the estimated time on one thread for the elements from `first` on. */
static double seconds_for(const struct evaluation *e, size_t first)
{
    const struct element_job *job = e->job;
    const struct cost *c = &quantity_methods[job->quantity].cost;
    double n = (double)(job->n - first);

    if (e->interpolant) c = &interpolated_cost;
    if (e->approximation) c = &approximate_cost;
    if (job->quantity == JOB_LOGLIKS) {
        n *= (double)job->x.length;
        if (!(job->laws.alpha.at[first] < TABLES_BEGIN)) c = &approximate_cost;
    }
    return n * (is_one_shape(&job->laws) ? c->same : c->varying);
}

/* Runs a job in blocks, each of which is one element of the workers' slice. */
static int run_blocks(struct session *s, const struct evaluation *e, double seconds, struct slice *slice,
                      struct status *st)
{
    size_t n = e->job->n;
    struct slice blocks = { slice->first / TOTAL_BLOCK, slice->seconds, 0, slice->nans };

    if (workers_run(&s->workers, quantity_methods[e->job->quantity].range, e, blocks_of(n), 1, seconds, &blocks, st))
        return st->code;
    size_t end = (blocks.first + blocks.done) * TOTAL_BLOCK;
    slice->done = (end < n ? end : n) - slice->first;
    slice->nans = blocks.nans;
    return ST_OK;
}

static int cpu_run(struct session *s, const struct element_job *job, struct slice *slice, struct status *st)
{
    const struct quantity_method *m = &quantity_methods[job->quantity];
    struct evaluation e = { job, first_law(&job->laws), NULL, NULL };

    choose(s, &e);
    double seconds = seconds_for(&e, slice->first);
    if (m->prepare && workers_prepare(&s->workers, threads_for(seconds), m->prepare, st)) return st->code;
    if (job->quantity == JOB_LOGLIK || job->quantity == JOB_APPROXIMATE) return run_blocks(s, &e, seconds, slice, st);
    size_t least = job->quantity == JOB_LOGLIKS ? 1 : BLOCK_LEAST;
    return workers_run(&s->workers, m->range, &e, job->n, least, seconds, slice, st);
}

/* The caller evaluates many samples faster on threads with one sample each (single_thread.h). */
static int cpu_many(struct session *s, const struct many_job *job, struct slice *slice, struct status *st)
{
    (void)s;
    (void)job;
    (void)slice;
    return fail(st, ST_UNSUPPORTED, "batches of samples are not supported by this backend");
}

/* The CPU keeps no data. */
static void cpu_forget(struct session *s, unsigned long data)
{
    (void)s;
    (void)data;
}

const struct backend cpu_backend = { "cpu", cpu_open, cpu_close, cpu_run, cpu_many, cpu_forget };

double cpu_cache_limit(struct session *s, double limit)
{
    double before = (double)cache_limit();
    if (limit >= 0) {
        cache_set_limit((size_t)limit);
        cache_trim(&s->interpolants, (size_t)limit);
    }
    return before;
}

int cpu_cache_list(struct session *s, struct cache_entry *entries, int room)
{
    int n = 0;
    for (; n < room && n < CACHE_MAX && s->interpolants.kept[n]; n++) {
        const struct interpolant *c = s->interpolants.kept[n];
        entries[n].alpha = c->alpha;
        entries[n].beta = c->beta;
        entries[n].bytes = (double)c->bytes;
        entries[n].quantiles = c->quantile_interpolant != NULL;
    }
    return n;
}
