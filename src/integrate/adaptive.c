/* integrate/adaptive.c: globally adaptive quadrature, breadth-first: each round evaluates the new pieces of all
 * unfinished integrals together, in threads.
 *
 * An integral is finished when the sum E of its pieces' errors is within its tolerance, which is no less than
 * 100 eps times the integral of |f|: below that, rounding rules.  Otherwise the pieces with the largest errors are
 * halved, as many as it takes to bring the others to a quarter of the tolerance.  What happens to an integral
 * depends on no other one, nor on threads: pieces lie in the order of their integrals, and sums are taken in it.
 *
 * Where a cutting asks for it, the errors of two halves add up to no less than what their difference from the whole
 * tells of those to come.
 * A range on which every value is 0 is looked at again in more pieces before it is believed.  Integrals are worked off
 * SLAB at a time, so that memory stays bounded.
 */
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#  include <omp.h>
#endif
#include "piece.h"
#include "../backend/threads.h"

#define SLAB        32768
#define SLAB_ZERO   1024
#define SHARE_TIME  1e-8                /* seconds that an evaluation takes, about */
#define INTEGRAL_ZERO (-1)              /* a status in between: to be looked at again */

/* The pieces of a slab, those of an integral side by side. */
struct field {
    const struct integral_job *job;
    const struct cutting *cut;
    const struct sampler *sampler;
    char *at, *next;
    double *work;                       /* errors of an integral, to be ordered */
    size_t *fresh;                      /* new pieces among `next` */
    size_t count, next_count, room;
    double *bench;                      /* for each thread: coordinates, parameters and values of a chunk */
    int panels;
    int failed;                         /* the sampler has */
};

static struct piece *piece_at(const struct field *f, char *base, size_t k)
{
    return (struct piece *)(void *)(base + k * f->cut->bytes);
}

/* --- room ----------------------------------------------------------------- */

static int enlarge(void *where, size_t bytes)
{
    void *old, *new;
    memcpy(&old, where, sizeof old);
    new = realloc(old, bytes);
    if (new) memcpy(where, &new, sizeof new);
    return new != NULL;
}

static int reserve(struct field *f, size_t count, struct status *st)
{
    if (count <= f->room) return ST_OK;
    size_t room = count + count / 2;
    if (!enlarge(&f->at, room * f->cut->bytes) || !enlarge(&f->next, room * f->cut->bytes) ||
        !enlarge(&f->work, room * sizeof *f->work) || !enlarge(&f->fresh, room * sizeof *f->fresh))
        return fail(st, ST_MEMORY, "no memory for %zu intervals or boxes", room);
    f->room = room;
    return ST_OK;
}

/* --- limits ----------------------------------------------------------------- */

double range_of(const struct integral_job *j, size_t i, int k, double *low, double *high)
{
    double from = j->lower[k].at[i % j->lower[k].length], to = j->upper[k].at[i % j->upper[k].length];
    *low = from < to ? from : to;
    *high = from < to ? to : from;
    return from <= to ? 1.0 : -1.0;
}

static void finish(const struct integral_job *j, size_t i, double value, double error, int status)
{
    j->value[i] = value;
    j->error[i] = error;
    j->status[i] = status;
}

int integral_is_trivial(const struct integral_job *j, size_t i)
{
    double low, high;
    int missing = 0, empty = 0;
    for (int k = 0; k < j->dim; k++) {
        range_of(j, i, k, &low, &high);
        missing |= isnan(low) || isnan(high);
        empty |= low == high;
    }
    for (int k = 0; k < j->parameters; k++) missing |= isnan(j->parameter[(size_t)k * j->n + i]);
    if (missing) finish(j, i, NAN, NAN, INTEGRAL_NOT_FINITE);
    else if (empty) finish(j, i, 0.0, 0.0, INTEGRAL_CONVERGED);
    return missing || empty;
}

/* --- values ------------------------------------------------------------------- */

/* Pieces that are evaluated together: what a block holds, but one at least. */
static size_t chunk_pieces(const struct field *f)
{
    size_t fit = (size_t)(f->sampler->block / f->cut->points);
    return fit ? fit : 1;
}

/* The values at `count` points, whose inputs are columns `stride` apart; 0 if the sampler has failed. */
static int sample(const struct field *f, int thread, const double *column, size_t stride, size_t count, double *y)
{
    const struct sampler *s = f->sampler;
    int inputs = f->job->dim + f->job->parameters;
    for (size_t at = 0; at < count; at += (size_t)s->block) {
        size_t part = count - at < (size_t)s->block ? count - at : (size_t)s->block;
        for (int k = 0; k < inputs; k++)
            memcpy(s->input(s->self, thread, k), column + (size_t)k * stride + at, part * sizeof *y);
        const double *values = s->run(s->self, thread, (int)part);
        if (!values) return 0;
        memcpy(y + at, values, part * sizeof *y);
    }
    return 1;
}

