/* The regularised incomplete gamma and beta functions, as tails of a distribution.
 *
 * The tail that is computed is at most about 0.7; the other one is 1 minus it.  It is stored as exp(log_scale) factor,
 * so that its logarithm is available if it underflows.
 */
#ifndef STABLECL_SPECIAL_INCOMPLETE_H
#define STABLECL_SPECIAL_INCOMPLETE_H

#include "gamma.h"

struct tails {
    double log_scale, factor;
    int upper;                          /* 1: the upper tail is stored, 0: the lower */
};

/* Returns the stored tail. */
NOINLINE double tails_value(struct tails t)
{
    return exp(t.log_scale) * t.factor;
}

/* Returns the upper or lower tail, or its logarithm. */
NOINLINE double tails_probability(struct tails t, int upper, int give_log)
{
    if (t.upper == upper) return give_log ? t.log_scale + log(t.factor) : tails_value(t);
    return give_log ? log1p(-tails_value(t)) : 1.0 - tails_value(t);
}

/* Smaller shape parameters are treated as 0. */
#define SHAPE_MIN 1e-300

/* Returns the probability 1 (here) or 0, or its logarithm. */
FN double tails_certain(int here, int give_log)
{
    if (give_log) return here ? 0.0 : -INFINITY;
    return here ? 1.0 : 0.0;
}

/* The regularised incomplete gamma functions P(a, x) and Q(a, x).
 *
 * With D and S of gamma.h and e^T = x^a e^-x / Gamma(a):
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
    NO_UNROLL
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
NOINLINE struct tails gamma_temme(double a, double x)
{
    double d = deviance(a, x), eta = (x < a ? -1.0 : 1.0) * sqrt(2.0 * d / a);
    double here = 0.0, b = 0.0, before = 0.0, first = 0.0;       /* b_n, b_(n + 1) */
    NO_UNROLL
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
NOINLINE struct tails gamma_series(double a, double x)
{
    double term = 1.0 / a, sum = term;
    NO_UNROLL
    for (int n = 1; n < GAMMA_TERMS && term > 1e-17 * sum; n++) {
        term *= x / (a + n);
        sum += term;
    }
    struct tails t = { gamma_term(a, x), sum, 0 };
    return t;
}

/* Returns Q(a, x) for a < 1 and x < 1. */
NOINLINE struct tails gamma_small(double a, double x)
{
    double l = a * log(x) - log_gamma_1p(a), power = 1.0, sum = 0.0;
    NO_UNROLL
    for (int n = 1; n < 20; n++) {
        power *= -x / n;
        sum += power / (a + n);
    }
    struct tails t = { 0.0, -expm1(l) - a * exp(l) * sum, 1 };
    return t;
}

