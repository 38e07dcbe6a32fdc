/* The power series at infinity.
 *
 * For x > zeta, y = x - zeta, z = sec(alpha theta0) y^(-alpha) (Zolotarev 1986, section 2.4)
 *
 *     P(X > x) =        1/pi sum_{k>=1} c_k z^k / k,
 *     f(x)     = alpha/(pi y) sum_{k>=1} c_k z^k,
 *     c_k      = (-1)^(k-1) Gamma(alpha k)/Gamma(k) sin(k alpha L),
 *
 * which converges for alpha < 1 and is asymptotic for alpha > 1.  It is used, with TAIL_TERMS terms, if the last term
 * is below 1e-18 of the first and all terms decrease.  Then the remainder is below 1e-17: it is bounded by the first
 * omitted term (alpha > 1) or by the sum of a series that decreases faster than a geometric one (alpha < 1).
 */
#ifndef STABLECL_STABLE_TAIL_SERIES_H
#define STABLECL_STABLE_TAIL_SERIES_H

#include "law.h"

#define TAIL_TERMS 32

struct tail {
    double c[TAIL_TERMS];     /* c[k-1] = c_k */
    double log_z_max;         /* largest log z at which the series is used */
};

/* Returns the largest log z at which the last term is below 1e-18 of the first, from the logs of their coefficients. */
FN double tail_reach(double first, double last)
{
    return (log(1e-18 / TAIL_TERMS) + first - last) / (TAIL_TERMS - 1);
}

#define LOG_GAMMA_LAST 78.092223553315311       /* log Gamma(TAIL_TERMS) */

/* Returns an upper bound of log_z_max that is cheap to compute. */
FN double tail_limit(const struct law *law)
{
    return tail_reach(lgamma(law->alpha), lgamma(TAIL_TERMS * law->alpha) - LOG_GAMMA_LAST);
}

APART void tail_set(struct tail *t, const struct law *law, const struct side *side)
{
    double a = law->alpha, angle = a * side->L, supplement = a < 1.0 ? PI * law->eps + a * side->h : side->h;
    double m = angle < supplement ? angle : supplement, size = 0.0, first = 0.0, rise = -INFINITY, factorial = 1.0;
    for (int k = 1; k <= TAIL_TERMS; k++) {
        double before = size;
        if (k > 2) factorial *= k - 1;                           /* Gamma(k) */
        size = lgamma(a * k) - log(factorial);
        if (k == 1) first = size;
        else if (size - before > rise) rise = size - before;     /* z must compensate for the growth of c_k */
        t->c[k - 1] = exp(size) * sin(k * m);                    /* sin(k (pi - m)) = -(-1)^k sin(k m) */
        if (angle < supplement && !(k & 1)) t->c[k - 1] = -t->c[k - 1];
    }
    t->log_z_max = tail_reach(first, size);
    if (-rise < t->log_z_max) t->log_z_max = -rise;
}

/* Computes the two sums over z, without the factors alpha/(pi y) and 1/pi; requires log_z <= log_z_max. */
FN void tail_sums(const struct tail *t, double log_z, double *pdf, double *sf)
{
    double z = exp(log_z), p = 0.0, s = 0.0;
    for (int k = TAIL_TERMS; k >= 1; k--) {
        p = p * z + t->c[k - 1];
        s = s * z + t->c[k - 1] / k;
    }
    *pdf = p;
    *sf = s;
}

#endif
