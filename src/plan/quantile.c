/* plan/quantile.c: the inverse of the distribution function.
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
 */
#include "shape.h"
#include "../core/twofold.h"

#define LOG_HALF (-0.69314718055994530942)

struct target {
    struct shape *shape;
    int lower;             /* the tail that is asked for */
    double log_p;
    int by_distance;       /* coordinate log|x - zeta| */
    double sign;           /* of x - zeta then */
};

static struct abscissa place(const struct target *t, double v)
{
    struct abscissa x = { t->by_distance ? t->sign * exp(v) : sinh(v), 0.0, t->by_distance };
    return x;
}

/* log P - log p at v, and its derivative. */
static double miss(const struct target *t, double v, double *slope)
{
    struct stable_value val;
    struct abscissa x = place(t, v);
    shape_eval(t->shape, x, &val);
    double log_tail = value_cdf(&val, t->lower, 1), stretch = t->by_distance ? fabs(x.hi) : cosh(v);
    double hazard = t->lower != val.upper ? val.pdf / val.tail * exp(val.pdf_scale - val.tail_scale)
                                          : value_pdf(&val, 0) / value_cdf(&val, t->lower, 0);
    double sign = (t->lower ? 1.0 : -1.0) * (t->by_distance ? t->sign : 1.0);
    *slope = sign * hazard * stretch;
    return log_tail - t->log_p;
}

/* Where the leading power of the tail puts the quantile, if it is far out. */
static double first_guess(const struct target *t, double lo, double hi)
{
    double a = shape_alpha(t->shape), b = shape_beta(t->shape) * (t->lower ? -1.0 : 1.0);
    double scale = log(0.5 * (1.0 + b) * 2.0 * tgamma(a) * sin(1.57079632679489661923 * a) / 3.14159265358979323846);
    double v = (scale - t->log_p) / a;
    if (!(v > 0.0 && v < 700.0)) v = 0.0;
    if (!t->by_distance) v = (t->lower ? -1.0 : 1.0) * (v > 0.0 ? v + 0.7 : 0.0);
    return v > lo && v < hi ? v : 0.5 * (lo + hi);
}

/* The coordinate of the quantile, +-Inf if it lies beyond the largest double,
 * and what a last Newton step would add. */
static double solve(const struct target *t, double *correction)
{
    double lo = t->by_distance ? -744.0 : -710.4, hi = t->by_distance ? 709.7 : 710.4;
    double v = first_guess(t, lo, hi), before = hi - lo, slope;
    double rising = (t->lower ? 1.0 : -1.0) * (t->by_distance ? t->sign : 1.0);
    *correction = 0.0;
    if (t->log_p < -10.0 && miss(t, rising < 0.0 ? hi : lo, &slope) > 0.0)
        return rising < 0.0 ? INFINITY : -INFINITY;
    for (int i = 0; i < 200 && hi - lo > 1e-15 * (fabs(lo) + fabs(hi)); i++) {
        double m = miss(t, v, &slope), step = -m / slope;
        int sound = isfinite(m) && isfinite(slope) && isfinite(step);
        if (m == 0.0) break;
        if (m * rising > 0.0) hi = v;
        else lo = v;
        if (sound && fabs(step) < 1e-9) {
            *correction = step;
            break;
        }
        if (!sound || !(v + step > lo && v + step < hi) || fabs(step) > 0.5 * before)
            step = 0.5 * (lo + hi) - v;
        before = fabs(step);
        v += step;
    }
    return v;
}

struct abscissa shape_quantile(struct shape *s, double p, int lower, int log_p, int shifted)
{
    double a = shape_alpha(s), l = log_p ? p : log(p), correction;
    struct target t = { s, lower, l, a < 0.95, 1.0 };
    if (l > LOG_HALF) {
        t.lower = !lower;
        t.log_p = log_p ? log(-expm1(p)) : log1p(-p);
    }
    if (t.by_distance) {
        double mass = shape_mass(s, t.lower);      /* beyond zeta, on the side of the tail */
        int same = t.log_p < log(mass);
        t.sign = (same != 0) == (t.lower != 0) ? -1.0 : 1.0;
    }
    double v = solve(&t, &correction);
    struct abscissa x = place(&t, v), z = shape_zeta(s);
    if (isinf(x.hi)) {
        x.shifted = shifted;
        return x;
    }
    struct twofold q = two_sum(x.hi, correction * (t.by_distance ? x.hi : cosh(v))), zeta = { z.hi, z.lo };
    if (t.by_distance && !shifted) q = two_add(q, zeta);
    if (!t.by_distance && shifted) q = two_add(q, two_neg(zeta));
    x.hi = q.hi;
    x.lo = q.lo;
    x.shifted = shifted;
    return x;
}
