/* The trapezoidal rule with steps of any lengths, and what second differences tell of its error.
 *
 * A step h has the error h^3/12 |f''| (f'' somewhere in it), for which the larger of the second divided differences at
 * its ends stands in.  For smooth integrands the sum of these tends to the error; a jump J within a step may cost
 * h J/2, and they tell of h J/4: `error` is twice their sum.
 *
 * Thuerck et al. (2014, doi:10.1007/978-3-642-55224-3_61, Theorem 1) bound the error of the steps that forward.h
 * chooses by
 *
 *     sup h~^2 |f''| (b - a)/24,    h~ = h_min + exp(-|s - s'|/|s'|) (h_max - h_min),
 *
 * s and s' the slopes over a step and the one before.  The constant is that of the midpoint rule; that of trapezoids is
 * twice as large.  The supremum is taken over the steps here.
 */
#ifndef STABLECL_QUADRATURE_PUBLISHED_TRAPEZOID_H
#define STABLECL_QUADRATURE_PUBLISHED_TRAPEZOID_H

#include "../../special/dialect.h"

struct trapezoid {
    double start, p, f, h, slope, bend; /* the last point, the step to it, its slope, the second difference before it */
    double value, size, error, worst;   /* worst: the supremum above without the length */
};

/* slope, h: over a short step before the first, if there is one (else NAN). */
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
