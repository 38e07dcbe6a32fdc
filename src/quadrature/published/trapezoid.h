/* The trapezoidal rule with steps of any lengths, and an error estimate from second differences.
 *
 * A step of length h has the error h^3/12 |f''|, with f'' at some point of the step; f'' is estimated by the larger of
 * the second divided differences at the two ends.  For smooth integrands the sum of these estimates tends to the error.
 * A jump J within a step may cause an error of h J/2, for which the estimate is h J/4; therefore `error` is twice the
 * sum.
 *
 * Thuerck et al. (2014, doi:10.1007/978-3-642-55224-3_61, Theorem 1) bound the error with the steps that
 * forward_rule.h chooses by
 *
 *     sup h~^2 |f''| (b - a)/24,    h~ = h_min + exp(-|s - s'|/|s'|) (h_max - h_min),
 *
 * where s and s' are the slopes over a step and over the previous one.  The constant is that of the midpoint rule; that
 * of the trapezoidal rule is twice as large.  Here the supremum is taken over the steps.
 */
#ifndef STABLECL_QUADRATURE_PUBLISHED_TRAPEZOID_H
#define STABLECL_QUADRATURE_PUBLISHED_TRAPEZOID_H

#include "../../special/dialect.h"

struct trapezoid {
    /* the first and the last point, the value at the last point, the step to it, the slope over that step, and the
     * second divided difference (absolute) at its beginning */
    double start, p, f, h, slope, bend;
    double value, size, error, worst;   /* size: integral of |f|; worst: the supremum above, without (b - a)/24 */
};

/* Begins at the point p.  slope, h: those of a short step before the first one; NAN if there is none. */
FN struct trapezoid trapezoid_begin(double p, double f, double slope, double h)
{
    struct trapezoid t = { p, p, f, h, slope, 0.0, 0.0, 0.0, 0.0, 0.0 };
    return t;
}

FN void trapezoid_to(struct trapezoid *t, double p, double f, double h_min, double h_max)
{
    double h = p - t->p, slope = (f - t->f) / h, turn = fabs(slope - t->slope), bend = 2.0 * turn / (h + t->h);
    if (isnan(bend)) bend = turn = 0.0;
    double wide = h_min + (turn > 0.0 ? exp(-turn / fabs(t->slope)) : 1.0) * (h_max - h_min);
    t->worst = fmax(t->worst, wide * wide * bend);
    if (t->p > t->start) t->error += t->h * t->h * t->h / 6.0 * fmax(t->bend, bend);
    t->value += 0.5 * h * (f + t->f);
    t->size += 0.5 * h * (fabs(f) + fabs(t->f));
    t->p = p;
    t->f = f;
    t->h = h;
    t->slope = slope;
    t->bend = bend;
}

FN void trapezoid_end(struct trapezoid *t)
{
    t->error += t->h * t->h * t->h / 6.0 * t->bend;
}

FN double trapezoid_bound(const struct trapezoid *t)
{
    return t->worst * (t->p - t->start) / 24.0;
}

#endif
