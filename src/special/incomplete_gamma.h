/* The regularised incomplete gamma functions P(a, x) and Q(a, x).
 *
 * With D and S of stirling.h and e^T = x^a e^-x / Gamma(a):
 *
 *   a >= 20 and 0.45 < x/a < 2.05: Temme's uniform expansion, eta^2/2 = x/a - 1 - log(x/a), sign of x - a:
 *       Q = erfc(eta sqrt(a/2))/2 + e^(-D(a, x)) b(eta) / (sqrt(2 pi a) (1 + b_1/a)),
 *     where, from eta/(x/a - 1) = sum f_n eta^n, integration by parts gives b_(n-1) = f_n + (n + 1) b_(n+1)/a, a
 *     backward recurrence (Gil, Segura and Temme 2012, doi:10.1137/120872553).  |eta| < 0.82 here; the radius of
 *     convergence is 3.54;
 *   otherwise, x < max(a, 1): P = e^T [1/a + x/(a (a + 1)) + ...]; if a < 1 and Q is the smaller one, then Q is
 *       -expm1(l) - a e^l sum_(n >= 1) (-x)^n / ((a + n) n!),  l = a log x - log Gamma(1 + a)
 *     (Gautschi 1979, doi:10.1145/355853.355863), with log Gamma(1 + a) by the series of Abramowitz and Stegun 6.1.33;
 *   otherwise, Q by Legendre's continued fraction e^T [1/(x + 1 - a - 1 (1 - a)/(x + 3 - a - ...))].
 *
 * At most 100 terms are needed.  Relative error, against pgamma() in R for 1e-3 <= a <= 1e6 (test-integrand-tails.R):
 * 2e-14 plus a few eps times |d log/d log x| of the returned tail.
 */
#ifndef STABLECL_SPECIAL_INCOMPLETE_GAMMA_H
#define STABLECL_SPECIAL_INCOMPLETE_GAMMA_H

#include "scaled_erfc.h"
#include "stirling.h"
#include "tails.h"

#define GAMMA_TERMS 400                 /* more than any x and a need */
#define TEMME_TERMS 26

TABLE double temme[26] = {
    1.0, -3.33333333333333333333e-1, 8.33333333333333333333e-2, -1.48148148148148148148e-2,
    1.15740740740740740741e-3, 3.52733686067019400353e-4, -1.787551440329218107e-4, 3.9192631785224377817e-5,
    -2.18544851067999216147e-6, -1.8540622107151599607e-6, 8.29671134095308600502e-7, -1.76659527368260793044e-7,
    6.70785354340149858037e-9, 1.02618097842403080426e-8, -4.38203601845335318655e-9, 9.14769958223679023418e-10,
    -2.55141939949462497669e-11, -5.83077213255042506746e-11, 2.43619480206674162437e-11, -5.02766928011417558909e-12,
    1.10043920319561347708e-13, 3.37176326240098537883e-13, -1.39238872241816206592e-13, 2.8534893807047443204e-14,
    -5.13911183424257261899e-16, -1.97522882943494428354e-15
};

/* zeta(k) - 1, k = 2, 3, ... */
#define ZETA_TERMS 26
TABLE double zeta_less_1[26] = {
    6.44934066848226436472e-1, 2.020569031595942854e-1, 8.2323233711138191516e-2, 3.69277551433699263314e-2,
    1.73430619844491397145e-2, 8.3492773819228268398e-3, 4.07735619794433937869e-3, 2.00839282608221441785e-3,
    9.94575127818085337146e-4, 4.94188604119464558702e-4, 2.46086553308048298638e-4, 1.22713347578489146752e-4,
    6.12481350587048292585e-5, 3.05882363070204935517e-5, 1.52822594086518717326e-5, 7.6371976378997622736e-6,
    3.81729326499983985646e-6, 1.90821271655393892566e-6, 9.53962033872796113152e-7, 4.76932986787806463117e-7,
    2.38450502727732990004e-7, 1.19219925965311073068e-7, 5.96081890512594796124e-8, 2.98035035146522801861e-8,
    1.49015548283650412347e-8, 7.45071178983542949198e-9
};

