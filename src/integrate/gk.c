/* integrate/gk.c: globally adaptive quadrature by the rule of Gauss and Kronrod, breadth-first: each round evaluates
 * the new intervals of all unfinished integrals together, in threads.
 *
 * An integral is finished when the sum E of its intervals' errors is within its tolerance, which is no less than
 * 100 eps times the integral of |f|: below that, rounding rules.  Otherwise the intervals with the largest errors are
 * halved, as many as it takes to bring the others to a quarter of the tolerance.  What happens to an integral
 * depends on no other one, nor on threads: intervals lie in the order of their integrals, and sums are taken in it.
 *
 * A range begins as PANELS intervals; one on which every value is 0 is looked at again through PANELS_ZERO before it is
 * believed.  Integrals are worked off SLAB at a time, so that memory stays bounded.
 */
#include <float.h>
#include <stdlib.h>
#ifdef _OPENMP
#  include <omp.h>
#endif
#include "integrate.h"
#include "interval.h"
#include "../backend/threads.h"

#define PANELS      4
#define PANELS_ZERO 256
#define SLAB        32768
#define SLAB_ZERO   1024
#define REST        0.25                /* of the tolerance, for what is not halved */
#define SHARE_TIME  1e-8                /* seconds that an evaluation takes, about */
#define INTEGRAL_ZERO (-1)              /* a status in between: to be looked at again */

/* The intervals of a slab, those of an integral side by side. */
struct field {
    const struct integral_job *job;
    const struct sampler *sampler;
    struct interval *at, *next;
    double *work;                       /* errors of an integral, to be ordered */
    size_t *fresh;                      /* new intervals among `next` */
    size_t count, next_count, room;
    int panels;                         /* of a range, to begin with */
    int failed;                         /* the sampler has */
};

static double limit(struct column c, size_t i)
{
    return c.at[i % c.length];
}

/* --- room ----------------------------------------------------------------- */

static int reserve(struct field *f, size_t count, struct status *st)
{
    if (count <= f->room) return ST_OK;
    size_t room = count + count / 2;
    void *at = realloc(f->at, room * sizeof *f->at);
    if (at) f->at = at;
    void *next = realloc(f->next, room * sizeof *f->next);
    if (next) f->next = next;
    void *work = realloc(f->work, room * sizeof *f->work);
    if (work) f->work = work;
    void *fresh = realloc(f->fresh, room * sizeof *f->fresh);
    if (fresh) f->fresh = fresh;
    if (!at || !next || !work || !fresh) return fail(st, ST_MEMORY, "no memory for %zu intervals", room);
    f->room = room;
    return ST_OK;
}

/* --- the first intervals ------------------------------------------------------ */

static void add_panels(struct field *f, struct interval v)
{
    int panels = f->panels;
    double low = v.low, high = v.high;
    v.is_new = 1;
    for (int k = 0; k < panels; k++) {
        v.low = k == 0 ? low : low + (high - low) * k / panels;
        v.high = k == panels - 1 ? high : low + (high - low) * (k + 1) / panels;
        f->next[f->next_count++] = v;
    }
}

/* Between two neighbours of limits and breaks, of which one or both may be infinite. */
static void add_piece(struct field *f, size_t i, double a, double b)
{
    struct interval v = { a, b, 0.0, 0.0, 0.0, 0.0, i, 0, 1 };
    if (isfinite(a) && isfinite(b)) {
        add_panels(f, v);
        return;
    }
    v.low = 0.0;
    v.high = 1.0;
    if (isinf(a)) {
        v.side = -1;
        v.origin = isfinite(b) ? b : 0.0;
        add_panels(f, v);
    }
    if (isinf(b)) {
        v.side = 1;
        v.origin = isfinite(a) ? a : 0.0;
        add_panels(f, v);
    }
}

