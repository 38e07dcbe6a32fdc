/* The quantile function, by inversion of the distribution function.
 *
 * The equation log P = log p, where P is one of the tail probabilities, is solved by Newton's method inside a shrinking
 * bracket, with bisection where Newton's method leaves the bracket or converges slowly.  The coordinate is one in which
 * log P is nearly linear:
 *
 *     alpha < 0.95:  v = log|x - zeta|, on the side of zeta that contains the quantile;
 *     otherwise:     v = asinh(x).
 *
 * The last step is computed in double-double arithmetic, so that a quantile next to zeta is as accurate as its distance
 * from zeta.  p above 1/2 is replaced by 1 - p of the other tail.
 *
 * The caller evaluates the distribution:
 *
 *     quantile_start(&q, law, p, lower, log_p);
 *     while (quantile_asks(&q, &x)) { evaluate at x into v; quantile_answer(&q, &v); }
 *     x = quantile_result(&q, law, shifted);
 */
#ifndef STABLECL_STABLE_QUANTILE_SEARCH_H
#define STABLECL_STABLE_QUANTILE_SEARCH_H

#include "standard.h"

#define LOG_HALF       (-0.69314718055994530942)
#define QUANTILE_STEPS 200
#define QUANTILE_DONE  1e-9         /* a step whose square is negligible */

struct quantile {
    int lower;                          /* 1: P is the lower tail, 0: the upper tail */
    double log_p;
    int by_distance;                    /* the coordinate is log|x - zeta| */
    double sign;                        /* sign of x - zeta for this coordinate */
    double v, lo, hi;                   /* the coordinate, and its bracket */
    double rising;                      /* sign of d log P / d v */
    double before;                      /* size of the last step */
    double correction;                  /* last Newton step, to be added by quantile_result() */
    double far_end;                     /* end of the bracket to be evaluated first; 0: done */
    int left;                           /* remaining steps */
};

/* Returns an approximation of v from the leading power of the tail if the quantile lies far out, otherwise 0. */
FN double quantile_guess(const struct quantile *q, const struct standard *s)
{
    double a = s->alpha, b = q->lower ? -s->beta : s->beta;
    double scale = log((1.0 + b) * tgamma(a) * sin(HALF_PI * a) / PI);
    double v = (scale - q->log_p) / a;
    if (!(v > 0.0 && v < 700.0)) v = 0.0;
    if (!q->by_distance) v = (q->lower ? -1.0 : 1.0) * (v > 0.0 ? v + 0.7 : 0.0);
    return v > q->lo && v < q->hi ? v : 0.5 * (q->lo + q->hi);
}

/* TRUE if p is the probability at zeta as computed there (shift_value and value_cdf), so that the quantile is zeta; at
 * beta = 0 it is the median. */
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
    q->log_p = log_p ? p : log(p);
    q->by_distance = s->alpha < 0.95;
    q->sign = 1.0;
    if (q->log_p > LOG_HALF) {
        q->lower = !lower;
        q->log_p = log_p ? log(-expm1(p)) : log1p(-p);
    }
    if (q->by_distance) {
        int same = q->log_p < log(standard_mass(s, q->lower));  /* quantile on the tail's side of zeta */
        q->sign = same == (q->lower != 0) ? -1.0 : 1.0;
    }
    q->lo = q->by_distance ? -744.0 : -710.4;
    q->hi = q->by_distance ? 709.7 : 710.4;
    q->before = q->hi - q->lo;
    q->rising = (q->lower ? 1.0 : -1.0) * (q->by_distance ? q->sign : 1.0);
    q->v = quantile_guess(q, s);
    q->correction = 0.0;
    q->far_end = q->log_p < -10.0 ? (q->rising < 0.0 ? q->hi : q->lo) : 0.0;
    q->left = QUANTILE_STEPS;
    if (q->by_distance && quantile_is_zeta(s, p, lower, log_p)) {
        q->sign = 1.0;
        q->v = -INFINITY;
        q->left = 0;
    }
}

/* Returns the argument at the coordinate v. */
FN struct abscissa quantile_argument(const struct quantile *q, double v)
{
    struct abscissa x = { q->by_distance ? q->sign * exp(v) : sinh(v), 0.0, q->by_distance };
    return x;
}

/* TRUE if the distribution must be evaluated at *x. */
FN int quantile_asks(const struct quantile *q, struct abscissa *x)
{
    if (q->left <= 0 || !(q->hi - q->lo > 1e-15 * (fabs(q->lo) + fabs(q->hi)))) return 0;
    *x = quantile_argument(q, q->far_end != 0.0 ? q->far_end : q->v);
    return 1;
}

/* Takes a Newton step at v, where log P - log p is `miss`. */
FN void quantile_step(struct quantile *q, double miss, double slope)
{
    double step = -miss / slope;
    int sound = isfinite(miss) && isfinite(slope) && isfinite(step);
    if (miss == 0.0 || (sound && fabs(step) < QUANTILE_DONE)) {
        q->correction = miss == 0.0 ? 0.0 : step;
        q->left = 0;
        return;
    }
    if (miss * q->rising > 0.0) q->hi = q->v;
    else q->lo = q->v;
    if (!sound || !(q->v + step > q->lo && q->v + step < q->hi) || fabs(step) > 0.5 * q->before)
        step = 0.5 * (q->lo + q->hi) - q->v;
    q->before = fabs(step);
    q->v += step;
    q->left--;
}

/* Returns density / tail.  If the density underflows and the tail does not, the tail is included in the exponent. */
FN double quantile_hazard(const struct quantile *q, const struct stable_value *val)
{
    double scale = val->pdf_scale - val->tail_scale;
    if (q->lower == val->upper) return value_pdf(val, 0) / value_cdf(val, q->lower, 0);
    return scale > -700.0 ? val->pdf / val->tail * exp(scale) : val->pdf * exp(scale - log(val->tail));
}

/* Continues the search with the value at the requested point. */
FN void quantile_answer(struct quantile *q, const struct stable_value *val)
{
    double v = q->far_end != 0.0 ? q->far_end : q->v;
    double miss = value_cdf(val, q->lower, 1) - q->log_p;
    if (q->far_end != 0.0) {
        if (miss > 0.0) {               /* the quantile exceeds the largest double */
            q->v = q->rising < 0.0 ? INFINITY : -INFINITY;
            q->left = 0;
        }
        q->far_end = 0.0;
        return;
    }
    double stretch = q->by_distance ? exp(v) : cosh(v);
    quantile_step(q, miss, q->rising * quantile_hazard(q, val) * stretch);
}

/* Returns the quantile as S0 argument, or as distance from zeta if `shifted`. */
FN struct abscissa quantile_result(const struct quantile *q, const struct standard *s, int shifted)
{
    struct abscissa x = quantile_argument(q, q->v);
    x.shifted = shifted;
    if (isinf(x.hi)) return x;
    struct double_double sum = two_sum(x.hi, q->correction * (q->by_distance ? x.hi : cosh(q->v)));
    if (q->by_distance && !shifted) sum = two_add(sum, s->law.zeta);
    if (!q->by_distance && shifted) sum = two_add(sum, two_neg(s->law.zeta));
    x.hi = sum.hi;
    x.lo = sum.lo;
    return x;
}

#endif
