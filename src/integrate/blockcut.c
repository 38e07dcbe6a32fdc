/* integrate/blockcut.c: block-cutting (cuts.h), and the entry of all its relatives.
 *
 * A thread has an integral, or, where there are fewer integrals than threads, a share of the region's intervals. */
#include <stdlib.h>
#include "cuts.h"
#include "halt.h"
#include "limits.h"
#include "../backend/threads.h"

/* --- regions -------------------------------------------------------------------- */

static long chunk_cells(const struct sampler *s)
{
    return (s->block - 1) / 2;
}

/* Intervals `from` to `to` of a region of `cells`, together in a block. */
static int sum_chunk(const struct cuts *c, int thread, size_t i, const struct part *p, double low, double high,
                     long from, long to, struct cut_sum *sum)
{
    const struct integral_job *j = c->job;
    const struct sampler *s = c->sampler;
    int count = (int)(2 * (to - from) + 1);
    double *x = s->input(s->self, thread, 0), step = (high - low) / (double)(2 * c->cells);
    double middle = 0.5 * (double)(c->cells - 1);
#define POINT(q) ((q) == 0 ? low : (q) == 2 * c->cells ? high : low + step * (double)(q))
    for (long q = 2 * from; q <= 2 * to; q++) x[q - 2 * from] = part_x(*p, POINT(q));
    for (int k = 0; k < j->parameters; k++) {
        double *to_fill = s->input(s->self, thread, k + 1), value = j->parameter[(size_t)k * j->n + i];
        for (int q = 0; q < count; q++) to_fill[q] = value;
    }
    const double *f = s->run(s->self, thread, count);
    struct cut_sum all = CUT_NOTHING;
    if (!f) return 0;
    int carry = 0;
    for (long k = to - 1; k >= from; k--) {
        struct cut_sum one = cut_interval(p, POINT(2 * k), POINT(2 * k + 2), f + 2 * (k - from), &carry);
        all.value += one.value;
        all.error += one.error;
        all.size += one.size;
        all.slope += ((double)k - middle) * one.error;
        all.finite &= one.finite;
    }
#undef POINT
    *sum = all;
    return 1;
}

int cut_look(const struct cuts *c, int thread, size_t i, const struct part *p, double low, double high,
             struct cut_sum *sum)
{
    const struct cut_sum nothing = CUT_NOTHING;
    long each = chunk_cells(c->sampler);
    *sum = nothing;
    for (long from = 0; from < c->cells; from += each) {
        struct cut_sum one;
        if (!sum_chunk(c, thread, i, p, low, high, from, from + each < c->cells ? from + each : c->cells, &one))
            return 0;
        cut_add(sum, &one);
    }
    return 1;
}

double cut_look_points(const struct cuts *c)
{
    long each = chunk_cells(c->sampler);
    return (double)(2 * c->cells + (c->cells + each - 1) / each);
}

/* The same by all threads together; `room` for the sums of the chunks. */
static int look_together(const struct cuts *c, size_t i, const struct part *p, double low, double high,
                         struct cut_sum *room, struct cut_sum *sum)
{
    const struct cut_sum nothing = CUT_NOTHING;
    long each = chunk_cells(c->sampler), chunks = (c->cells + each - 1) / each;
    int failed = 0, threads = threads_for((double)(2 * c->cells) * EVALUATION_TIME);
    if (threads > c->sampler->threads) threads = c->sampler->threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1) reduction(|:failed)
#endif
    for (long k = 0; k < chunks; k++) {
        long from = k * each, to = from + each < c->cells ? from + each : c->cells;
        failed |= !sum_chunk(c, thread_number(), i, p, low, high, from, to, &room[k]);
    }
    *sum = nothing;
    for (long k = 0; k < chunks; k++) cut_add(sum, &room[k]);
    return !failed;
}

/* --- an integral -------------------------------------------------------------------- */

/* One integral on its way. */
struct cutter {
    const struct cuts *cuts;
    struct halt *halt;
    struct cut_sum *room;               /* NULL: a thread alone */
    size_t integral;
    int thread, used_up, failed;
    uint32 part, step;
};

static struct cut_sum region(struct cutter *w, const struct part *p, double low, double high)
{
    struct cut_sum s = CUT_NOTHING;
    int done = w->room ? look_together(w->cuts, w->integral, p, low, high, w->room, &s)
                       : cut_look(w->cuts, w->thread, w->integral, p, low, high, &s);
    w->cuts->job->evaluations[w->integral] += cut_look_points(w->cuts);
    if (!done || is_halted(w->halt, w->thread)) w->failed = 1;
    return s;
}

