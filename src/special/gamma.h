/* The scaled error function; logarithms of the gamma and beta functions; digamma and trigamma functions. */
#ifndef STABLECL_SPECIAL_GAMMA_H
#define STABLECL_SPECIAL_GAMMA_H

#include "elementary.h"

#define SQRT_PI 1.77245385090551602730

/* Returns exp(t^2) erfc(t) for t >= 10 by the asymptotic series; term 12 is below 2^-60. */
FN double scaled_erfc(double t)
{
    double u = 0.5 / (t * t), term = 1.0, sum = 1.0;
    NO_UNROLL
    for (int n = 1; n <= 12; n++) {
        term *= -(2 * n - 1) * u;
        sum += term;
    }
    return sum / (t * SQRT_PI);
}

/* Logarithms of the gamma and beta functions without their large parts, for densities and incomplete functions.
 *
 *     log Gamma(a) = (a - 1/2) log a - a + log(2 pi)/2 + S(a)
 *     D(a, m) = a log(a/m) + m - a >= 0                       (deviance)
 *     log [ x^a e^-x / Gamma(a) ] = -D(a, x) + log(a/(2 pi))/2 - S(a)
 *     log [ x^a y^b / B(a, b) ] = -D(a, (a + b) x) - D(b, (a + b) y) + log(a b/(2 pi (a + b)))/2
 *                                 - S(a) - S(b) + S(a + b),    y = 1 - x
 *
 * In this form no large terms cancel (the decomposition of C. Loader, 2000, Fast and accurate computation of binomial
 * probabilities).  S is computed by its asymptotic series for a >= 10 (Abramowitz and Stegun 1964, 6.1.41; the first
 * omitted term is 3e-17), and from Gamma for a < 10.  D is computed from u - log(1 + u) with u = (m - a)/a, which for
 * -0.4 < u < 0.6 is a series in r = u/(2 + u):
 *
 *     u - log(1 + u) = r (u - 2 r^2 (1/3 + r^2/5 + r^4/7 + ...)).
 *
 * Relative error of D: about 1e-15.  Absolute error of S: 1e-15; for a < 1 it is proportional to log a.
 */

#define HALF_LOG_2PI 0.91893853320467274178

/* Returns u - log(1 + u). */
FN double x_minus_log1p(double u)
{
    double r = u / (2.0 + u), q = r * r, s = 1.0 / 33;
    if (!(u > -0.4 && u < 0.6)) return u == INFINITY ? u : u - log1p(u);
    s = 1.0 / 25 + q * (1.0 / 27 + q * (1.0 / 29 + q * (1.0 / 31 + q * s)));
    s = 1.0 / 15 + q * (1.0 / 17 + q * (1.0 / 19 + q * (1.0 / 21 + q * (1.0 / 23 + q * s))));
    s = 1.0 / 3 + q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9 + q * (1.0 / 11 + q * (1.0 / 13 + q * s)))));
    return r * (u - 2.0 * q * s);
}

/* Returns log(a/b) for a, b > 0, also if a/b overflows or underflows. */
FN double log_ratio(double a, double b)
{
    double q = a / b;
    return q > 1e-300 && q < 1e300 ? log(q) : log(a) - log(b);
}

/* Returns D(a, m), given more = m - a, which the caller may be able to compute more accurately. */
FN double deviance_from(double a, double m, double more)
{
    if (a == 0.0) return m;
    return fabs(more) < 0.4 * a ? a * x_minus_log1p(more / a) : a * log_ratio(a, m) + more;
}

/* Returns D(a, m). */
FN double deviance(double a, double m)
{
    return deviance_from(a, m, m - a);
}

/* Returns S(a). */
FN double stirling(double a)
{
    double y = 1.0 / (a * a);
    if (a < 10.0) return log(tgamma(a)) - (a - 0.5) * log(a) + a - HALF_LOG_2PI;
    return (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y * (1.0 / 1188
            - y * (691.0 / 360360 - y / 156)))))) / a;
}

