/* The derivative of the polynomial that interpolates a function at Chebyshev-Lobatto nodes.
 *
 * For a function that is analytic in the ellipse about the interval whose semi-axes add up to rho half-widths, the
 * coefficients a_k of the Chebyshev series decrease like rho^-k, and the derivative of the polynomial through n nodes
 * has an error of about |a_n| T_n' (Trefethen 2013, doi:10.1137/1.9781611975949, chapter 21).  a_n is estimated from
 * the last four known coefficients: the larger of the last two, times the square root of its ratio to the larger of
 * the two before.  A feature that lies between two nodes affects none of the coefficients, but it does affect the
 * value at the point itself, which is therefore compared with the polynomial, too.
 *
 * The nodes are rounded to doubles and the weights are computed from the rounded nodes, so that no step has to be
 * exact.
 */
#include <math.h>
#include "differences.h"
#include "../special/elementary.h"

#define N DIFFER_NODES

/* Returns the derivative at d->at of the polynomial that is 1 at node k and 0 at the other nodes. */
static double weight_of(const struct differ *d, int k)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        if (i == k) continue;
        double term = 1.0 / (d->node[k] - d->node[i]);
        for (int j = 0; j < N; j++)
            if (j != k && j != i) term *= (d->at - d->node[j]) / (d->node[k] - d->node[j]);
        sum += term;
    }
    return sum;
}

/* Returns the value at d->at of the same polynomial. */
static double share_of(const struct differ *d, int k)
{
    double share = 1.0;
    for (int j = 0; j < N; j++)
        if (j != k) share *= (d->at - d->node[j]) / (d->node[k] - d->node[j]);
    return share;
}

void differ_set(struct differ *d, double at, double half, double lo, double hi)
{
    double from = at - half, to = at + half, t;
    if (to > hi) {
        from = hi - 2.0 * half;
        to = hi;
    }
    if (from < lo) {
        from = lo;
        to = lo + 2.0 * half;
    }
    d->at = at;
    for (int k = 0; k < N; k++) {
        double s = sin(HALF_PI * k / (N - 1.0)), c = cos(HALF_PI * k / (N - 1.0));
        d->node[k] = 2 * k < N ? from + (to - from) * (s * s) : to - (to - from) * (c * c);
    }
    for (int k = 0; k < N; k++) {
        d->weight[k] = weight_of(d, k);
        d->share[k] = share_of(d, k);
        for (int m = 0; m < DIFFER_LAST; m++) {
            double part = k == 0 || k == N - 1 ? 0.5 : 1.0;
            if (m == 0) part *= 0.5;
            d->last[m][k] = 2.0 / (N - 1.0) * part * cos((N - 1.0 - m) * (PI - PI * k / (N - 1.0)));
        }
    }
    t = (at - from) / half - 1.0;
    d->gain = N / sqrt(1.0 - t * t + 1.0 / (N * N)) / half;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

double differ_slope(const struct differ *d, const double *value, double here, double *truncation)
{
    double slope = 0.0, off = -here, last[DIFFER_LAST] = { 0.0 };
    for (int k = 0; k < N; k++) {
        slope += d->weight[k] * value[k];
        off += d->share[k] * value[k];
        for (int m = 0; m < DIFFER_LAST; m++) last[m] += d->last[m][k] * value[k];
    }
    double end = larger(fabs(last[0]), fabs(last[1])), before = larger(fabs(last[2]), fabs(last[3]));
    if (before > end) end *= sqrt(end / before);
    *truncation = d->gain * larger(end, fabs(off));
    if (isnan(off)) *truncation = INFINITY;
    return slope;
}

double differ_noise(const struct differ *d, const double *error)
{
    double sum = 0.0;
    for (int k = 0; k < N; k++) sum += fabs(d->weight[k]) * error[k];
    return sum;
}

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
static struct slope checked(double value, double error)
{
    struct slope s = { value, error }, unknown = { 0.0, INFINITY };
    return error < INFINITY ? s : unknown;
}

/* Returns the derivative of log f from the values of log f. */
static struct slope from_logs(const struct differ *d, const struct node_values *v)
{
    double change[DIFFER_NODES], truncation, slope;
    for (int k = 0; k < DIFFER_NODES; k++) change[k] = v->log_f[k] - v->log_here;
    slope = differ_slope(d, change, 0.0, &truncation);
    return checked(slope, truncation + differ_noise(d, v->error));
}

/* Returns the derivative of log f from the values of f, as (df/dp)/f. */
static struct slope from_values(const struct differ *d, const struct node_values *v)
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
    if (miss <= 0.1 * fabs(slope) && isinf(slope * lift)) return checked(slope * lift, 0.0);   /* its sign is known */
    return checked(slope * lift + v->tilt, (miss + v->error_here * fabs(slope)) * lift);
}

double estimate_miss(struct slope s)
{
    double size = fabs(s.value);
    return s.error == 0.0 ? 0.0 : s.error / (size > 1.0 ? size : 1.0);
}

struct slope estimate_better(struct slope a, struct slope b)
{
    return estimate_miss(b) < estimate_miss(a) ? b : a;
}

struct slope estimate_slope(const struct differ *d, const struct node_values *v)
{
    struct slope s = from_logs(d, v);
    return estimate_miss(s) <= ENOUGH ? s : estimate_better(s, from_values(d, v));
}
