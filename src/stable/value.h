/* The result of one evaluation of a standard distribution.
 *
 * In the far tails, density and tail probability may be of size exp(-large).  Each is stored as a factor times
 * exp(its scale), so that logarithms are computed from numbers that do not underflow.  Only the smaller of the two
 * tails is computed; the other is its complement and loses no accuracy.
 */
#ifndef STABLECL_STABLE_VALUE_H
#define STABLECL_STABLE_VALUE_H

#include "law.h"
#include "../special/dialect.h"
#include "../special/gamma.h"

struct stable_value {
    double pdf;        /* density = pdf * exp(pdf_scale) */
    double tail;       /* the smaller tail probability = tail * exp(tail_scale) */
    double pdf_scale;  /* <= 0, except for densities that overflow */
    double tail_scale; /* <= 0 */
    double error;      /* estimate of |log v - log v_true| / max(1, |log v|), the larger of pdf and tail */
    int    upper;      /* tail is P(X > x) if 1, P(X <= x) if 0 */
};

/* Returns a exp(scale); the scale is usually 0. */
FN double value_scaled(double a, double scale)
{
    return scale == 0.0 ? a : a * exp(scale);
}

/* Returns the density or its logarithm. */
NOINLINE double value_pdf(const struct stable_value *v, int give_log)
{
    return give_log ? log(v->pdf) + v->pdf_scale : value_scaled(v->pdf, v->pdf_scale);
}

/* Returns P(X <= x) if lower, otherwise P(X > x), or its logarithm. */
NOINLINE double value_cdf(const struct stable_value *v, int lower, int give_log)
{
    if (lower != v->upper)                       /* the tail that was computed */
        return give_log ? log(v->tail) + v->tail_scale : value_scaled(v->tail, v->tail_scale);
    double other = value_scaled(v->tail, v->tail_scale);
    return give_log ? log1p(-other) : 1.0 - other;
}

/* The three stable distributions with elementary densities, and the value at x = zeta.
 *
 *     alpha = 2:               N(0, 2)
 *     alpha = 1, beta = 0:     Cauchy
 *     alpha = 1/2, beta = +-1: Levy; y = |x - zeta| > 0 on the support,
 *                              f = exp(-1/(2y)) / sqrt(2 pi y^3), F = erfc(1/sqrt(2y)).
 *
 * Error: a few ulp, on the log scale where the value underflows.
 */

/* Sets the density to density * exp(-t^2) and the tail to factor * erfc(t).  For t >= 10, the common factor exp(-t^2)
 * is moved to the scales. */
NOINLINE void erfc_tail(double t, double factor, double density, struct stable_value *v)
{
    double scale = t * t;
    if (t < 10.0) {
        v->pdf_scale = v->tail_scale = 0.0;
        v->pdf = density * exp(-scale);
        v->tail = factor * erfc(t);
    } else {
        v->pdf_scale = v->tail_scale = -scale;
        v->pdf = density;
        v->tail = factor * scaled_erfc(t);
    }
}

FN void gaussian_value(double x, struct stable_value *v)
{
    erfc_tail(0.5 * fabs(x), 0.5, 0.5 / SQRT_PI, v);
    v->upper = x > 0.0;
}

FN void cauchy_value(double x, struct stable_value *v)
{
    int far = fabs(x) > 1e147;                 /* where the density is below 1e-294 */
    v->pdf = far ? 1.0 / (PI * fabs(x)) : 1.0 / (PI * (1.0 + x * x));
    v->pdf_scale = far ? -log(fabs(x)) : 0.0;
    v->tail = atan2(1.0, fabs(x)) / PI;
    v->tail_scale = 0.0;
    v->upper = x > 0.0;
}

/* y = x - zeta > 0 of the Levy distribution with beta = 1. */
FN void levy_value(double y, struct stable_value *v)
{
    double t = sqrt(0.5 / y);
    int far = y > 1e195;                       /* where the density is below 1e-292 */
    erfc_tail(t, 1.0, t / SQRT_PI / (far ? 1.0 : y), v);
    if (far) v->pdf_scale = -log(y);
    v->upper = 0;
    if (t < 0.47) {                            /* erfc(0.477) = 1/2 */
        v->tail = erf(t);
        v->upper = 1;
    }
}

/* Returns 1/alpha as a double-double number. */
FN struct double_double dd_reciprocal(double alpha)
{
    double inv = 1.0 / alpha;
    struct double_double r = { inv, fma(-inv, alpha, 1.0) / alpha };
    return r;
}

/* Returns Gamma(1 + 1/alpha).  The rounding error of its argument is multiplied by the derivative, psi Gamma. */
FN double gamma_of_1_plus_inverse(double alpha)
{
    struct double_double inv = dd_reciprocal(alpha), one = { 1.0, 0.0 }, x = dd_add(inv, one);
    return tgamma(x.hi) * (1.0 + digamma_any(x.hi) * x.lo);
}

/* Returns cos(alpha theta0)^(1/alpha). */
FN double cosine_power(const struct law *law)
{
    struct double_double inv = dd_reciprocal(law->alpha), power = dd_mul(inv, law->log_sec);
    return dd_exp(dd_neg(power));
}

/* The value at x = zeta for alpha != 1: f = Gamma(1 + 1/alpha) cos(theta0) cos(alpha theta0)^(1/alpha) / pi.
 * Gamma(1 + 1/alpha) overflows for alpha < 0.006, where the other factors may be small, or 0 at the end of the
 * support. */
NOINLINE void value_at_zeta(const struct law *law, struct stable_value *v)
{
    double inv = 1.0 / law->alpha, L = law->right.L, supplement = law->right.supplement;
    double smaller_angle = L < supplement ? L : supplement, sine = sin(smaller_angle);
    double log_gamma = inv < 100.0 ? 0.0 : lgamma(1.0 + inv);
    int fits = log_gamma < 700.0;
    double gamma = inv < 100.0 ? gamma_of_1_plus_inverse(law->alpha) : fits ? exp(log_gamma) : 1.0;
    v->pdf = gamma * sine * (fits ? cosine_power(law) : 1.0) / PI;
    v->pdf_scale = fits || sine == 0.0 ? 0.0 : log_gamma - law->log_sec.hi * inv;
    v->upper = L < supplement;
    v->tail = smaller_angle / PI;
    v->tail_scale = 0.0;
}

#endif
