/* (df/dp)/f, where p is alpha, beta or x, computed in two ways, of which the more accurate one is used.
 *
 *     From log f, where f follows a power law or a light tail.
 *
 *     From g(p') = f(p') e^{-tilt (p' - p)} / f(p), where a light tail meets a power tail whose factor (2 - alpha,
 *     1 - beta or 1 + beta) vanishes at a boundary of the parameter space: f then has a zero next to the interval, and
 *     log f a singularity.  All values are taken relative to the largest one, so that a derivative of any size is
 *     computed, or overflows to an infinity of the correct sign.
 *
 * Error: the truncation error of the polynomial (differences.c) and the rounding errors of the values.
 */
#include <math.h>
#include "slope_estimate.h"

/* Returns the slope; 0 with an infinite error if the error is not finite, so that slopes can be compared. */
static struct slope checked(double value, double error)
{
    struct slope s = { value, error }, unknown = { 0.0, INFINITY };
    return error < INFINITY ? s : unknown;
}

/* Returns the derivative of log f from the values of log f. */
static struct slope from_logs(const struct differ *d, const struct sample *v)
{
    double change[DIFFER_NODES], truncation, slope;
    for (int k = 0; k < DIFFER_NODES; k++) change[k] = v->log_f[k] - v->log_here;
    slope = differ_slope(d, change, 0.0, &truncation);
    return checked(slope, truncation + differ_noise(d, v->error));
}

/* Returns the derivative of log f from the values of f, as (df/dp)/f. */
static struct slope from_values(const struct differ *d, const struct sample *v)
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

struct slope estimate_slope(const struct differ *d, const struct sample *v)
{
    struct slope s = from_logs(d, v);
    return estimate_miss(s) <= ENOUGH ? s : estimate_better(s, from_values(d, v));
}
