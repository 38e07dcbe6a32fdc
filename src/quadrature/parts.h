/* Splits a range at its breaks into parts, each mapped to a finite interval of t.
 *
 * A finite part has x = t.  A half-line from a is split at a + 1, so that the numbers next to a are as dense as x
 * allows: the inner piece is finite, the outer one has t in (0, 1], x = origin + side (1 - t)/t, dx = dt/t^2.  The
 * whole line is split into two half-lines at 0.
 *
 * On an outer piece, values that are not finite count as 0 if they lie further out than the outermost finite value and
 * that value is 0: they are then products of 0 and infinity.
 */
#ifndef STABLECL_QUADRATURE_PARTS_H
#define STABLECL_QUADRATURE_PARTS_H

#include "integral.h"

/* low, high: the interval of t. */
struct part {
    double low, high, origin;
    int side;                           /* 0: x = t; 1 or -1: outer piece of a half-line to Inf or -Inf */
    int is_piece;                       /* a piece of a half-line */
};

/* --- iteration over parts -------------------------------------------------------- */

struct parts {
    GLOBAL const double *breaks;        /* increasing */
    int count;
    double a, b;                        /* limits of the remaining range */
    int at;                             /* index of the next break */
    int inner, is_last, done;           /* inner: inner pieces to be returned next; is_last: the remaining range is
                                           half a line */
};

FN struct parts parts_between(double low, double high, GLOBAL const double *breaks, int count)
{
    struct parts p = { breaks, count, low, high, 0, 0, 0, 0 };
    return p;
}

/* Returns the length of the inner piece of a half-line: 1, or more if numbers are sparse there. */
FN double part_inner_length(double origin)
{
    return fmax(1.0, 0x1p-40 * fabs(origin));
}

/* Sets *to to the outer piece of a half-line, which begins at `origin`, and returns 1. */
FN int part_set_outer(struct part *to, double origin, int side)
{
    struct part p = { 0.0, 1.0, origin, side, 1 };
    *to = p;
    return 1;
}

/* Sets *to to the next part and returns 1, or returns 0 if none is left.  There are at most count + 4 parts, of which
 * at most four are pieces of half-lines. */
FN int parts_next(struct parts *p, struct part *to)
{
    double a = p->a, b = p->b;
    if (p->done) return 0;
    while (p->at < p->count && !(p->breaks[p->at] > a)) p->at++;
    if (p->at < p->count && p->breaks[p->at] < b) b = p->breaks[p->at];
    if (isinf(a)) {
        double end = isinf(b) ? 0.0 : b;
        p->a = end - part_inner_length(end);
        p->inner = 1;
        return part_set_outer(to, p->a, -1);
    }
    if (isinf(b) && !p->is_last) {
        p->inner++;
        p->is_last = 1;
    }
    int is_inner = p->inner > 0, is_outer = isinf(b) && !is_inner;
    p->inner -= is_inner;
    p->a = is_inner && isinf(b) ? a + part_inner_length(a) : b;
    p->done = p->a == p->b;
    if (is_outer) return part_set_outer(to, a, 1);
    struct part finite = { a, p->a, 0.0, 0, is_inner };
    *to = finite;
    return 1;
}

/* Returns the number of intervals with which a part begins if one without pieces begins with `count`: pieces of a
 * half-line share them. */
FN int part_intervals(struct part p, int count)
{
    return p.is_piece ? count / 2 : count;
}

/* Returns interval k of the `first_intervals` equal intervals of a part. */
FN struct part part_interval(struct part p, int k, int first_intervals)
{
    struct part q = p;
    if (k > 0) q.low = p.low + (p.high - p.low) * k / first_intervals;
    if (k < first_intervals - 1) q.high = p.low + (p.high - p.low) * (k + 1) / first_intervals;
    return q;
}

/* --- within a part --------------------------------------------------------------- */

FN double part_x(struct part p, double t)
{
    return p.side == 0 ? t : p.origin + p.side * ((1.0 - t) / t);
}

/* TRUE if an interval is too narrow to be split: a few ulps of its ends, or less than 1e-300. */
FN int part_is_narrow(double low, double high)
{
    double larger = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
    return high - low <= 16.0 * ROUNDING * larger || high - low < 1e-300;
}

/* Returns the t of the outermost finite value of a half-line if that value is 0: values further out that are not finite
 * then count as 0.  Returns -Inf otherwise. */
FN double part_zero_limit(struct part p, const double *t, const double *f, int count)
{
    double furthest = INFINITY, at = 0.0;
    if (p.side == 0) return -INFINITY;
    NO_UNROLL
    for (int j = 0; j < count; j++) {
        if (!isfinite(f[j]) || t[j] >= furthest) continue;
        furthest = t[j];
        at = f[j];
    }
    return isfinite(furthest) && at == 0.0 ? furthest : -INFINITY;
}

/* Sets values g = f dx/dt that are not finite to 0.  TRUE if all of these count as 0. */
FN int part_zero_nonfinite(struct part p, const double *t, const double *f, double *g, int count)
{
    double lost = part_zero_limit(p, t, f, count);
    int finite = 1;
    NO_UNROLL
    for (int j = 0; j < count; j++) {
        if (isfinite(g[j])) continue;
        g[j] = 0.0;
        finite &= t[j] < lost;
    }
    return finite;
}

FN int part_any_finite(const double *f, int count)
{
    NO_UNROLL
    for (int j = 0; j < count; j++)
        if (isfinite(f[j])) return 1;
    return 0;
}

#endif
