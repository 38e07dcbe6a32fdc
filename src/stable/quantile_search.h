/* The inverse of the distribution function.
 *
 * log P of the wanted tail is made equal to log p by Newton's method inside a
 * shrinking bracket (a bisection wherever Newton leaves it or is slow), in a
 * coordinate on which the tails are nearly straight:
 *
 *     alpha < 0.95:  v = log|x - zeta|, on the side of zeta that holds the quantile;
 *     otherwise:     v = asinh(x).
 *
 * The last step is taken in twice the working precision, so that a quantile
 * next to zeta is as good as its distance from it.  p above 1/2 is asked for as
 * 1 - p of the other tail.
 *
 * Who evaluates the law is the caller's affair:
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
#define QUANTILE_DONE  1e-9         /* a step whose square is nothing */

struct quantile {
    int lower;                          /* the tail that is asked for */
    double log_p;
    int by_distance;                    /* coordinate log|x - zeta| */
    double sign;                        /* of x - zeta then */
    double v, lo, hi;                   /* the coordinate, and its bracket */
    double rising;                      /* sign of the slope of log P in v */
    double before;                      /* size of the last step */
    double correction;                  /* what a last step would add */
    double far_end;                     /* to be asked about first; 0: no longer */
    int left;                           /* steps left */
};

/* Where the leading power of the tail puts the quantile, if it is far out. */
FN double quantile_guess(const struct quantile *q, const struct standard *s)
{
    double a = s->alpha, b = q->lower ? -s->beta : s->beta;
    double scale = log((1.0 + b) * tgamma(a) * sin(HALF_PI * a) / PI);
    double v = (scale - q->log_p) / a;
    if (!(v > 0.0 && v < 700.0)) v = 0.0;
    if (!q->by_distance) v = (q->lower ? -1.0 : 1.0) * (v > 0.0 ? v + 0.7 : 0.0);
    return v > q->lo && v < q->hi ? v : 0.5 * (q->lo + q->hi);
}

/* Is p the probability at zeta, as it is computed there (shift_value and value_cdf)?  The quantile is zeta then; at
 * beta = 0 it is the median. */
FN int quantile_is_zeta(const struct standard *s, double p, int lower, int log_p)
{
    double mass = standard_mass(s, lower), other = standard_mass(s, !lower);
    if (s->beta == 0.0) return p == (log_p ? LOG_HALF : 0.5);
    if (mass <= other) return p == (log_p ? log(mass) : mass);
    return p == (log_p ? log1p(-other) : 1.0 - other);
}

/* p in (0, 1), or exp(p) if log_p, of the lower or upper tail. */
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
        int same = q->log_p < log(standard_mass(s, q->lower));  /* beyond zeta, on the side of the tail */
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

FN struct abscissa quantile_place(const struct quantile *q, double v)
{
    struct abscissa x = { q->by_distance ? q->sign * exp(v) : sinh(v), 0.0, q->by_distance };
    return x;
}

/* Is a value at x wanted? */
FN int quantile_asks(const struct quantile *q, struct abscissa *x)
{
    if (q->left <= 0 || !(q->hi - q->lo > 1e-15 * (fabs(q->lo) + fabs(q->hi)))) return 0;
    *x = quantile_place(q, q->far_end != 0.0 ? q->far_end : q->v);
    return 1;
}

/* Newton's step at v, where log P misses log p by `miss`. */
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

/* Density over tail.  Where the density is below all numbers and the tail is not, the tail joins the exponent. */
FN double quantile_hazard(const struct quantile *q, const struct stable_value *val)
{
    double scale = val->pdf_scale - val->tail_scale;
    if (q->lower == val->upper) return value_pdf(val, 0) / value_cdf(val, q->lower, 0);
    return scale > -700.0 ? val->pdf / val->tail * exp(scale) : val->pdf * exp(scale - log(val->tail));
}

/* Take the value at the place that was asked for. */
FN void quantile_answer(struct quantile *q, const struct stable_value *val)
{
    double v = q->far_end != 0.0 ? q->far_end : q->v;
    double miss = value_cdf(val, q->lower, 1) - q->log_p;
    if (q->far_end != 0.0) {
        if (miss > 0.0) {               /* beyond the largest double */
            q->v = q->rising < 0.0 ? INFINITY : -INFINITY;
            q->left = 0;
        }
        q->far_end = 0.0;
        return;
    }
    double stretch = q->by_distance ? exp(v) : cosh(v);
    quantile_step(q, miss, q->rising * quantile_hazard(q, val) * stretch);
}

/* The quantile as S0 position, or as distance from zeta if `shifted` is asked for. */
FN struct abscissa quantile_result(const struct quantile *q, const struct standard *s, int shifted)
{
    struct abscissa x = quantile_place(q, q->v);
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
