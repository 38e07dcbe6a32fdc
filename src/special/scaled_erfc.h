/* The scaled complementary error function exp(t^2) erfc(t) for large arguments. */
#ifndef STABLECL_SPECIAL_SCALED_ERFC_H
#define STABLECL_SPECIAL_SCALED_ERFC_H

#include "dialect.h"

#define SQRT_PI 1.77245385090551602730

/* Returns exp(t^2) erfc(t) for t >= 10 by the asymptotic series; term 12 is below 2^-60. */
FN double scaled_erfc(double t)
{
    double u = 0.5 / (t * t), term = 1.0, sum = 1.0;
    for (int n = 1; n <= 12; n++) {
        term *= -(2 * n - 1) * u;
        sum += term;
    }
    return sum / (t * SQRT_PI);
}

#endif