/* Returns Q(a, x) by Legendre's continued fraction. */
NOINLINE struct tails gamma_fraction(double a, double x)
{
    double b = x + 1.0 - a, c = 1e300, d = 1.0 / b, f = d, change = 0.0;
    NO_UNROLL
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
NOINLINE double incomplete_gamma(double x, double a, int upper, int give_log)
{
    if (isnan(x) || isnan(a)) return x + a;
    if (a < 0.0) return NAN;
    if (x <= 0.0) return tails_certain(upper, give_log);
    if (a < SHAPE_MIN || x == INFINITY) return a == INFINITY ? NAN : tails_certain(!upper, give_log);
    if (a == INFINITY) return tails_certain(upper, give_log);
    return tails_probability(gamma_tails(a, x), upper, give_log);
}

/* The regularised incomplete beta function I_x(a, b) and its complement 1 - I_x(a, b).
 *
 * Let y = 1 - x and e^T = x^a y^b / B(a, b).  As a function of v = log(t/(1 - t)), the integrand t^a (1 - t)^b is
 * log-concave with its maximum at t = a/(a + b).  For x below that,
 *
 *     I_x(a, b) = e^T int_0^inf exp(-phi(s)) ds,   phi(s) = a s + (a + b) log(1 - x + x e^-s),
 *
 * where phi is convex, increasing, and analytic for |Im s| < pi.  The 32-point Gauss-Legendre rule on (0, L), with
 * phi(L) about 40, is accurate if a >= 15 and b is not small.  phi is computed without cancellation as h s + O(s^2),
 * h = a y - b x.  A smaller a is increased by the series
 *
 *     I_x(a, b) = e^T [ 1/a + (a + b) x/(a (a + 1)) + ... ] + I_x(a + n, b).
 *
 * If the number of terms the full series needs, about sqrt(74 a/y) + 37/y, is below 300, the series is summed to
 * convergence and the integral is not needed.  If b < 1 and y < y1 = min(1/2, 1/a), the integral over the strip
 * between y and y1 is computed separately,
 *
 *     I_x(a, b) = I_(1 - y1)(a, b) + sum_k (1 - a)_k (y1^(b + k) - y^(b + k)) / (k! (b + k) B(a, b)).
 *
 * Its first term is -y1^b expm1(b log(y/y1))/b, so that the tail is also accurate for b near 0.  For x above the
 * maximum, x is swapped with y and a with b.
 *
 * Relative error, against pbeta() in R for 1e-3 <= a, b <= 1e6 (test-integrand-tails.R): 3e-14 plus a few eps times
 * |d log/d log x| of the returned tail.
 */

#define BETA_RAISED   15.0
#define BETA_DEEP     38.0              /* least phi at the end of the range of integration */
#define BETA_TOO_DEEP 60.0
#define STRIP_TERMS   80
#define SERIES_TERMS  300
#define BETA_POINTS   32

TABLE double beta_node[32] = {
    1.36806907525921822751e-3, 7.19424422736583229991e-3, 1.76188722062467846131e-2, 3.25469620311301554145e-2,
    5.18394221169739380173e-2, 7.53161931337150149332e-2, 1.02758102016028796518e-1, 1.33908940629855159806e-1,
    1.68477866534892399512e-1, 2.0614212137961883548e-1, 2.46550045533885304988e-1, 2.89324361934682327318e-1,
    3.3406569885893617511e-1, 3.80356318873931462728e-1, 4.27764019208601753257e-1, 4.75846167156130841883e-1,
    5.24153832843869158117e-1, 5.72235980791398246743e-1, 6.19643681126068537272e-1, 6.6593430114106382489e-1,
    7.10675638065317672682e-1, 7.53449954466114695012e-1, 7.9385787862038116452e-1, 8.31522133465107600488e-1,
    8.66091059370144840194e-1, 8.97241897983971203482e-1, 9.24683806866284985067e-1, 9.48160577883026061983e-1,
    9.67453037968869844585e-1, 9.82381127793753215387e-1, 9.928057557726341677e-1, 9.98631930924740781772e-1
};
TABLE double beta_weight[32] = {
    3.5093050047350483002e-3, 8.13719736545283530259e-3, 1.26960326546310297279e-2, 1.71369314565107165513e-2,
    2.14179490111133403284e-2, 2.54990296311880880981e-2, 2.93420467392677735726e-2, 3.29111113881809234188e-2,
    3.61728970544242531127e-2, 3.90969478935351532359e-2, 4.16559621134733776111e-2, 4.38260465022019055714e-2,
    4.55869393478819423564e-2, 4.69221995404022828196e-2, 4.78193600396374297095e-2, 4.82700442573639002834e-2,
    4.82700442573639002834e-2, 4.78193600396374297095e-2, 4.69221995404022828196e-2, 4.55869393478819423564e-2,
    4.38260465022019055714e-2, 4.16559621134733776111e-2, 3.90969478935351532359e-2, 3.61728970544242531127e-2,
    3.29111113881809234188e-2, 2.93420467392677735726e-2, 2.54990296311880880981e-2, 2.14179490111133403284e-2,
    1.71369314565107165513e-2, 1.26960326546310297279e-2, 8.13719736545283530259e-3, 3.5093050047350483002e-3
};

/* Returns exp(s) - 1 - s. */
FN double expm1_minus_x(double s)
{
    double t = 1.0 / 479001600 + s / 6227020800.0;
    if (fabs(s) > 0.3) return expm1(s) - s;
    t = 1.0 / 5040 + s * (1.0 / 40320 + s * (1.0 / 362880 + s * (1.0 / 3628800 + s * (1.0 / 39916800 + s * t))));
    return s * s * (0.5 + s * (1.0 / 6 + s * (1.0 / 24 + s * (1.0 / 120 + s * (1.0 / 720 + s * t)))));
}

/* The parameters, x, y = 1 - x, and h = a y - b x. */
struct beta_arguments { double a, b, x, y, h; };

/* Returns phi(s). */
NOINLINE double beta_exponent(const struct beta_arguments *p, double s)
{
    double n = p->a + p->b;
    if (p->x <= 0.5) {
        double u = p->x * expm1(-s);
        return p->h * s + n * (u < -0.3 ? log1p(u) + p->x * s : p->x * expm1_minus_x(-s) - x_minus_log1p(u));
    }
    double u = p->y * expm1(s);
    return p->h * s + n * (u > 0.5 ? log1p(u) - p->y * s : p->y * expm1_minus_x(s) - x_minus_log1p(u));
}

/* Returns the integral of exp(-phi). */
NOINLINE double beta_integral(const struct beta_arguments *p)
{
    double narrow = sqrt(2.0 * BETA_DEEP / ((p->a + p->b) * p->x * p->y)), end = narrow, sum = 0.0;
    if (p->h * end > BETA_DEEP) end = BETA_DEEP / p->h;
    NO_UNROLL
    for (int k = 0; k < 200 && beta_exponent(p, end) < BETA_DEEP; k++) end *= 1.25;
    NO_UNROLL
    for (int k = 0; k < 200 && beta_exponent(p, end) > BETA_TOO_DEEP; k++) end *= 0.92;
    NO_UNROLL
    for (int k = 0; k < BETA_POINTS; k++) sum += beta_weight[k] * exp(-beta_exponent(p, end * beta_node[k]));
    return end * sum;
}

/* Returns I_x(a, b) for x <= a/(a + b); if b is small, y must not be below y1. */
NOINLINE struct tails beta_below(double a, double b, double x, double y)
{
    struct beta_arguments p = { a, b, x, y, 0.0 };
    double term = 1.0 / a, sum = 0.0, terms = sqrt(74.0 * (a + 1.0) / y) + 37.0 / y;
    double last = terms < SERIES_TERMS ? a + SERIES_TERMS : BETA_RAISED;
    struct tails t = { beta_term(a, b, x, y), 0.0, 0 };
    for (; p.a < last && term > 1e-18 * sum; p.a += 1.0) {
        sum += term;
        term *= (p.a + b) * x / (p.a + 1.0);
    }
    p.h = p.a * y - b * x;
    t.factor = term > 1e-18 * sum ? sum + term * p.a * beta_integral(&p) : sum;
    return t;
}

/* Returns (1/B(a, b)) int_y^y1 t^(b - 1) (1 - t)^(a - 1) dt. */
NOINLINE double beta_strip(double a, double b, double y, double y1)
{
    double factor = 1.0, sum = 0.0, step = log(y / y1);
    NO_UNROLL
    for (int k = 0; k < STRIP_TERMS && fabs(factor) > 1e-18; k++) {
        sum += -factor * expm1((b + k) * step) / (b + k);
        factor *= (k + 1.0 - a) / (k + 1.0) * y1;
    }
    return sum * exp(b * log(y1) - log_beta(a, b));
}

/* Returns I_x(a, b): accurate for x <= a/(a + b), and for larger x if b is small. */
NOINLINE struct tails beta_lower(double a, double b, double x, double y)
{
    double y1 = a > 2.0 ? 1.0 / a : 0.5;
    if (b >= 1.0 || y >= y1) return beta_below(a, b, x, y);
    double inner = tails_value(beta_below(a, b, 1.0 - y1, y1));
    struct tails t = { 0.0, inner + beta_strip(a, b, y, y1), 0 };
    return t;
}

/* Returns I_x(a, b) or 1 - I_x(a, b), whichever is computed accurately. */
FN struct tails beta_tails(double a, double b, double x)
{
    double y = 1.0 - x;
    int flip = a * y < b * x;
    struct tails t = flip ? beta_lower(b, a, y, x) : beta_lower(a, b, x, y);
    if (tails_value(t) > 0.7) {                         /* the first parameter is small: compute the other tail */
        flip = !flip;
        t = flip ? beta_lower(b, a, y, x) : beta_lower(a, b, x, y);
    }
    t.upper = flip;
    return t;
}

/* Returns the support of the limit distribution for parameters that are 0 or infinite: -1 for a point mass at 0, 1 for
 * a point mass at 1, 0 for a point mass at 1/2, 2 for masses 1/2 at 0 and 1. */
FN int beta_point(double a, double b)
{
    if (a == 0.0 && b == 0.0) return 2;
    if (a == INFINITY && b == INFINITY) return 0;
    return a == 0.0 || b == INFINITY ? -1 : 1;
}

/* Returns a tail probability of the beta distribution at x, or its logarithm, with the conventions of pbeta() in R. */
NOINLINE double incomplete_beta(double x, double a, double b, int upper, int give_log)
{
    if (isnan(x) || isnan(a) || isnan(b)) return x + a + b;
    if (a < 0.0 || b < 0.0) return NAN;
    if (x <= 0.0 || x >= 1.0) return tails_certain(upper == (x <= 0.0), give_log);
    if (a < SHAPE_MIN || b < SHAPE_MIN || a == INFINITY || b == INFINITY) {
        int at = beta_point(a < SHAPE_MIN ? 0.0 : a, b < SHAPE_MIN ? 0.0 : b);
        if (at == 2) return give_log ? -0.69314718055994530942 : 0.5;
        return tails_certain(upper == (at == 1 || (at == 0 && x < 0.5)), give_log);
    }
    return tails_probability(beta_tails(a, b, x), upper, give_log);
}

#endif
