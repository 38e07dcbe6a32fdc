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

#define DIFFERENCE_NODES 10
#define DIFFERENCE_COEFFICIENTS 4

struct difference_rule {
    double at;                              /* point at which the derivative is computed */
    double node[DIFFERENCE_NODES];
    double weight[DIFFERENCE_NODES];        /* weights of the values in the derivative */
    double value_weight[DIFFERENCE_NODES];  /* weights of the values in the interpolated value */
    double last[DIFFERENCE_COEFFICIENTS][DIFFERENCE_NODES];  /* ... in the last Chebyshev coefficients, from the highest
                                                                degree down */
    double derivative_bound;                /* bound of |d T_n / d p| */
};

/* Returns the derivative at d->at of the polynomial that is 1 at node k and 0 at the other nodes. */
FN double derivative_weight(const struct difference_rule *d, int k)
{
    double sum = 0.0;
    for (int i = 0; i < DIFFERENCE_NODES; i++) {
        if (i == k) continue;
        double term = 1.0 / (d->node[k] - d->node[i]);
        for (int j = 0; j < DIFFERENCE_NODES; j++)
            if (j != k && j != i) term *= (d->at - d->node[j]) / (d->node[k] - d->node[j]);
        sum += term;
    }
    return sum;
}

/* Returns the value at d->at of the same polynomial. */
FN double value_weight(const struct difference_rule *d, int k)
{
    double value_weight = 1.0;
    for (int j = 0; j < DIFFERENCE_NODES; j++)
        if (j != k) value_weight *= (d->at - d->node[j]) / (d->node[k] - d->node[j]);
    return value_weight;
}

/* Places the nodes in [at - reach, at + reach], or in this interval shifted into [lo, hi] if it extends beyond. */
NOINLINE void difference_rule_set(struct difference_rule *d, double at, double reach, double lo, double hi)
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
    for (int k = 0; k < DIFFERENCE_NODES; k++) {
        double s = sin(HALF_PI * k / (DIFFERENCE_NODES - 1.0)), c = cos(HALF_PI * k / (DIFFERENCE_NODES - 1.0));
        d->node[k] = 2 * k < DIFFERENCE_NODES ? from + (to - from) * (s * s) : to - (to - from) * (c * c);
    }
    for (int k = 0; k < DIFFERENCE_NODES; k++) {
        d->weight[k] = derivative_weight(d, k);
        d->value_weight[k] = value_weight(d, k);
        for (int m = 0; m < DIFFERENCE_COEFFICIENTS; m++) {
            double part = k == 0 || k == DIFFERENCE_NODES - 1 ? 0.5 : 1.0;
            if (m == 0) part *= 0.5;
            d->last[m][k] = 2.0 / (DIFFERENCE_NODES - 1.0) * part
                          * cos((DIFFERENCE_NODES - 1.0 - m) * (PI - PI * k / (DIFFERENCE_NODES - 1.0)));
        }
    }
    t = (at - from) / reach - 1.0;
    d->derivative_bound = DIFFERENCE_NODES / sqrt(1.0 - t * t + 1.0 / (DIFFERENCE_NODES * DIFFERENCE_NODES)) / reach;
}

FN double maximum_of(double a, double b)
{
    return a > b ? a : b;
}

/* Returns the derivative from the values at the nodes.  *truncation estimates the truncation error; it accounts for the
 * difference between the polynomial at `at` and the known value `here`. */
NOINLINE double difference_slope(const struct difference_rule *d, const double *value, double here, double *truncation)
{
    double slope = 0.0, deviation = -here, last[DIFFERENCE_COEFFICIENTS] = { 0.0 };
    for (int k = 0; k < DIFFERENCE_NODES; k++) {
        slope += d->weight[k] * value[k];
        deviation += d->value_weight[k] * value[k];
        for (int m = 0; m < DIFFERENCE_COEFFICIENTS; m++) last[m] += d->last[m][k] * value[k];
    }
    double end = maximum_of(fabs(last[0]), fabs(last[1])), before = maximum_of(fabs(last[2]), fabs(last[3]));
    if (before > end) end *= sqrt(end / before);
    *truncation = d->derivative_bound * maximum_of(end, fabs(deviation));
    if (isnan(deviation)) *truncation = INFINITY;
    return slope;
}

/* Returns a bound of the derivative's error from the absolute errors of the values. */
FN double difference_rounding_error(const struct difference_rule *d, const double *error)
{
    double sum = 0.0;
    for (int k = 0; k < DIFFERENCE_NODES; k++) sum += fabs(d->weight[k]) * error[k];
    return sum;
}

#define SLOPE_TOLERANCE 5e-11           /* an error that need not be reduced further */

/* log f at the nodes and at the point itself, their absolute errors, and the tilt per unit of the parameter. */
struct node_values {
    double log_f[DIFFERENCE_NODES], error[DIFFERENCE_NODES];
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

/* Returns the slope, or 0 with an infinite error if the error is not finite, so that slopes can be compared. */
FN struct slope slope_if_finite(double value, double error)
{
    struct slope s = { value, error }, unknown = { 0.0, INFINITY };
    return error < INFINITY ? s : unknown;
}

/* Returns the derivative of log f from the values of log f. */
FN struct slope estimate_from_logs(const struct difference_rule *d, const struct node_values *v)
{
    double change[DIFFERENCE_NODES], truncation, slope;
    for (int k = 0; k < DIFFERENCE_NODES; k++) change[k] = v->log_f[k] - v->log_here;
    slope = difference_slope(d, change, 0.0, &truncation);
    return slope_if_finite(slope, truncation + difference_rounding_error(d, v->error));
}

/* Returns the derivative of log f from the values of f, as (df/dp)/f. */
FN struct slope estimate_from_values(const struct difference_rule *d, const struct node_values *v)
{
    double log_g[DIFFERENCE_NODES], g[DIFFERENCE_NODES], error[DIFFERENCE_NODES];
    double top = -INFINITY, truncation, slope, slope_error, factor;
    for (int k = 0; k < DIFFERENCE_NODES; k++) {
        log_g[k] = v->log_f[k] - v->tilt * (d->node[k] - d->at);
        if (log_g[k] > top) top = log_g[k];
    }
    for (int k = 0; k < DIFFERENCE_NODES; k++) {
        g[k] = exp(log_g[k] - top);
        error[k] = g[k] * v->error[k];
    }
    slope = difference_slope(d, g, exp(v->log_here - top), &truncation);
    slope_error = truncation + difference_rounding_error(d, error);
    factor = exp(top - v->log_here);
    if (slope_error <= 0.1 * fabs(slope) && isinf(slope * factor))   /* its sign is known */
        return slope_if_finite(slope * factor, 0.0);
    return slope_if_finite(slope * factor + v->tilt, (slope_error + v->error_here * fabs(slope)) * factor);
}

/* Returns the derivative and an estimate of its error; the error is infinite if no derivative was found. */
NOINLINE struct slope estimate_slope(const struct difference_rule *d, const struct node_values *v)
{
    struct slope s = estimate_from_logs(d, v);
    return slope_relative_error(s) <= SLOPE_TOLERANCE ? s : slope_more_accurate(s, estimate_from_values(d, v));
}

#endif