/* Lower and upper limit in order; what the integral is multiplied by. */
static double range(const struct integral_job *j, size_t i, double *a, double *b)
{
    double from = limit(j->lower, i), to = limit(j->upper, i);
    *a = from < to ? from : to;
    *b = from < to ? to : from;
    return from < to ? 1.0 : -1.0;
}

static void add_range(struct field *f, size_t i)
{
    const struct integral_job *j = f->job;
    double a, b;
    range(j, i, &a, &b);
    for (int k = 0; k < j->break_count; k++) {
        if (!(j->breaks[k] > a && j->breaks[k] < b)) continue;
        add_piece(f, i, a, j->breaks[k]);
        a = j->breaks[k];
    }
    add_piece(f, i, a, b);
}

static void finish(const struct integral_job *j, size_t i, double value, double error, int status)
{
    j->value[i] = value;
    j->error[i] = error;
    j->status[i] = status;
}

/* Limits that leave nothing to do. */
static int is_trivial(const struct integral_job *j, size_t i)
{
    double a = limit(j->lower, i), b = limit(j->upper, i);
    int missing = isnan(a) || isnan(b);
    for (int k = 0; k < j->parameters; k++) missing |= isnan(j->parameter[(size_t)k * j->n + i]);
    if (missing) finish(j, i, NAN, NAN, INTEGRAL_NOT_FINITE);
    else if (a == b) finish(j, i, 0.0, 0.0, INTEGRAL_CONVERGED);
    return missing || a == b;
}

/* --- values ------------------------------------------------------------------- */

static void evaluate_chunk(struct field *f, int thread, size_t from, size_t to)
{
    const struct sampler *s = f->sampler;
    const struct integral_job *j = f->job;
    double *x = s->input(s->self, thread, 0);

    for (size_t v = from; v < to; v++) interval_points(&f->next[f->fresh[v]], x + (v - from) * GK_POINTS);
    for (int k = 0; k < j->parameters; k++) {
        double *p = s->input(s->self, thread, k + 1);
        for (size_t v = from; v < to; v++) {
            double value = j->parameter[(size_t)k * j->n + f->next[f->fresh[v]].integral];
            for (int q = 0; q < GK_POINTS; q++) *p++ = value;
        }
    }
    const double *y = s->run(s->self, thread, (int)(to - from) * GK_POINTS);
    if (!y) {
        f->failed = 1;
        return;
    }
    for (size_t v = from; v < to; v++) interval_sum(&f->next[f->fresh[v]], y + (v - from) * GK_POINTS);
}

/* The new intervals, which are listed so that blocks are full. */
static void evaluate(struct field *f)
{
    size_t count = 0, share = (size_t)(f->sampler->block / GK_POINTS);
    for (size_t v = 0; v < f->next_count; v++) {
        if (!f->next[v].is_new) continue;
        f->job->evaluations[f->next[v].integral] += GK_POINTS;
        f->fresh[count++] = v;
    }
    long chunks = (long)((count + share - 1) / share);
    int threads = threads_for((double)(count * GK_POINTS) * SHARE_TIME);
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
}

/* --- which to halve ------------------------------------------------------------ */

struct balance { double value, error, size; };

static struct balance balance_of(const struct interval *v, size_t count)
{
    struct balance b = { 0.0, 0.0, 0.0 };
    for (size_t k = 0; k < count; k++) {
        b.value += v[k].value;
        b.error += v[k].error;
        b.size += v[k].size;
    }
    return b;
}

static int by_falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The least error that is to be halved: what lies below it adds up to no more than `rest`. */
static double threshold(struct field *f, const struct interval *v, size_t count, double rest, size_t most)
{
    size_t k = 0;
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        if (!interval_is_stuck(&v[i])) f->work[k++] = v[i].error;
    if (k == 0 || most == 0) return INFINITY;
    qsort(f->work, k, sizeof *f->work, by_falling);
    size_t least = k;
    while (least > 1 && sum + f->work[least - 1] <= rest) sum += f->work[--least];
    return f->work[(least < most ? least : most) - 1];
}

