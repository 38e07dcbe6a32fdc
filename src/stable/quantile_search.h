/* The quantile function, by inversion of the distribution function.
 *
 * The equation log P = log p, where P is one of the tail probabilities, is solved inside a shrinking bracket.  The
 * first step is Newton's; later ones interpolate the inverse function, with its derivative, at the last two points.
 * Bisection replaces steps that leave the bracket or converge slowly.  From the starting value of quantile_guess.h,
 * two or three evaluations of the distribution are usual.  The coordinate is one in which log P is nearly linear:
 *
 *     alpha < 0.95:  v = log|x - zeta|, on the side of zeta that contains the quantile;
 *     otherwise:     v = asinh(x).
 *
 * The last step is computed in double-double arithmetic, so that a quantile near zeta is as accurate as its distance
 * from zeta.  p above 1/2 is replaced by 1 - p of the other tail.
 *
 * The caller evaluates the distribution:
 *
 *     quantile_start(&q, law, p, lower, log_p);
 *     while (quantile_needs_value(&q, &x)) { evaluate at x into v; quantile_update(&q, &v); }
 *     x = quantile_result(&q, law, shifted);
 */
#ifndef STABLECL_STABLE_QUANTILE_SEARCH_H
#define STABLECL_STABLE_QUANTILE_SEARCH_H

#include "quantile_guess.h"

#define LOG_HALF       (-0.69314718055994530942)
#define QUANTILE_STEPS 200
#define QUANTILE_TOLERANCE 1e-9     /* a Newton step whose square is negligible */
#define QUANTILE_ERROR 1e-17        /* error of a cubic step that is negligible */
#define QUANTILE_P_MIN 1e-305       /* probabilities below are compared by their logarithms */
#define QUANTILE_LOG_MAX 709.7      /* log of the largest distance from zeta */

struct quantile {
    int lower;                          /* 1: P is the lower tail, 0: the upper tail */
    double log_p, p;                    /* p <= 1/2 */
    int by_distance;                    /* the coordinate is log|x - zeta| */
    double sign;                        /* sign of x - zeta for this coordinate */
    double v, lo, hi;                   /* the coordinate, and its bracket */
    double rising;                      /* sign of d log P / d v */
    double last_step;                   /* size of the last step */
    double last_v, last_residual, last_slope;  /* at the last point; the slope is 0 at first */
    double correction;                  /* last step, to be added by quantile_result() */
    double far_end;                     /* end of the bracket to be evaluated first; 0: done */
    int steps_left;                     /* remaining steps */
};

/* Returns the coordinate at which the search begins, the middle of the bracket if it must. */
FN double quantile_first(const struct quantile *q, const struct standard *s)
{
    double middle = 0.5 * (q->lo + q->hi), v;
    if (standard_is_closed(s->alpha, s->beta)) return middle;
    v = quantile_guess(s, q->log_p, q->lower, q->by_distance);
    if (!q->by_distance) v = asinh(v);
    return v > q->lo && v < q->hi ? v : middle;
}

/* TRUE if p is the probability at zeta, as computed by value_at_zeta() and value_cdf(), so that the quantile is zeta.
 * For beta = 0 it is the median. */
FN int quantile_is_zeta(const struct standard *s, double p, int lower, int log_p)
{
    double mass = standard_mass(s, lower), other = standard_mass(s, !lower);
    if (s->beta == 0.0) return p == (log_p ? LOG_HALF : 0.5);
    if (mass <= other) return p == (log_p ? log(mass) : mass);
    return p == (log_p ? log1p(-other) : 1.0 - other);
}

/* Starts the search for p in (0, 1), or exp(p) if log_p, of the lower or upper tail. */
FN void quantile_start(struct quantile *q, const struct standard *s, double p, int lower, int log_p)
{
    q->lower = lower;
    q->p = log_p ? exp(p) : p;
    q->log_p = log_p ? p : log(p);
    q->by_distance = s->alpha < 0.95;
    q->sign = 1.0;
    if (q->log_p > LOG_HALF) {
        q->lower = !lower;
        q->p = log_p ? -expm1(p) : 1.0 - p;
        q->log_p = log(q->p);
    }
    if (q->by_distance) {
        int same = q->log_p < log(standard_mass(s, q->lower));  /* quantile on the tail's side of zeta */
        q->sign = same == (q->lower != 0) ? -1.0 : 1.0;
    }
    q->lo = q->by_distance ? -744.0 : -710.4;
    q->hi = q->by_distance ? QUANTILE_LOG_MAX : 710.4;
    q->last_step = q->hi - q->lo;
    q->rising = (q->lower ? 1.0 : -1.0) * (q->by_distance ? q->sign : 1.0);
    q->v = quantile_first(q, s);
    q->correction = q->last_v = q->last_residual = q->last_slope = 0.0;
    q->far_end = q->log_p < -10.0 ? (q->rising < 0.0 ? q->hi : q->lo) : 0.0;
    q->steps_left = QUANTILE_STEPS;
    if (q->by_distance && quantile_is_zeta(s, p, lower, log_p)) {
        q->sign = 1.0;
        q->v = -INFINITY;
        q->steps_left = 0;
    }
}

/* TRUE if the bracket has shrunk to a point. */
FN int quantile_is_enclosed(const struct quantile *q)
{
    return !(q->hi - q->lo > 1e-15 * (fabs(q->lo) + fabs(q->hi)));
}

/* TRUE if the bracket has shrunk to its upper end, so that the quantile exceeds the largest double. */
FN int quantile_overflows(const struct quantile *q)
{
    return q->by_distance && q->hi == QUANTILE_LOG_MAX && quantile_is_enclosed(q);
}