/* Returns log [ x^a e^-x / Gamma(a) ]. */
NOINLINE double gamma_term(double a, double x)
{
    return 0.5 * log(a) - HALF_LOG_2PI - stirling(a) - deviance(a, x);
}

/* Returns log [ x^a y^b / B(a, b) ] for x + y = 1. */
NOINLINE double beta_term(double a, double b, double x, double y)
{
    double n = a + b, h = a * y - b * x, d = deviance_from(a, n * x, -h) + deviance_from(b, n * y, h);
    return 0.5 * (log(a) + log_ratio(b, n)) - HALF_LOG_2PI - stirling(a) - stirling(b) + stirling(n) - d;
}

/* Returns log B(a, b). */
NOINLINE double log_beta(double a, double b)
{
    double n = a + b, ra = log_ratio(n, a), rb = log_ratio(n, b);
    if (b < 0.5 * a) ra = log1p(b / a);
    if (a < 0.5 * b) rb = log1p(a / b);
    return HALF_LOG_2PI - 0.5 * (log(a) - rb) + stirling(a) + stirling(b) - stirling(n) - a * ra - b * rb;
}

/* The first two derivatives of log Gamma.
 *
 * For x >= 10, the asymptotic series (Abramowitz and Stegun 1964, 6.3.18 and 6.4.12) with eight Bernoulli numbers; the
 * first omitted term is below 1e-17.  Smaller arguments are shifted to x >= 10 by the recurrences 6.3.5 and 6.4.6,
 * negative arguments are reflected by 6.3.7 and 6.4.7.
 *
 * Relative error: about 1e-15; near the zeros of digamma this is the absolute error.
 */

/* Asymptotic series of digamma for x >= 10. */
FN double digamma_far(double x)
{
    double y = 1.0 / (x * x);
    double s = y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y * (1.0 / 132
             - y * (691.0 / 32760 - y * (1.0 / 12 - y * (3617.0 / 8160))))))));
    return log(x) - 0.5 / x - s;
}

/* Asymptotic series of trigamma for x >= 10. */
FN double trigamma_far(double x)
{
    double y = 1.0 / (x * x);
    double s = y * (1.0 / 6 - y * (1.0 / 30 - y * (1.0 / 42 - y * (1.0 / 30 - y * (5.0 / 66
             - y * (691.0 / 2730 - y * (7.0 / 6 - y * (3617.0 / 510))))))));
    return (1.0 + 0.5 / x + s) / x;
}

/* Returns x - rint(x), the signed distance of x from the nearest integer.  It is exact, so that the reflection
 * formulas remain accurate near the poles. */
FN double distance_from_integer(double x)
{
    return x - rint(x);
}

/* Returns digamma(x); NaN at 0, -1, -2, ... and at -Inf. */
FN double digamma_any(double x)
{
    double sum = 0.0;
    if (isnan(x) || x == INFINITY) return x;
    if (x <= 0.0) {
        double part = distance_from_integer(x);
        if (part == 0.0 || x == -INFINITY) return NAN;
        sum = -PI / tan(PI * part);
        x = 1.0 - x;
    }
    for (; x < 10.0; x += 1.0) sum -= 1.0 / x;
    return sum + digamma_far(x);
}

/* Returns trigamma(x); Inf at 0, -1, -2, ... and at -Inf. */
FN double trigamma_any(double x)
{
    double sum = 0.0, sign = 1.0;
    if (isnan(x)) return x;
    if (x == INFINITY) return 0.0;
    if (x <= 0.0) {
        double part = distance_from_integer(x), s = sin(PI * part);
        if (part == 0.0 || x == -INFINITY) return INFINITY;
        sum = (PI / s) * (PI / s);
        sign = -1.0;
        x = 1.0 - x;
    }
    for (; x < 10.0; x += 1.0) sum += sign / (x * x);
    return sum + sign * trigamma_far(x);
}

#endif
