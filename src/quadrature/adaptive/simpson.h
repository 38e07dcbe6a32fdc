/* Adaptive Simpson quadrature (Lyness 1969, Notes on the adaptive Simpson quadrature routine, J. ACM 16, 483-495).
 *
 * On an interval of length l with values g0, ..., g4 at equidistant points,
 *
 *     S1 = l/6 (g0 + 4 g2 + g4),    S2 = l/12 (g0 + 4 g1 + 2 g2 + 4 g3 + g4),
 *     value = S2 + (S2 - S1)/15,    error = |S2 - S1|/15,
 *
 * so the error is that of S2, and the error of the extrapolated value is of sixth order.  A half takes three of its
 * values from the whole and needs two new ones. |S2 - S1| may be small by chance.  The error of an interval that is not
 * a half is therefore at least the integral of |f|, and those of two halves are raised according to their difference
 * from the whole (quadrature/adaptive/bisection.h).  Each half has at least a 16th of their sum: where the fourth
 * derivative changes its sign, one of them may appear to have no error.
 *
 * In a half, |S2 - S1| is about a 32nd of that in the whole, unless the integrand is rough: a jump leaves a sixth or
 * more, and causes an error of up to 0.183 l times its height, which is at most 2.2 |S2 - S1|.  This is the error where
 * more than an eighth is left.
 *
 * A value that is not finite at a limit or a break, or that lies at infinity, is replaced by its neighbour; elsewhere
 * quadrature/parts.h applies.  A part of a range begins as SIMPSON_INTERVALS intervals, a number that rarely
 * matches the period of an integrand, or as SIMPSON_INTERVALS_ZERO if all values were 0.
 */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_SIMPSON_H
#define STABLECL_QUADRATURE_ADAPTIVE_SIMPSON_H

#include "bisection.h"
#include "../parts.h"

#define SIMPSON_POINTS      5
#define SIMPSON_NEW         2           /* new points of a half */
#define SIMPSON_INTERVALS      7
#define SIMPSON_INTERVALS_ZERO 1024
#define SIMPSON_MIN_SHARE   (1.0 / 16.0)
#define SIMPSON_SMOOTH      (1.0 / 8.0)
#define SIMPSON_JUMP        2.2

struct simpson_values {
    struct part part;
    int low_end, high_end;              /* whether the interval ends where its part does */
    double f[SIMPSON_POINTS], gap;      /* gap: |S2 - S1|; that of the whole before a half has its own */
};

/* Returns interval k of a part, without values. */
FN struct simpson_values simpson_interval(struct part whole, int k, int first_intervals)
{
    struct simpson_values s = {
        part_interval(whole, k, first_intervals), k == 0, k == first_intervals - 1, { 0.0, 0.0, 0.0, 0.0, 0.0 }, 0.0
    };
    return s;
}

/* Returns t at point q. */
FN double simpson_t(struct part p, int q)
{
    return q == 0 ? p.low : q == SIMPSON_POINTS - 1 ? p.high : p.low + 0.25 * q * (p.high - p.low);
}

/* Returns the number of the point that is evaluated as number k. */
FN int simpson_point(int is_half, int k)
{
    return is_half ? 2 * k + 1 : k;
}

/* Sets g to the values times dx/dt.  FALSE if a value is not finite and cannot be ignored. */
FN int simpson_scale_values(const struct simpson_values *s, double *g)
{
    double t[SIMPSON_POINTS];
    for (int q = 0; q < SIMPSON_POINTS; q++) {
        t[q] = simpson_t(s->part, q);
        g[q] = s->part.side == 0 ? s->f[q] : s->f[q] / (t[q] * t[q]);
    }
    if ((s->low_end && !isfinite(g[0])) || (s->part.side != 0 && t[0] == 0.0)) g[0] = g[1];
    if (s->high_end && !isfinite(g[4])) g[4] = g[3];
    return part_zero_nonfinite(s->part, t, s->f, g, SIMPSON_POINTS);
}

/* Returns the value, error and size of an interval with all its values. */
FN struct totals simpson_rule(struct simpson_values *s, int is_half)
{
    double g[SIMPSON_POINTS], l = s->part.high - s->part.low;
    int finite = simpson_scale_values(s, g);
    double s1 = l / 6.0 * (g[0] + 4.0 * g[2] + g[4]);
    double s2 = l / 12.0 * (g[0] + 4.0 * g[1] + 2.0 * g[2] + 4.0 * g[3] + g[4]);
    struct totals b = {
        s2 + (s2 - s1) / 15.0, 0.0,
        l / 12.0 * (fabs(g[0]) + 4.0 * fabs(g[1]) + 2.0 * fabs(g[2]) + 4.0 * fabs(g[3]) + fabs(g[4]))
    };
    int is_rough = is_half && fabs(s2 - s1) > SIMPSON_SMOOTH * s->gap;

    s->gap = fabs(s2 - s1);
    b.error = fmax(is_rough ? SIMPSON_JUMP * s->gap : s->gap / 15.0, 50.0 * ROUNDING * b.size);
    if (!is_half && b.size > 0.0) b.error = fmax(b.error, b.size);
    if (!finite || !isfinite(b.value)) b.error = INFINITY;
    if (!finite && !part_any_finite(s->f, SIMPSON_POINTS)) b.value = NAN;
    return b;
}

/* Bisects an interval.  The halves take the values that they share with the whole. */
FN void simpson_halve(const struct simpson_values *whole, struct simpson_values *left, struct simpson_values *right)
{
    *left = *right = *whole;
    left->part.high = right->part.low = 0.5 * whole->part.low + 0.5 * whole->part.high;
    left->high_end = right->low_end = 0;
    for (int q = 0; q < 3; q++) {
        left->f[2 * q] = whole->f[q];
        right->f[2 * q] = whole->f[q + 2];
    }
}

#endif
