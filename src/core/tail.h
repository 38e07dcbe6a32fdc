/* core/tail.h: the power series at infinity.
 *
 * For x > zeta, y = x - zeta, z = sec(alpha theta0) y^(-alpha) (Zolotarev 1986, section 2.4)
 *
 *     P(X > x) = 1/pi sum_{k>=1} (-1)^(k-1) Gamma(alpha k)/k!  sin(k alpha L) z^k,
 *     f(x)     = alpha/(pi y) sum_{k>=1} (-1)^(k-1) Gamma(alpha k)/(k-1)! sin(k alpha L) z^k,
 *
 * convergent for alpha < 1, asymptotic for alpha > 1.  It is used where term k
 * of the density is below 1e-17 of the first one within TAIL_TERMS terms; the
 * remainder of an alternating series with such terms is no larger.
 */
#ifndef STABLECL_TAIL_H
#define STABLECL_TAIL_H

#include "law.h"

#define TAIL_TERMS 40

/* 1 and the two sums (without alpha/(pi y) and 1/pi) if the series may be used. */
FN int tail_sums(const struct law *law, const struct side *side, double log_z, double *pdf, double *sf)
{
    double a = law->alpha, angle = a * side->L, supplement = a < 1.0 ? PI * law->eps + a * side->h : side->h;
    double m = angle < supplement ? angle : supplement, previous = INFINITY;
    *pdf = *sf = 0.0;
    for (int k = 1; k <= TAIL_TERMS; k++) {
        double size = exp(lgamma(a * k) - lgamma(k) + k * log_z);
        double term = size * sin(k * m);                     /* sin(k (pi - m)) = -(-1)^k sin(k m) */
        if (size > previous) return 0;
        if (angle < supplement && !(k & 1)) term = -term;
        *pdf += term;
        *sf += term / k;
        previous = size;
        if (k * size < 1e-18 * *pdf) return 1;
    }
    return 0;
}

#endif
