/* BCAQ in threads (quadrature/published/bcaq.h), and the entry point of all methods of continuity.h.
 *
 * Each thread computes an integral; if there are few integrals, all threads share the intervals of a region, or a
 * device evaluates its points. */
#include "../../base/parallel.h"
#include "../../base/memory.h"
#include "bcaq.h"
#include "drivers.h"

#define CELLS_SLOW 15                   /* intervals that a thread evaluates at a time if each point takes long */

/* --- regions -------------------------------------------------------------------- */

/* The sums of a region are formed chunk by chunk, and must not depend on the number of threads. */
static long chunk_cells(const struct sampler *s)
{
    return sampler_is_slow(s) ? CELLS_SLOW : (s->block - 1) / 2;
}

/* Computes the sums of intervals `from` to `to` - 1 of a region, whose points fit into one block.  Returns 0 if the
 * sampler fails. */
static int sum_chunk(const struct cuts *c, int thread, size_t i, const struct part *p, const struct region *r,
                     int64 from, int64 to, struct cut_sum *sum)
{
    const struct cut_sum nothing = CUT_SUM_EMPTY;
    const struct integral_job *j = c->job;
    const struct sampler *s = c->sampler;
    int count = (int)(2 * (to - from) + 1);
    double *x = s->input(s->self, thread, 0);
    for (int64 q = 2 * from; q <= 2 * to; q++) x[q - 2 * from] = part_x(*p, region_point(r, q));
    for (int k = 0; k < j->parameters; k++) {
        double *to_fill = s->input(s->self, thread, k + 1), value = j->parameter[(size_t)k * j->n + i];
        for (int q = 0; q < count; q++) to_fill[q] = value;
    }
    const double *f = s->run(s->self, thread, count);
    struct cut_sum all = nothing;
    if (!f) return 0;
    for (int64 k = to - 1; k >= from; k--) region_add_interval(&all, p, r, k, f + 2 * (k - from));
    *sum = all;
    return 1;
}

static int evaluate_on_one_thread(const struct cuts *c, int thread, size_t i, const struct part *p,
                                  const struct region *r,
                                  struct cut_sum *sum)
{
    const struct cut_sum nothing = CUT_SUM_EMPTY;
    int64 each = chunk_cells(c->sampler);
    *sum = nothing;
    for (int64 to = r->cells; to > 0; to -= each) {
        struct cut_sum one;
        if (!sum_chunk(c, thread, i, p, r, to > each ? to - each : 0, to, &one)) return 0;
        cut_add_lower(sum, &one);
    }
    return 1;
}

/* A region of an integral, whose chunks all threads compute. */
struct shared_region {
    const struct cut_worker *worker;
    size_t integral;
    const struct part *part;
    const struct region *region;
};

static void sum_chunks(void *context, int thread, size_t first, size_t end)
{
    const struct shared_region *s = context;
    const struct cuts *c = s->worker->cuts;
    int64 each = chunk_cells(c->sampler);
    for (size_t k = first; k < end; k++) {
        int64 to = s->region->cells - (int64)k * each, from = to > each ? to - each : 0;
        if (!sum_chunk(c, thread, s->integral, s->part, s->region, from, to, &s->worker->sums[k]))
            stop_interrupted(s->worker->stop_flag);
    }
}

/* Computes the sums of a region from values on a device.  Returns 0 if threads are to compute them or the work is to
 * stop. */
static int evaluate_on_device(const struct cut_worker *w, size_t i, const struct part *p, const struct region *r,
                              struct cut_sum *sum)
{
    const struct cut_sum nothing = CUT_SUM_EMPTY;
    const struct cuts *c = w->cuts;
    struct box_device *device = c->sampler->device;
    size_t count = 2 * (size_t)r->cells + 1;
    double *x = device ? memory_allocate(2 * count * sizeof *x) : NULL;
    if (!x) return 0;
    for (size_t q = 0; q < count; q++) x[q] = part_x(*p, region_point(r, (int64)q));
    int done = points_on_device(c->job, device, i, x, count, x + count, (double)count);
    if (done < 0) stop_interrupted(w->stop_flag);
    *sum = nothing;
    for (int64 k = r->cells - 1; k >= 0 && done > 0; k--) region_add_interval(sum, p, r, k, x + count + 2 * k);
    memory_release(x);
    return done > 0;
}

/* Computes the sums of a region in all threads.  Returns 0 if the computation must stop. */
static int evaluate_in_threads(const struct cut_worker *w, size_t i, const struct part *p, const struct region *r,
                               struct cut_sum *sum)
{
    const struct cut_sum nothing = CUT_SUM_EMPTY;
    long each = chunk_cells(w->cuts->sampler), chunks = ((long)r->cells + each - 1) / each;
    struct shared_region s = { w, i, p, r };
    int threads = sampler_threads_again(w->cuts->sampler, region_points(r->cells));
    parallel_for((size_t)chunks, 0, threads, sum_chunks, &s, w->stop_flag);
    if (stop_is_set(w->stop_flag)) return 0;
    *sum = nothing;
    for (long k = 0; k < chunks; k++) cut_add_lower(sum, &w->sums[k]);
    return 1;
}

