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
#ifndef STABLECL_SPECIAL_INCOMPLETE_BETA_H
#define STABLECL_SPECIAL_INCOMPLETE_BETA_H

#include "stirling.h"
#include "tails.h"

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
FN double exp_gap(double s)
{
    double t = 1.0 / 479001600 + s / 6227020800.0;
    if (fabs(s) > 0.3) return expm1(s) - s;
    t = 1.0 / 5040 + s * (1.0 / 40320 + s * (1.0 / 362880 + s * (1.0 / 3628800 + s * (1.0 / 39916800 + s * t))));
    return s * s * (0.5 + s * (1.0 / 6 + s * (1.0 / 24 + s * (1.0 / 120 + s * (1.0 / 720 + s * t)))));
}

/* The parameters, x, y = 1 - x, and h = a y - b x. */
struct beta_place { double a, b, x, y, h; };

/* Returns phi(s). */
FN double beta_fall(const struct beta_place *p, double s)
{
    double n = p->a + p->b;
    if (p->x <= 0.5) {
        double u = p->x * expm1(-s);
        return p->h * s + n * (u < -0.3 ? log1p(u) + p->x * s : p->x * exp_gap(-s) - log1p_gap(u));
    }
    double u = p->y * expm1(s);
    return p->h * s + n * (u > 0.5 ? log1p(u) - p->y * s : p->y * exp_gap(s) - log1p_gap(u));
}

/* Returns the integral of exp(-phi). */
FN double beta_integral(const struct beta_place *p)
{
    double narrow = sqrt(2.0 * BETA_DEEP / ((p->a + p->b) * p->x * p->y)), end = narrow, sum = 0.0;
    if (p->h * end > BETA_DEEP) end = BETA_DEEP / p->h;
    for (int k = 0; k < 200 && beta_fall(p, end) < BETA_DEEP; k++) end *= 1.25;
    for (int k = 0; k < 200 && beta_fall(p, end) > BETA_TOO_DEEP; k++) end *= 0.92;
    for (int k = 0; k < BETA_POINTS; k++) sum += beta_weight[k] * exp(-beta_fall(p, end * beta_node[k]));
    return end * sum;
}

/* Returns I_x(a, b) for x <= a/(a + b); if b is small, y must not be below y1. */
FN struct tails beta_below(double a, double b, double x, double y)
{
    struct beta_place p = { a, b, x, y, 0.0 };
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
FN double beta_strip(double a, double b, double y, double y1)
{
    double factor = 1.0, sum = 0.0, step = log(y / y1);
    for (int k = 0; k < STRIP_TERMS && fabs(factor) > 1e-18; k++) {
        sum += -factor * expm1((b + k) * step) / (b + k);
        factor *= (k + 1.0 - a) / (k + 1.0) * y1;
    }
    return sum * exp(b * log(y1) - log_beta(a, b));
}

/* Returns I_x(a, b): accurate for x <= a/(a + b), and for larger x if b is small. */
FN struct tails beta_lower(double a, double b, double x, double y)
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
APART double incomplete_beta(double x, double a, double b, int upper, int give_log)
{
    if (isnan(x) || isnan(a) || isnan(b)) return x + a + b;
    if (a < 0.0 || b < 0.0) return NAN;
    if (x <= 0.0 || x >= 1.0) return tails_all(upper == (x <= 0.0), give_log);
    if (a < SHAPE_LEAST || b < SHAPE_LEAST || a == INFINITY || b == INFINITY) {
        int at = beta_point(a < SHAPE_LEAST ? 0.0 : a, b < SHAPE_LEAST ? 0.0 : b);
        if (at == 2) return give_log ? -0.69314718055994530942 : 0.5;
        return tails_all(upper == (at == 1 || (at == 0 && x < 0.5)), give_log);
    }
    return tails_take(beta_tails(a, b, x), upper, give_log);
}

#endif
