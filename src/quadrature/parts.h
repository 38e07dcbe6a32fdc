/* A range in parts, between limits and breaks, each of which is finite in t.
 *
 * A finite part has x = t; a half-line t in (0, 1], x = origin + side (1 - t)/t, dx = dt/t^2; the whole line is
 * two half-lines.
 *
 * On a half-line values that are not finite count as 0 if they begin beyond the last value of 0 on the way out, for
 * they are 0 times infinity.
 */
#ifndef STABLECL_QUADRATURE_PARTS_H
#define STABLECL_QUADRATURE_PARTS_H

#include "integral.h"

struct part {
    double low, high, origin;
    int side;                           /* 0: x = t */
};

/* --- one after the other ------------------------------------------------------------ */

struct parts {
    GLOBAL const double *breaks;        /* increasing */
    int count;
    double a, b;                        /* of what is left */
    int at;                             /* the next break */
    int split, done;                    /* split: the left half-line of the whole line has been taken */
};

FN struct parts parts_between(double low, double high, GLOBAL const double *breaks, int count)
{
    struct parts p = { breaks, count, low, high, 0, 0, 0 };
    return p;
}

FN int part_half_line(struct part *to, double origin, int side)
{
    struct part p = { 0.0, 1.0, origin, side };
    *to = p;
    return 1;
}

/* 0 when there is none left; at most count + 2 in all. */
FN int parts_next(struct parts *p, struct part *to)
{
    double a = p->a, b = p->b;
    if (p->done) return 0;
    while (p->at < p->count && !(p->breaks[p->at] > a)) p->at++;
    if (p->at < p->count && p->breaks[p->at] < b) b = p->breaks[p->at];
    if (isinf(a) && isinf(b) && !p->split) {
        p->split = 1;
        return part_half_line(to, 0.0, -1);
    }
    p->done = b == p->b;
    p->a = b;
    if (isinf(b)) return part_half_line(to, isfinite(a) ? a : 0.0, 1);
    if (isinf(a)) return part_half_line(to, b, -1);
    struct part finite = { a, b, 0.0, 0 };
    *to = finite;
    return 1;
}

/* Panel k of several equal ones. */
FN struct part part_interval(struct part p, int k, int first_intervals)
{
    struct part q = p;
    if (k > 0) q.low = p.low + (p.high - p.low) * k / first_intervals;
    if (k < first_intervals - 1) q.high = p.low + (p.high - p.low) * (k + 1) / first_intervals;
    return q;
}

/* --- in a part ---------------------------------------------------------------------- */

FN double part_x(struct part p, double t)
{
    return p.side == 0 ? t : p.origin + p.side * ((1.0 - t) / t);
}

/* Too narrow to be split: narrower than some ulps of its ends? */
FN int part_is_narrow(double low, double high)
{
    return high - low <= 16.0 * ROUNDING * fmax(fabs(low), fabs(high)) || high - low < 1e-300;
}

/* The t of the last finite value on the way out, if it is 0: what is not finite beyond counts as 0.  Else -Inf. */
FN double part_lost_below(struct part p, const double *t, const double *f, int count)
{
    double furthest = INFINITY, at = 0.0;
    if (p.side == 0) return -INFINITY;
    for (int j = 0; j < count; j++) {
        if (!isfinite(f[j]) || t[j] >= furthest) continue;
        furthest = t[j];
        at = f[j];
    }
    return isfinite(furthest) && at == 0.0 ? furthest : -INFINITY;
}

/* Values g = f dx/dt that are not finite become 0; do they all count as that? */
FN int part_drop(struct part p, const double *t, const double *f, double *g, int count)
{
    double lost = part_lost_below(p, t, f, count);
    int finite = 1;
    for (int j = 0; j < count; j++) {
        if (isfinite(g[j])) continue;
        g[j] = 0.0;
        finite &= t[j] < lost;
    }
    return finite;
}

FN int part_any_finite(const double *f, int count)
{
    for (int j = 0; j < count; j++)
        if (isfinite(f[j])) return 1;
    return 0;
}

#endif