static void evaluate_chunk(struct field *f, int thread, size_t from, size_t to)
{
    const struct integral_job *j = f->job;
    size_t points = (size_t)f->cut->points, stride = chunk_pieces(f) * points;
    double *column = f->bench + (size_t)thread * stride * (size_t)(j->dim + j->parameters + 1);
    double *y = column + stride * (size_t)(j->dim + j->parameters), *x[AXES_MAX];

    for (size_t v = from; v < to; v++) {
        const struct piece *p = piece_at(f, f->next, f->fresh[v]);
        size_t first = (v - from) * points;
        for (int k = 0; k < j->dim; k++) x[k] = column + (size_t)k * stride + first;
        f->cut->place(p, x);
        for (int k = 0; k < j->parameters; k++) {
            double *to_fill = column + (size_t)(j->dim + k) * stride + first;
            double value = j->parameter[(size_t)k * j->n + p->integral];
            for (size_t q = 0; q < points; q++) to_fill[q] = value;
        }
    }
    if (!sample(f, thread, column, stride, (to - from) * points, y)) {
        f->failed = 1;
        return;
    }
    for (size_t v = from; v < to; v++) {
        f->cut->sum(piece_at(f, f->next, f->fresh[v]), y + (v - from) * points);
        piece_at(f, f->next, f->fresh[v])->is_new = 0;
    }
}

/* Errors of two new halves, in proportion.  Changes from level to level that go on to fall by the same ratio r add up
 * to r/(1 - r) times the last one; a ratio beyond 0.8, or not known yet, counts as 0.8.  And a halving tells of one
 * axis only: the others may be as bad. */
static void compare_levels(struct field *f, size_t count)
{
    for (size_t v = 0; v + 1 < count; v++) {
        struct piece *left = piece_at(f, f->next, f->fresh[v]), *right = piece_at(f, f->next, f->fresh[v + 1]);
        if (left->mate != 1) continue;
        double change = fabs(left->before - (left->value + right->value)), both = left->error + right->error;
        double ratio = change < 0.8 * left->change ? change / left->change : 0.8;
        double doubt = change * fmax(f->job->dim, ratio / (1.0 - ratio));
        double share = both > 0.0 && isfinite(both) ? left->error / both : 0.5;
        left->change = right->change = change;
        if (!(doubt > both)) continue;
        left->error = share * doubt;
        right->error = (1.0 - share) * doubt;
    }
}

/* The new pieces, which are listed so that blocks are full. */
static void evaluate(struct field *f)
{
    size_t count = 0, share = chunk_pieces(f), points = (size_t)f->cut->points;
    for (size_t v = 0; v < f->next_count; v++) {
        const struct piece *p = piece_at(f, f->next, v);
        if (!p->is_new) continue;
        f->job->evaluations[p->integral] += (double)points;
        f->fresh[count++] = v;
    }
    long chunks = (long)((count + share - 1) / share);
    int threads = threads_for((double)(count * points) * SHARE_TIME);
    if (threads > f->sampler->threads) threads = f->sampler->threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 4) if (threads > 1)
#endif
    for (long c = 0; c < chunks; c++) {
        size_t from = (size_t)c * share, to = from + share < count ? from + share : count;
#ifdef _OPENMP
        evaluate_chunk(f, omp_get_thread_num(), from, to);
#else
        evaluate_chunk(f, 0, from, to);
#endif
    }
    if (f->cut->two_level && !f->failed) compare_levels(f, count);
}

/* --- which to halve ------------------------------------------------------------ */

struct balance { double value, error, size; };

static struct balance balance_of(const struct field *f, size_t from, size_t to)
{
    struct balance b = { 0.0, 0.0, 0.0 };
    for (size_t k = from; k < to; k++) {
        const struct piece *p = piece_at(f, f->at, k);
        b.value += p->value;
        b.error += p->error;
        b.size += p->size;
    }
    return b;
}

static int by_falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The least error that is to be halved: what lies below it adds up to no more than `rest`. */
static double threshold(struct field *f, size_t from, size_t to, double rest, size_t most)
{
    size_t n = 0;
    double sum = 0.0;
    for (size_t k = from; k < to; k++) {
        const struct piece *p = piece_at(f, f->at, k);
        if (!f->cut->is_stuck(p)) f->work[n++] = p->error;
    }
    if (n == 0 || most == 0) return INFINITY;
    qsort(f->work, n, sizeof *f->work, by_falling);
    size_t least = n;
    while (least > 1 && sum + f->work[least - 1] <= rest) sum += f->work[--least];
    return f->work[(least < most ? least : most) - 1];
}

static void end_integral(const struct integral_job *j, size_t i, const struct balance *b, int status)
{
    double low, high, sign = 1.0;
    for (int k = 0; k < j->dim; k++) sign *= range_of(j, i, k, &low, &high);
    finish(j, i, sign * b->value, b->error, status);
}

