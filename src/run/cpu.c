#include <stdlib.h>
#include <string.h>
#include "cpu.h"
#include "columns.h"
#include "element.h"
#include "../base/memory.h"
#include "../base/parallel.h"
#include "../interpolant/build.h"

struct session {
    struct worker *workers;             /* one for each thread */
    int count;
    struct interpolants interpolants;
    struct shape_pool shape_pool;       /* builds the interpolants */
    struct approximation approximation;
};

/* Largest number of elements assigned at a time: small enough to balance a small job between threads and to keep to the
 * time of a slice. */
#define BLOCK_MAX 256

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
    for (int i = 0; i < s->count; i++) worker_clear(&s->workers[i]);
    memory_release(s->workers);
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

    if (job->quantity == JOB_APPROXIMATE) e->approximation = approximation_with_all_pieces(&s->approximation, &e->law);
    else if (!is_interpolable(job)) return;
    else if (job->quantity == JOB_QUANTILES) e->interpolant = quantile_interpolant_for(s, &e->law, n);
    else e->interpolant = interpolant_for(s, &e->law, n);
}

/* Returns the estimated time of the job on one thread. */
static double seconds_for(const struct evaluation *e)
{
    const struct element_job *job = e->job;
    const struct cost *c = &quantity_methods[job->quantity].cost;
    double n = (double)job->n;

    if (e->interpolant) c = &interpolated_cost;
    if (e->approximation) c = &approximate_cost;
    if (job->quantity == JOB_LOGLIKS) {
        n *= (double)job->x.length;
        if (!(job->laws.alpha.at[0] < TABLES_BEGIN)) c = &approximate_cost;
    }
    return n * (is_one_shape(&job->laws) ? c->same : c->varying);
}

/* Allocates workers for this number of threads, with what the quantity needs. */
static int reserve_workers(struct session *s, const struct quantity_method *m, int threads, struct status *st)
{
    if (threads > s->count) {
        struct worker *more = memory_resize(s->workers, (size_t)threads * sizeof *more);
        if (!more) return fail(st, ST_MEMORY, "no memory for %d threads", threads);
        s->workers = more;
    }
    for (; s->count < threads; s->count++) {
        struct worker *w = &s->workers[s->count];
        memset(w, 0, sizeof *w);
        w->shape = shape_new();
        if (!w->shape) return fail(st, ST_MEMORY, "no memory for %d threads", threads);
    }
    for (int i = 0; m->prepare && i < threads; i++)
        if (!m->prepare(&s->workers[i])) return fail(st, ST_MEMORY, "no memory for %d threads", threads);
    return ST_OK;
}

/* An evaluation from unit number `first` on; nans: whether NaNs were produced; atomic. */
struct loop {
    const struct evaluation *evaluation;
    struct worker *workers;
    size_t first;
    int nans;
};

static void run_block(void *context, int thread, size_t from, size_t to)
{
    struct loop *l = context;
    range_function *range = quantity_methods[l->evaluation->job->quantity].range;
    if (range(l->evaluation, &l->workers[thread], l->first + from, l->first + to)) ATOMIC_WRITE(&l->nans, 1);
}

static size_t block_size(size_t n, int threads, size_t minimum)
{
    size_t share = n / (4 * (size_t)threads);
    return share < minimum ? minimum : share > BLOCK_MAX ? BLOCK_MAX : share;
}

static int cpu_run(struct session *s, const struct element_job *job, struct slice *slice, struct status *st)
{
    const struct quantity_method *m = &quantity_methods[job->quantity];
    struct evaluation e = { job, first_law(&job->laws), NULL, NULL };
    size_t unit = m->unit, first = slice->first / unit, n = (job->n + unit - 1) / unit - first;

    choose(s, &e);
    /* All slices use the same number: libraries of OpenMP end the threads that a smaller team does not need. */
    int threads = threads_for(seconds_for(&e));
    if (reserve_workers(s, m, threads, st)) return st->code;
    struct loop loop = { &e, s->workers, first, 0 };
    struct stop_flag stop = { .until = threads_clock() + slice->seconds };
    size_t done = parallel_for(n, block_size(n, threads, m->minimum), threads, run_block, &loop, &stop);
    size_t end = (first + done) * unit;
    slice->done = (end < job->n ? end : job->n) - slice->first;
    slice->nans |= loop.nans;
    return ST_OK;
}

