/* The first two derivatives of log Gamma.
 *
 * For x >= 10, the asymptotic series (Abramowitz and Stegun 1964, 6.3.18 and 6.4.12) with eight Bernoulli numbers; the
 * first omitted term is below 1e-17.  Smaller arguments are shifted to x >= 10 by the recurrences 6.3.5 and 6.4.6,
 * negative arguments are reflected by 6.3.7 and 6.4.7.
 *
 * Relative error: about 1e-15; next to the zeros of digamma this is the absolute error.
 */
#ifndef STABLECL_SPECIAL_DIGAMMA_H
#define STABLECL_SPECIAL_DIGAMMA_H

#include "sine_cosine.h"

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
 * formulas remain accurate next to the poles. */
FN double from_whole(double x)
{
    return x - rint(x);
}

/* Returns digamma(x); NaN at 0, -1, -2, ... and at -Inf. */
FN double digamma_any(double x)
{
    double sum = 0.0;
    if (isnan(x) || x == INFINITY) return x;
    if (x <= 0.0) {
        double part = from_whole(x);
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
        double part = from_whole(x), s = sin(PI * part);
        if (part == 0.0 || x == -INFINITY) return INFINITY;
        sum = (PI / s) * (PI / s);
        sign = -1.0;
        x = 1.0 - x;
    }
    for (; x < 10.0; x += 1.0) sum += sign / (x * x);
    return sum + sign * trigamma_far(x);
}

#endif
