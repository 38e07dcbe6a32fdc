/* The derivative of the polynomial that interpolates a function at Chebyshev-Lobatto nodes.
 *
 * For a function that is analytic in the ellipse about the interval whose semi-axes add up to rho half-widths, the
 * coefficients a_k of the Chebyshev series decrease like rho^-k, and the derivative of the polynomial through n nodes
 * has an error of about |a_n| T_n' (Trefethen 2019, doi:10.1137/1.9781611975949, chapter 21).  a_n is estimated from
 * the last four known coefficients: the larger of the last two, times the square root of its ratio to the larger of
 * the two before.  A feature that lies between two nodes affects none of the coefficients, but it does affect the
 * value at the point itself, which is therefore compared with the polynomial, too.
 *
 * The nodes are rounded to doubles and the weights are computed from the rounded nodes, so that no step has to be
 * exact.
 */
#ifndef STABLECL_STABLE_DIFFERENCES_H
#define STABLECL_STABLE_DIFFERENCES_H

#include "../special/elementary.h"
#include "slope.h"

#define DIFFER_NODES 10
#define DIFFER_LAST  4

struct differ {
    double at;                              /* point at which the derivative is computed */
    double node[DIFFER_NODES];
    double weight[DIFFER_NODES];            /* weights of the values in the derivative */
    double share[DIFFER_NODES];             /* weights of the values in the interpolated value */
    double last[DIFFER_LAST][DIFFER_NODES]; /* ... in the last Chebyshev coefficients, highest degree first */
    double gain;                            /* bound of |d T_n / d p| */
};

/* Returns the derivative at d->at of the polynomial that is 1 at node k and 0 at the other nodes. */
FN double differ_weight(const struct differ *d, int k)
{
    double sum = 0.0;
    for (int i = 0; i < DIFFER_NODES; i++) {
        if (i == k) continue;
        double term = 1.0 / (d->node[k] - d->node[i]);
        for (int j = 0; j < DIFFER_NODES; j++)
            if (j != k && j != i) term *= (d->at - d->node[j]) / (d->node[k] - d->node[j]);
        sum += term;
    }
    return sum;
}

/* Returns the value at d->at of the same polynomial. */
FN double differ_share(const struct differ *d, int k)
{
    double share = 1.0;
    for (int j = 0; j < DIFFER_NODES; j++)
        if (j != k) share *= (d->at - d->node[j]) / (d->node[k] - d->node[j]);
    return share;
}

/* Places the nodes in [at - reach, at + reach], or in this interval shifted into [lo, hi] if it extends beyond. */
NOINLINE void differ_set(struct differ *d, double at, double reach, double lo, double hi)
{
    double from = at - reach, to = at + reach, t;
    if (to > hi) {
        from = hi - 2.0 * reach;
        to = hi;
    }
    if (from < lo) {
        from = lo;
        to = lo + 2.0 * reach;
    }
    d->at = at;
    for (int k = 0; k < DIFFER_NODES; k++) {
        double s = sin(HALF_PI * k / (DIFFER_NODES - 1.0)), c = cos(HALF_PI * k / (DIFFER_NODES - 1.0));
        d->node[k] = 2 * k < DIFFER_NODES ? from + (to - from) * (s * s) : to - (to - from) * (c * c);
    }
    for (int k = 0; k < DIFFER_NODES; k++) {
        d->weight[k] = differ_weight(d, k);
        d->share[k] = differ_share(d, k);
        for (int m = 0; m < DIFFER_LAST; m++) {
            double part = k == 0 || k == DIFFER_NODES - 1 ? 0.5 : 1.0;
            if (m == 0) part *= 0.5;
            d->last[m][k] = 2.0 / (DIFFER_NODES - 1.0) * part
                          * cos((DIFFER_NODES - 1.0 - m) * (PI - PI * k / (DIFFER_NODES - 1.0)));
        }
    }
    t = (at - from) / reach - 1.0;
    d->gain = DIFFER_NODES / sqrt(1.0 - t * t + 1.0 / (DIFFER_NODES * DIFFER_NODES)) / reach;
}

FN double differ_larger(double a, double b)
{
    return a > b ? a : b;
}

/* Returns the derivative from the values at the nodes.  *truncation estimates the truncation error; it accounts for the
 * difference between the polynomial at `at` and the known value `here`. */