/* The caller evaluates many samples faster on threads with one sample and one context each. */
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

int cpu_cache_list(struct session *s, struct cache_entry *entries, int capacity)
{
    int n = 0;
    for (; n < capacity && n < CACHE_MAX && s->interpolants.entry[n]; n++) {
        const struct interpolant *c = s->interpolants.entry[n];
        entries[n].alpha = c->alpha;
        entries[n].beta = c->beta;
        entries[n].bytes = (double)c->bytes;
        entries[n].quantiles = c->quantile_interpolant != NULL;
    }
    return n;
}

/* --- contexts ------------------------------------------------------------------------------------ */

struct context {
    struct worker worker;
    struct shape_pool shape_pool;       /* with one thread */
    struct interpolant *interpolant;    /* most recent one; NULL: none */
    double *sum;                        /* block sums of JOB_APPROXIMATE or JOB_LOGLIK; memory for `blocks` blocks */
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

static int reserve_sums(struct context *s, size_t blocks, struct status *st)
{
    if (blocks <= s->blocks) return ST_OK;
    double *sum = memory_resize(s->sum, blocks * APPROXIMATE_SUMS * sizeof *sum);
    if (!sum) return fail(st, ST_MEMORY, "no memory for the sums of %.0f blocks", (double)blocks);
    s->sum = sum;
    s->blocks = blocks;
    return ST_OK;
}

/* Returns the interpolant of the job; NULL if exact evaluation is faster or no interpolant applies. */
static const struct interpolant *context_interpolant(struct context *s, const struct element_job *job)
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
    struct evaluation e = { job, first_law(&job->laws), context_interpolant(s, job), NULL };
    quantity_methods[job->quantity].range(&e, &s->worker, 0, job->n);
    return st->code;
}

int context_sums(struct context *s, const struct element_job *job, double *sum, struct status *st)
{
    struct element_job copy = *job;
    struct evaluation e = { &copy, first_law(&job->laws), context_interpolant(s, job), NULL };
    size_t blocks = blocks_of(job->n);

    if (reserve_sums(s, blocks, st)) return st->code;
    copy.sum = s->sum;
    if (job->quantity == JOB_APPROXIMATE) e.approximation = approximation_for(&s->worker.approximation, &e.law);
    quantity_methods[job->quantity].range(&e, &s->worker, 0, blocks);
    blocks_total(&copy, sum);
    return ST_OK;
}

/* --- elements that a device has left --- */

/* Computes the sums of a request over n values x. */
static int sums_over(struct context *s, const struct many_request *q, const double *x, size_t n, double *sum,
                     struct status *st)
{
    struct element_job job = {
        .quantity = JOB_APPROXIMATE, .n = n, .x = { x, n }, .only_value = q->only_value,
        .laws = { { &q->alpha, 1 }, { &q->beta, 1 }, { &q->gamma, 1 }, { &q->delta, 1 }, q->pm }
    };
    return context_sums(s, &job, sum, st);
}

static int by_number(const void *a, const void *b)
{
    int i = *(const int *)a, k = *(const int *)b;
    return (i > k) - (i < k);
}

int context_add_deferred(struct context *s, const struct many_job *job, size_t i, double *sum, struct status *st)
{
    const struct many_request *q = &job->request[i];
    const double *sample = job->x.at + q->first;
    int *deferred = job->deferred + i * (MANY_DEFERRED + 1), count = *deferred++;
    double x[MANY_DEFERRED], rest[APPROXIMATE_SUMS];

    if (count == MANY_NOT_COMPUTED || count > MANY_DEFERRED) return sums_over(s, q, sample, q->n, sum, st);
    if (count == 0) return ST_OK;
    qsort(deferred, (size_t)count, sizeof *deferred, by_number);
    for (int k = 0; k < count; k++) x[k] = sample[deferred[k]];
    if (sums_over(s, q, x, (size_t)count, rest, st)) return st->code;
    for (int c = 0; c < (q->only_value ? 1 : APPROXIMATE_SUMS); c++) sum[c] += rest[c];
    return ST_OK;
}