/* Returns the argument at the coordinate v. */
FN struct argument quantile_argument(const struct quantile *q, double v)
{
    struct argument x = { q->by_distance ? q->sign * exp(v) : sinh(v), 0.0, q->by_distance };
    return x;
}

/* TRUE if the distribution must be evaluated at *x. */
FN int quantile_needs_value(const struct quantile *q, struct argument *x)
{
    if (q->steps_left <= 0 || quantile_is_enclosed(q)) return 0;
    *x = quantile_argument(q, q->far_end != 0.0 ? q->far_end : q->v);
    return 1;
}

/* Returns the step from v, where log P - log p is `residual`, by cubic Hermite interpolation of the inverse function
 * between this and the last point; Newton's step if there is none, or if the zero is not much closer to v. */
FN double quantile_cubic(const struct quantile *q, double residual, double slope)
{
    double newton = -residual / slope, h = q->last_residual - residual, back = q->last_v - q->v;
    double fraction = -residual / h;
    if (q->last_slope == 0.0 || !(fabs(fraction) < 0.25)) return newton;
    double square = 3.0 * back - h * (2.0 / slope + 1.0 / q->last_slope);
    double cube = h * (1.0 / slope + 1.0 / q->last_slope) - 2.0 * back;
    return newton + fraction * fraction * (square + fraction * cube);
}

/* TRUE if the error of this step is negligible.  For distances d0 and d1 of the last two points from the zero, Newton's
 * method gives d1 = d0^2/c, where c is the scale on which log P is not linear, and the cubic polynomial has an error of
 * the order of (d0 d1)^2/c^3 = d1^5/d0^4.  If d1 is small by accident, (d0 d1)^2 is the larger estimate. */
FN int quantile_is_last_step(const struct quantile *q, double step)
{
    double d0 = q->last_step, d1 = fabs(step), both = d0 * d1;
    if (d1 < QUANTILE_TOLERANCE) return 1;
    return q->last_slope != 0.0 && both * both < QUANTILE_ERROR && d1 * pow(d1 / d0, 4.0) < QUANTILE_ERROR;
}

/* Applies a step from v, where log P - log p is `residual`, or ends the search. */
FN void quantile_step(struct quantile *q, double residual, double slope)
{
    double step = quantile_cubic(q, residual, slope);
    int is_finite = isfinite(residual) && isfinite(slope) && isfinite(step);
    if (residual == 0.0 || (is_finite && quantile_is_last_step(q, step))) {
        q->correction = residual == 0.0 ? 0.0 : step;
        q->steps_left = 0;
        return;
    }
    if (residual * q->rising > 0.0) q->hi = q->v;
    else q->lo = q->v;
    if (!is_finite || !(q->v + step > q->lo && q->v + step < q->hi) || fabs(step) > 0.5 * q->last_step)
        step = 0.5 * (q->lo + q->hi) - q->v;
    q->last_step = fabs(step);
    q->last_v = q->v;
    q->last_residual = residual;
    q->last_slope = is_finite ? slope : 0.0;
    q->v += step;
    q->steps_left--;
}

/* Returns density / tail.  If the density underflows and the tail does not, the tail is included in the exponent. */
FN double quantile_hazard(const struct quantile *q, const struct stable_value *val)
{
    double scale = val->pdf_scale - val->tail_scale;
    if (q->lower == val->upper) return value_pdf(val, 0) / value_cdf(val, q->lower, 0);
    return scale > -700.0 ? val->pdf / val->tail * exp(scale) : val->pdf * exp(scale - log(val->tail));
}

/* Returns log P - log p.  From the quotient, its error is that of P; the difference of the logarithms has an error of
 * |log p| eps, which is accepted only for numbers that underflow. */
FN double quantile_residual(const struct quantile *q, const struct stable_value *val)
{
    double P = value_cdf(val, q->lower, 0);
    if (q->p < QUANTILE_P_MIN || P < QUANTILE_P_MIN) return value_cdf(val, q->lower, 1) - q->log_p;
    return log(P / q->p);
}

/* Continues the search with the value at the requested point. */
FN void quantile_update(struct quantile *q, const struct stable_value *val)
{
    double v = q->far_end != 0.0 ? q->far_end : q->v;
    double residual = quantile_residual(q, val);
    if (q->far_end != 0.0) {
        if (residual > 0.0) {           /* the quantile exceeds the largest double */
            q->v = q->rising < 0.0 ? INFINITY : -INFINITY;
            q->steps_left = 0;
        }
        q->far_end = 0.0;
        return;
    }
    double stretch = q->by_distance ? exp(v) : cosh(v);
    quantile_step(q, residual, q->rising * quantile_hazard(q, val) * stretch);
}

/* Returns the quantile as S0 argument, or as distance from zeta if `shifted`. */
FN struct argument quantile_result(const struct quantile *q, const struct standard *s, int shifted)
{
    struct argument x = quantile_argument(q, quantile_overflows(q) ? INFINITY : q->v);
    x.shifted = shifted;
    if (isinf(x.hi)) return x;
    double c = q->correction, change = q->by_distance ? x.hi * expm1(c) : 2.0 * sinh(0.5 * c) * cosh(q->v + 0.5 * c);
    struct double_double sum = two_sum(x.hi, change);
    if (q->by_distance && !shifted) sum = dd_add(sum, s->law.zeta);
    if (!q->by_distance && shifted) sum = dd_add(sum, dd_neg(s->law.zeta));
    x.hi = sum.hi;
    x.lo = sum.lo;
    return x;
}

#endif
