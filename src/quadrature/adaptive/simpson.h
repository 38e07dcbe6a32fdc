/* Adaptive Simpson quadrature (Lyness 1969, Notes on the adaptive Simpson quadrature routine,
 * J. ACM 16, 483-495).
 *
 * On an interval of length l with values g0, ..., g4 at equal distances,
 *
 *     S1 = l/6 (g0 + 4 g2 + g4),    S2 = l/12 (g0 + 4 g1 + 2 g2 + 4 g3 + g4),
 *     value = S2 + (S2 - S1)/15,    error = |S2 - S1|/15,
 *
 * so the error is that of S2, of which about the square root of a sixth order is left in the value.  A half takes three
 * of its values from the whole and needs two new ones.  |S2 - S1| may be small by chance: an interval that comes from
 * no other counts as unknown, and halves answer for their difference from the whole (quadrature/adaptive/bisection.h), each for a 16th
 * of it at least: where the fourth derivative changes its sign, one of them may seem to have no error at all.
 *
 * In a half, |S2 - S1| is about a 32nd of what it was in the whole, unless the integrand is rough: a jump leaves a
 * sixth or more, and is worth up to 0.183 l, which is 2.2 |S2 - S1| at most.  That is the error where more than an
 * eighth is left.
 *
 * A value that is not finite at a limit or a break, or that lies at infinity, is taken from its neighbour; elsewhere it
 * is what quadrature/parts.h says.  A part of a range begins as SIMPSON_INTERVALS intervals, a number that the periods of few
 * integrands share, or SIMPSON_INTERVALS_ZERO where all was 0.
 */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_SIMPSON_H
#define STABLECL_QUADRATURE_ADAPTIVE_SIMPSON_H

#include "bisection.h"
#include "../parts.h"

#define SIMPSON_POINTS      5
#define SIMPSON_NEW         2           /* points of a half */
#define SIMPSON_INTERVALS      7
#define SIMPSON_INTERVALS_ZERO 1024
#define SIMPSON_LEAST_SHARE (1.0 / 16.0)
#define SIMPSON_SMOOTH      (1.0 / 8.0)
#define SIMPSON_JUMP        2.2

struct parabola {
    struct part part;
    int low_end, high_end;              /* of the part it began as */
    double f[SIMPSON_POINTS], gap;      /* gap: |S2 - S1|, of the whole before a half has its own */
};

/* Panel k of a part, without values. */
FN struct parabola simpson_interval(struct part whole, int k, int first_intervals)
{
    struct parabola s = { part_interval(whole, k, first_intervals), k == 0, k == first_intervals - 1, { 0.0, 0.0, 0.0,
                                                                                                        0.0, 0.0 },
                                                                                                            0.0 };
    return s;
}

FN double simpson_t(struct part p, int q)
{
    return q == 0 ? p.low : q == SIMPSON_POINTS - 1 ? p.high : p.low + 0.25 * q * (p.high - p.low);
}

/* Which of the points is number k of those to be evaluated? */
FN int simpson_point(int is_half, int k)
{
    return is_half ? 2 * k + 1 : k;
}

/* Values times dx/dt; are all of them finite? */
FN int simpson_weigh(const struct parabola *s, double *g)
{
    double t[SIMPSON_POINTS];
    for (int q = 0; q < SIMPSON_POINTS; q++) {
        t[q] = simpson_t(s->part, q);
        g[q] = s->part.side == 0 ? s->f[q] : s->f[q] / (t[q] * t[q]);
    }
    if ((s->low_end && !isfinite(g[0])) || (s->part.side != 0 && t[0] == 0.0)) g[0] = g[1];
    if (s->high_end && !isfinite(g[4])) g[4] = g[3];
    return part_drop(s->part, t, s->f, g, SIMPSON_POINTS);
}

/* All values are there. */
FN struct totals simpson_rule(struct parabola *s, int is_half)
{
    double g[SIMPSON_POINTS], l = s->part.high - s->part.low;
    int finite = simpson_weigh(s, g);
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

/* The halves, with the values that they share with the whole. */
FN void simpson_halve(const struct parabola *whole, struct parabola *left, struct parabola *right)
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