/* Computes the sums of a region.  Returns 0 if the computation must stop. */
static int evaluate(const struct cut_worker *w, size_t i, const struct part *p, const struct region *r,
                    struct cut_sum *sum)
{
    if (!w->sums) return evaluate_on_one_thread(w->cuts, w->thread, i, p, r, sum);
    return evaluate_on_device(w, i, p, r, sum) || evaluate_in_threads(w, i, p, r, sum);
}

/* --- an integral -------------------------------------------------------------------- */

int cut_begin(const struct cut_worker *w, size_t i, double *tolerance)
{
    const struct cuts *c = w->cuts;
    struct parts parts = parts_of(c->job, i);
    struct cut_sum all = CUT_SUM_EMPTY, one;
    struct part p;
    int count = 0;
    for (; parts_next(&parts, &p); count++) {
        if (!tolerance) continue;
        struct region r = region_between(p.low, p.high, c->rule.cells);
        c->job->evaluations[i] += region_points(r.cells);
        if (!evaluate(w, i, &p, &r, &one)) return 0;
        region_finalise(&one, r.cells);
        cut_add(&all, &one);
    }
    if (tolerance) *tolerance = cut_tolerance(&c->rule, all.value, all.size);
    return count;
}

static void cut_integral(const struct cut_worker *w, size_t i)
{
    const struct integral_job *j = w->cuts->job;
    struct bcaq c;
    if (j->status[i] != INTEGRAL_NOT_DONE || integral_is_trivial(j, i)) return;
    bcaq_begin(&c, w->cuts->rule, parts_of(j, i), i);
    while (c.status == INTEGRAL_NOT_DONE) {
        struct region r = region_between(c.low, c.upper, c.rule.cells);
        struct cut_sum s;
        if (!evaluate(w, i, &c.part, &r, &s)) stop_interrupted(w->stop_flag);
        if (is_stop_requested(w->stop_flag)) return;
        bcaq_advance(&c, &s);
    }
    j->evaluations[i] += c.evaluations;
    integral_end(j, i, c.sum.value, c.sum.error, c.status);
}

static void cut_integrals(void *context, int thread, size_t from, size_t to)
{
    struct cut_worker mine = *(const struct cut_worker *)context;
    mine.thread = thread;
    for (size_t i = from; i < to; i++) cut_integral(&mine, i);
}

struct cut_sum *cut_allocate_sums(const struct cuts *c)
{
    int64 maximum = c->rule.cells > CUT_CELLS_ZERO ? c->rule.cells : CUT_CELLS_ZERO;
    return memory_allocate((size_t)(maximum / chunk_cells(c->sampler) + 1) * sizeof(struct cut_sum));
}

static int block_cutting(const struct cuts *c, poll_function poll, struct status *st)
{
    size_t n = c->job->n;
    struct stop_flag stop_flag = { .poll = poll, .st = st };
    double points = region_points(c->rule.cells);
    int is_shared = (n < 2 * (size_t)c->sampler->threads || c->sampler->device) && c->variant == CUT_PBCAQ;
    int threads = is_shared || c->variant == CUT_BCAQ ? 1 :
                  sampler_threads(c->sampler, (double)n * 4.0 * points * c->sampler->seconds);
    struct cut_worker w = { .cuts = c, .stop_flag = &stop_flag, .sums = is_shared ? cut_allocate_sums(c) : NULL };

    if (is_shared && !w.sums) return fail(st, ST_MEMORY, "no memory for %.0f intervals", (double)c->rule.cells);
    parallel_for(n, 1, threads, cut_integrals, &w, &stop_flag);
    memory_release(w.sums);
    return st->code;
}

static int run(const struct cuts *c, poll_function poll, struct status *st)
{
    if (c->variant == CUT_CAQ) return cut_caq(c, poll, st);
    return c->variant == CUT_SCAQ || c->variant == CUT_PSCAQ ? cut_scaq(c, poll, st) : block_cutting(c, poll, st);
}

int integrate_kern_alaghband(const struct integral_job *j, const struct sampler *sampler, poll_function poll,
                             struct status *st)
{
    const struct cut_options *o = &j->option.cut;
    struct cuts c = { j, sampler, cut_rule_of(o, j->rel_tol, j->abs_tol, j->max_eval), (enum cut_variant)o->variant };
    int zeros = 0;
    if (run(&c, poll, st)) return st->code;
    for (size_t i = 0; i < j->n; i++) {
        if (j->status[i] != CUT_ZERO) continue;
        ATOMIC_WRITE(&j->status[i], INTEGRAL_NOT_DONE);
        zeros = 1;
    }
    c.rule.cells = CUT_CELLS_ZERO;
    return zeros ? run(&c, poll, st) : ST_OK;
}