/* From the upper end of a part to the lower one; `first` is the whole of it. */
static void cut_part(struct cutter *w, const struct part *p, double tolerance, struct cut_sum first,
                     struct cut_sum *sum)
{
    const struct cuts *c = w->cuts;
    double upper = p->high, length = p->high - p->low, whole = length;
    struct cut_sum s = first;
    for (double low = p->low; upper > p->low && !w->failed; low = fmax(upper - length, p->low)) {
        if (low - p->low < 1e-9 * length) low = p->low;
        w->used_up |= c->job->evaluations[w->integral] + 2.0 * cut_look_points(c) > c->job->max_eval;
        if (w->used_up) low = p->low;
        if (upper < p->high || length < whole) s = region(w, p, low, upper);
        double share = (upper - low) / whole;
        int narrow = part_is_narrow(low, low + (upper - low) / (double)c->cells);
        if (!w->used_up && !narrow && !(s.finite && cut_accepts(s.error, tolerance, share))) {
            length = 0.5 * (upper - low);
            continue;
        }
        cut_add(sum, &s);
        if (!s.finite) return;
        upper = low;
        if (cut_expands(c, w->integral, w->part, w->step++, tolerance * share, &s)) length *= 2.0;
    }
}

/* Whether it is to be done again; *tolerance is what its value asks for. */
static int cut_once(struct cutter *w, double *tolerance, int again)
{
    const struct cuts *c = w->cuts;
    struct cut_sum look = CUT_NOTHING, all = CUT_NOTHING, one = CUT_NOTHING;
    struct parts parts = parts_of(c->job, w->integral);
    struct part p;
    double count = 0.0;
    while (parts_next(&parts, &p) && !w->failed) {
        one = region(w, &p, p.low, p.high);
        cut_add(&look, &one);
        count++;
    }
    if (!again) *tolerance = cut_tolerance(c, look.value, look.size);
    parts = parts_of(c->job, w->integral);
    for (w->part = 0; parts_next(&parts, &p) && !w->failed; w->part++) {
        if (count > 1.0) one = region(w, &p, p.low, p.high);
        cut_part(w, &p, *tolerance / count, one, &all);
    }
    if (w->failed || !cut_end(c, w->integral, &all, *tolerance, w->used_up, again)) return 0;
    *tolerance = cut_tolerance(c, all.value, all.size);
    return 1;
}

static void cut_integral(struct cutter *w)
{
    double tolerance;
    if (w->cuts->job->status[w->integral] != INTEGRAL_NOT_DONE) return;
    if (integral_is_trivial(w->cuts->job, w->integral)) return;
    w->step = 0;
    w->used_up = 0;
    for (int again = 0; cut_once(w, &tolerance, again); again++) { }
}

static int block_cutting(const struct cuts *c, poll_function poll, struct status *st)
{
    long n = (long)c->job->n, each = chunk_cells(c->sampler);
    struct halt halt = { poll, 0 };
    int threads = c->variant == CUT_BCAQ ? 1 : threads_for((double)n * 4.0 * cut_look_points(c) * EVALUATION_TIME);
    if (threads > c->sampler->threads) threads = c->sampler->threads;
    struct cutter w = { .cuts = c, .halt = &halt };

    if (n < 2 * c->sampler->threads && c->variant == CUT_PBCAQ) {
        w.room = malloc((size_t)((c->cells + each - 1) / each) * sizeof *w.room);
        if (!w.room) return fail(st, ST_MEMORY, "no memory for %ld intervals", c->cells);
        for (; w.integral < c->job->n && !w.failed; w.integral++) cut_integral(&w);
        free(w.room);
    } else {
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) if (threads > 1)
#endif
        for (long i = 0; i < n; i++) {
            struct cutter mine = w;
            mine.integral = (size_t)i;
            mine.thread = thread_number();
            if (is_halted(&halt, mine.thread)) continue;
            cut_integral(&mine);
            if (mine.failed) halt_all(&halt);
        }
    }
    return w.failed || halt.stop ? fail(st, ST_INTERRUPTED, "interrupted") : ST_OK;
}

static int run(const struct cuts *c, poll_function poll, struct status *st)
{
    if (c->variant == CUT_CAQ) return cut_queue(c, poll, st);
    return c->variant == CUT_SCAQ || c->variant == CUT_PSCAQ ? cut_side(c, poll, st) : block_cutting(c, poll, st);
}

int integrate_cuts(const struct integral_job *j, const struct sampler *sampler, poll_function poll, struct status *st)
{
    const double *o = j->option;
    struct cuts c = { j, sampler, (long)o[0], (enum expansion)o[1], (enum cut_variant)o[2],
                      { { (uint32)o[3], (uint32)o[4] } } };
    int zeros = 0;
    if (run(&c, poll, st)) return st->code;
    for (size_t i = 0; i < j->n; i++) {
        if (j->status[i] != CUT_ZERO) continue;
        j->status[i] = INTEGRAL_NOT_DONE;
        zeros = 1;
    }
    c.cells = CUT_CELLS_ZERO;
    return zeros ? run(&c, poll, st) : ST_OK;
}