/* Returns log Gamma(1 + a) for 0 <= a < 1, with full relative accuracy near 0. */
FN double log_gamma_1p(double a)
{
    double u = a > 0.5 ? a - 1.0 : a, s = 0.0;
    for (int k = ZETA_TERMS - 1; k >= 0; k--) s = zeta_less_1[k] / (k + 2) - u * s;
    s = u * (0.42278433509846713939 + u * s);                   /* 1 - Euler's constant */
    return a > 0.5 ? s : s - log1p(a);
}

/* Returns exp(z^2) erfc(z) for z >= 0. */
FN double scaled_erfc_any(double z)
{
    return z < 10.0 ? exp(z * z) * erfc(z) : scaled_erfc(z);
}

/* Returns the smaller tail by Temme's uniform expansion. */
FN struct tails gamma_temme(double a, double x)
{
    double d = deviance(a, x), eta = (x < a ? -1.0 : 1.0) * sqrt(2.0 * d / a);
    double here = 0.0, b = 0.0, before = 0.0, first = 0.0;       /* b_n, b_(n + 1) */
    for (int n = TEMME_TERMS - 1; n > 0; n--) {
        double next = temme[n] + (n + 1) / a * before;
        before = b;
        b = next;
        here = here * eta + b;
        if (n == 2) first = b;
    }
    double correction = here / ((1.0 + first / a) * sqrt(2.0 * PI * a));
    struct tails t = { -d, 0.5 * scaled_erfc_any(sqrt(d)) + (x < a ? -correction : correction), x >= a };
    return t;
}

/* Returns P(a, x) by its power series. */
FN struct tails gamma_series(double a, double x)
{
    double term = 1.0 / a, sum = term;
    for (int n = 1; n < GAMMA_TERMS && term > 1e-17 * sum; n++) {
        term *= x / (a + n);
        sum += term;
    }
    struct tails t = { gamma_term(a, x), sum, 0 };
    return t;
}

/* Returns Q(a, x) for a < 1 and x < 1. */
FN struct tails gamma_small(double a, double x)
{
    double l = a * log(x) - log_gamma_1p(a), power = 1.0, sum = 0.0;
    for (int n = 1; n < 20; n++) {
        power *= -x / n;
        sum += power / (a + n);
    }
    struct tails t = { 0.0, -expm1(l) - a * exp(l) * sum, 1 };
    return t;
}

/* Returns Q(a, x) by Legendre's continued fraction. */
FN struct tails gamma_fraction(double a, double x)
{
    double b = x + 1.0 - a, c = 1e300, d = 1.0 / b, f = d, change = 0.0;
    for (int n = 1; n < GAMMA_TERMS && fabs(change - 1.0) > 2e-16; n++) {
        double top = n * (a - n);
        b += 2.0;
        d = 1.0 / (b + top * d);
        c = b + top / c;
        change = c * d;
        f *= change;
    }
    struct tails t = { gamma_term(a, x), f, 1 };
    return t;
}

FN struct tails gamma_tails(double a, double x)
{
    if (a >= 20.0 && x > 0.45 * a && x < 2.05 * a) return gamma_temme(a, x);
    if (x >= fmax(a, 1.0)) return gamma_fraction(a, x);
    struct tails t = gamma_series(a, x);
    return a < 1.0 && tails_value(t) > 0.5 ? gamma_small(a, x) : t;
}

/* Returns a tail probability of the gamma distribution with shape a and scale 1 at x, or its logarithm, with the
 * conventions of pgamma() in R. */
APART double incomplete_gamma(double x, double a, int upper, int give_log)
{
    if (isnan(x) || isnan(a)) return x + a;
    if (a < 0.0) return NAN;
    if (x <= 0.0) return tails_all(upper, give_log);
    if (a < SHAPE_LEAST || x == INFINITY) return a == INFINITY ? NAN : tails_all(!upper, give_log);
    if (a == INFINITY) return tails_all(upper, give_log);
    return tails_take(gamma_tails(a, x), upper, give_log);
}

#endif