NOINLINE double differ_slope(const struct differ *d, const double *value, double here, double *truncation)
{
    double slope = 0.0, off = -here, last[DIFFER_LAST] = { 0.0 };
    for (int k = 0; k < DIFFER_NODES; k++) {
        slope += d->weight[k] * value[k];
        off += d->share[k] * value[k];
        for (int m = 0; m < DIFFER_LAST; m++) last[m] += d->last[m][k] * value[k];
    }
    double end = differ_larger(fabs(last[0]), fabs(last[1])), before = differ_larger(fabs(last[2]), fabs(last[3]));
    if (before > end) end *= sqrt(end / before);
    *truncation = d->gain * differ_larger(end, fabs(off));
    if (isnan(off)) *truncation = INFINITY;
    return slope;
}

/* Returns a bound of the derivative's error from the absolute errors of the values. */
FN double differ_noise(const struct differ *d, const double *error)
{
    double sum = 0.0;
    for (int k = 0; k < DIFFER_NODES; k++) sum += fabs(d->weight[k]) * error[k];
    return sum;
}

#define ENOUGH 5e-11                    /* an error that need not be reduced further */

/* log f at the nodes and at the point itself, their absolute errors, and the tilt per unit of the parameter. */
struct node_values {
    double log_f[DIFFER_NODES], error[DIFFER_NODES];
    double log_here, error_here;
    double tilt;
};

/* The derivative of log f, (df/dp)/f, where p is alpha, beta or x, is computed in two ways, of which the more accurate
 * one is used.
 *
 *     From log f, where f follows a power law or a light tail.
 *
 *     From g(p') = f(p') e^{-tilt (p' - p)} / f(p), where a light tail meets a power tail whose factor (2 - alpha,
 *     1 - beta or 1 + beta) vanishes at a boundary of the parameter space: f then has a zero next to the interval, and
 *     log f a singularity.  All values are taken relative to the largest one, so that a derivative of any size is
 *     computed, or overflows to an infinity of the correct sign.
 *
 * Error: the truncation error of the polynomial and the rounding errors of the values.
 */

/* Returns the slope; 0 with an infinite error if the error is not finite, so that slopes can be compared. */
FN struct slope estimate_checked(double value, double error)
{
    struct slope s = { value, error }, unknown = { 0.0, INFINITY };
    return error < INFINITY ? s : unknown;
}

/* Returns the derivative of log f from the values of log f. */
FN struct slope estimate_from_logs(const struct differ *d, const struct node_values *v)
{
    double change[DIFFER_NODES], truncation, slope;
    for (int k = 0; k < DIFFER_NODES; k++) change[k] = v->log_f[k] - v->log_here;
    slope = differ_slope(d, change, 0.0, &truncation);
    return estimate_checked(slope, truncation + differ_noise(d, v->error));
}

/* Returns the derivative of log f from the values of f, as (df/dp)/f. */
FN struct slope estimate_from_values(const struct differ *d, const struct node_values *v)
{
    double log_g[DIFFER_NODES], g[DIFFER_NODES], error[DIFFER_NODES], top = -INFINITY, truncation, slope, miss, lift;
    for (int k = 0; k < DIFFER_NODES; k++) {
        log_g[k] = v->log_f[k] - v->tilt * (d->node[k] - d->at);
        if (log_g[k] > top) top = log_g[k];
    }
    for (int k = 0; k < DIFFER_NODES; k++) {
        g[k] = exp(log_g[k] - top);
        error[k] = g[k] * v->error[k];
    }
    slope = differ_slope(d, g, exp(v->log_here - top), &truncation);
    miss = truncation + differ_noise(d, error);
    lift = exp(top - v->log_here);
    if (miss <= 0.1 * fabs(slope) && isinf(slope * lift))     /* its sign is known */
        return estimate_checked(slope * lift, 0.0);
    return estimate_checked(slope * lift + v->tilt, (miss + v->error_here * fabs(slope)) * lift);
}

/* Returns the derivative and an estimate of its error; the error is infinite if no derivative was found. */
NOINLINE struct slope estimate_slope(const struct differ *d, const struct node_values *v)
{
    struct slope s = estimate_from_logs(d, v);
    return estimate_miss(s) <= ENOUGH ? s : estimate_better(s, estimate_from_values(d, v));
}

#endif