static double tolerance(const struct integral_job *j, const struct balance *b)
{
    double wanted = fmax(j->abs_tol, j->rel_tol * fabs(b->value));
    return fmax(wanted, 100.0 * DBL_EPSILON * b->size);
}

/* Does an interval hold no finite value at all? */
static int is_hopeless(const struct interval *v, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (isnan(v[k].value)) return 1;
    return 0;
}

static void end_integral(const struct integral_job *j, size_t i, const struct balance *b, int status)
{
    double low, high, sign = range(j, i, &low, &high);
    finish(j, i, sign * b->value, b->error, status);
}

static void halve(struct field *f, const struct interval *v)
{
    struct interval left = *v, right = *v;
    left.high = right.low = 0.5 * v->low + 0.5 * v->high;
    left.is_new = right.is_new = 1;
    f->next[f->next_count++] = left;
    f->next[f->next_count++] = right;
}

/* The intervals of an integral that is not finished go on to the next round. */
static void refine(struct field *f, const struct interval *v, size_t count)
{
    const struct integral_job *j = f->job;
    size_t i = v->integral, halved = 0, room;
    struct balance b = balance_of(v, count);
    double tol = tolerance(j, &b), left = (j->max_eval - j->evaluations[i]) / (2 * GK_POINTS);

    if (b.error <= tol) {
        end_integral(j, i, &b, b.size == 0.0 && f->panels == PANELS ? INTEGRAL_ZERO : INTEGRAL_CONVERGED);
        return;
    }
    if (is_hopeless(v, count)) {
        b.value = b.error = NAN;
        end_integral(j, i, &b, INTEGRAL_NOT_FINITE);
        return;
    }
    room = left >= 1.0 ? (left < 1e9 ? (size_t)left : (size_t)1e9) : 0;
    double least = threshold(f, v, count, REST * tol, room);
    for (size_t k = 0; k < count; k++) {
        if (v[k].error >= least && halved < room && !interval_is_stuck(&v[k])) {
            halve(f, &v[k]);
            halved++;
        } else
            f->next[f->next_count++] = v[k];
    }
    if (halved) return;
    f->next_count -= count;
    end_integral(j, i, &b, isinf(b.error) ? INTEGRAL_NOT_FINITE : room ? INTEGRAL_STUCK : INTEGRAL_MAX_EVAL);
}

/* --- rounds ---------------------------------------------------------------------- */

static void exchange(struct field *f)
{
    struct interval *at = f->at;
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
            for (end = k + 1; end < f->count && f->at[end].integral == f->at[k].integral; end++) { }
            refine(f, &f->at[k], end - k);
        }
    }
    return ST_OK;
}

/* The integrals of one status, some at a time. */
static int pass(struct field *f, int status, size_t slab, poll_function poll, struct status *st)
{
    const struct integral_job *j = f->job;
    size_t each = (size_t)(2 * (j->break_count + 1) * f->panels);

    for (size_t i = 0; i < j->n;) {
        if (reserve(f, (slab < j->n - i ? slab : j->n - i) * each, st)) return st->code;
        f->next_count = 0;
        for (size_t taken = 0; i < j->n && taken < slab; i++) {
            if (j->status[i] != status || is_trivial(j, i)) continue;
            add_range(f, i);
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

int integrate_gk(const struct integral_job *job, const struct sampler *sampler, poll_function poll,
                 struct status *st)
{
    struct field f = { .job = job, .sampler = sampler, .panels = PANELS };
    int code = pass(&f, INTEGRAL_NOT_DONE, SLAB, poll, st);

    if (code == ST_OK && job->max_eval > 2.0 * PANELS_ZERO * GK_POINTS) {
        f.panels = PANELS_ZERO;
        code = pass(&f, INTEGRAL_ZERO, SLAB_ZERO, poll, st);
    }
    settle(job);
    free(f.at);
    free(f.next);
    free(f.work);
    free(f.fresh);
    return code;
}