static void keep_or_halve(struct field *f, const struct piece *p, int halve)
{
    if (!halve) {
        memcpy(piece_at(f, f->next, f->next_count++), p, f->cut->bytes);
        return;
    }
    struct piece *left = piece_at(f, f->next, f->next_count), *right = piece_at(f, f->next, f->next_count + 1);
    f->cut->halve(p, left, right);
    left->is_new = right->is_new = 1;
    left->mate = 1;
    right->mate = 2;
    left->before = right->before = p->value;
    f->next_count += 2;
}

/* Halvings that the evaluations allow. */
static size_t allowed(const struct field *f, size_t i)
{
    double left = (f->job->max_eval - f->job->evaluations[i]) / (2 * f->cut->points);
    return left >= 1e9 ? (size_t)1e9 : left >= 1.0 ? (size_t)left : 0;
}

/* The pieces of an integral that is not finished go on to the next round. */
static void refine(struct field *f, size_t from, size_t to)
{
    const struct integral_job *j = f->job;
    size_t i = piece_at(f, f->at, from)->integral, before = f->next_count, halved = 0, most = allowed(f, i);
    struct balance b = balance_of(f, from, to);
    double tol = error_wanted(j->rel_tol, j->abs_tol, b.value, b.size);

    if (b.error <= tol) {
        int again = b.size == 0.0 && f->panels < f->cut->panels_zero;
        end_integral(j, i, &b, again ? INTEGRAL_ZERO : INTEGRAL_CONVERGED);
        return;
    }
    if (isnan(b.value)) {                               /* a piece without one finite value */
        b.error = NAN;
        end_integral(j, i, &b, INTEGRAL_NOT_FINITE);
        return;
    }
    double least = threshold(f, from, to, REST * tol, most);
    for (size_t k = from; k < to; k++) {
        const struct piece *p = piece_at(f, f->at, k);
        int halve = p->error >= least && halved < most && !f->cut->is_stuck(p);
        keep_or_halve(f, p, halve);
        halved += (size_t)halve;
    }
    if (halved) return;
    f->next_count = before;
    end_integral(j, i, &b, isinf(b.error) ? INTEGRAL_NOT_FINITE : most ? INTEGRAL_STUCK : INTEGRAL_MAX_EVAL);
}

/* --- rounds ---------------------------------------------------------------------- */

static void exchange(struct field *f)
{
    char *at = f->at;
    f->at = f->next;
    f->next = at;
    f->count = f->next_count;
    f->next_count = 0;
}

static int rounds(struct field *f, poll_function poll, struct status *st)
{
    while (f->next_count > 0) {
        evaluate(f);
        if (f->failed || poll()) return fail(st, ST_INTERRUPTED, "interrupted");
        exchange(f);
        if (reserve(f, 2 * f->count, st)) return st->code;
        for (size_t k = 0, end; k < f->count; k = end) {
            size_t integral = piece_at(f, f->at, k)->integral;
            for (end = k + 1; end < f->count && piece_at(f, f->at, end)->integral == integral; end++) { }
            refine(f, k, end);
        }
    }
    return ST_OK;
}

/* The integrals of one status, some at a time. */
static int pass(struct field *f, int status, size_t slab, poll_function poll, struct status *st)
{
    const struct integral_job *j = f->job;
    size_t each = f->cut->most(j, f->panels);

    for (size_t i = 0; i < j->n;) {
        if (reserve(f, (slab < j->n - i ? slab : j->n - i) * each, st)) return st->code;
        f->next_count = 0;
        for (size_t taken = 0; i < j->n && taken < slab; i++) {
            if (j->status[i] != status || integral_is_trivial(j, i)) continue;
            f->next_count += f->cut->begin(j, i, f->panels, piece_at(f, f->next, f->next_count));
            taken++;
        }
        if (rounds(f, poll, st)) return st->code;
    }
    return ST_OK;
}

/* Those of which only zeros were seen are taken for zero in the end. */
static void settle(const struct integral_job *j)
{
    for (size_t i = 0; i < j->n; i++)
        if (j->status[i] == INTEGRAL_ZERO) j->status[i] = INTEGRAL_CONVERGED;
}

int integrate_adaptive(const struct integral_job *job, const struct cutting *cut, const struct sampler *sampler,
                       poll_function poll, struct status *st)
{
    struct field f = { .job = job, .cut = cut, .sampler = sampler, .panels = cut->panels };
    size_t chunk = chunk_pieces(&f) * (size_t)cut->points * (size_t)(job->dim + job->parameters + 1);
    int code;

    f.bench = malloc((size_t)sampler->threads * chunk * sizeof *f.bench);
    if (!f.bench) return fail(st, ST_MEMORY, "no memory for %d threads", sampler->threads);
    code = pass(&f, INTEGRAL_NOT_DONE, SLAB, poll, st);
    if (code == ST_OK && job->max_eval > 2.0 * cut->panels_zero * cut->points) {
        f.panels = cut->panels_zero;
        code = pass(&f, INTEGRAL_ZERO, SLAB_ZERO, poll, st);
    }
    settle(job);
    free(f.at);
    free(f.next);
    free(f.work);
    free(f.fresh);
    free(f.bench);
    return code;
}
