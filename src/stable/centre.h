/* The slope of the log density next to zeta.
 *
 * With y = x - zeta, u = y cos(alpha theta0)^(1/alpha) and theta0 = L - pi/2 (Zolotarev 1986, section 2.4)
 *
 *     f(x) ~ sum_{k>=0} Gamma((k+1)/alpha) / k!  cos((k+1) theta0 - k pi/2) u^k,
 *
 * which converges for alpha > 1 and is asymptotic for alpha < 1.  For |u| <= CENTRE_REACH and alpha >= CENTRE_ALPHA the
 * first omitted term is below 1e-20.  The series remains accurate as y -> 0, where the derivative of Zolotarev's
 * integral is divided by y.
 */
#ifndef STABLECL_STABLE_CENTRE_H
#define STABLECL_STABLE_CENTRE_H

#include "law.h"

#define CENTRE_ALPHA 0.95
#define CENTRE_REACH 0.05
#define CENTRE_TERMS 20

/* Returns u. */
FN double centre_u(const struct law *law, double y)
{
    return y * exp(-law->log_sec / law->alpha);
}

/* Returns d log f / d x at zeta + y for alpha >= CENTRE_ALPHA and |u| <= CENTRE_REACH. */
FN double centre_slope(const struct law *law, double y)
{
    double u = centre_u(law, y), theta0 = law->right.L - HALF_PI;
    double f = tgamma(1.0 / law->alpha) * cos(theta0), slope = 0.0, power = 1.0;
    for (int k = 1; k <= CENTRE_TERMS; k++) {
        double c = tgamma((k + 1) / law->alpha) * cos((k + 1) * theta0 - k * HALF_PI) * power;
        slope += c;                               /* power = u^(k-1)/(k-1)! */
        f += c * u / k;
        power *= u / k;
    }
    return slope / f * exp(-law->log_sec / law->alpha);
}

/* Returns d log f / d x at zeta + y for alpha < 1 from the terms of the series up to the smallest.  *error is the size
 * of the smallest term, without its cosine, since the remainder is of that size, plus the rounding error of the terms.
 * It is infinite where f is no longer approximately f(zeta). */
FN double centre_slope_below_one(const struct law *law, double y, double *error)
{
    double inv = 1.0 / law->alpha, theta0 = law->right.L - HALF_PI, log_u = log(fabs(y) + 1e-300) - law->log_sec * inv;
    double f = cos(theta0), slope = 0.0, last = INFINITY, sum = 0.0, log_first = lgamma(inv);
    for (int k = 1; k <= CENTRE_TERMS; k++) {
        double log_size = lgamma((k + 1) * inv) - log_first - lgamma((double) k) + (k - 1) * log_u;
        double size = exp(log_size), c = size * cos((k + 1) * theta0 - k * HALF_PI);
        if (!(size < last) || size == 0.0) break;
        if (y < 0.0 && !(k & 1)) c = -c;                 /* u^(k-1) */
        slope += c;
        sum += size;
        f += c * exp(log_u) * (y < 0.0 ? -1.0 : 1.0) / k;
        last = size;
    }
    slope *= exp(-law->log_sec * inv) / f;
    last = (last + 1e-14 * sum) * exp(-law->log_sec * inv) / fabs(f);
    *error = fabs(y * slope) < 0.1 ? last * (1.0 + fabs(y * slope)) : INFINITY;
    return slope;
}

#endif
