/* Symmetric laws: estimates from the mean and the variance of log|x - median|.
 *
 * For X of S(alpha, 0, gamma, 0) and -1 < s < alpha (Zolotarev 1986, section 2.6)
 *
 *     E|X|^s = gamma^s Gamma(1 - s/alpha) / (Gamma(1 - s) cos(pi s/2)),
 *
 * whose logarithm has the derivatives at s = 0, the cumulants of log|X|,
 *
 *     k1 = log gamma + C (1/alpha - 1)                     C = 0.5772..., Euler's constant
 *     k2 = pi^2/6 (1/alpha^2 + 1/2)
 *     k3 = 2 zeta(3) (1/alpha^3 - 1)                       zeta(3) = 1.2020...
 *     k4 = pi^4/15 (1/alpha^4 - 1) + pi^4/8.
 *
 * k2 gives alpha, k1 then gamma (Ma and Nikias 1995).  The mean m and the variance v of n values have
 *
 *     n var(m) = k2,      n cov(m, v) = k3,      n var(v) = k4 + 2 k2^2,
 *
 * and d alpha/dv = -3 alpha^3/pi^2, d log gamma = dm + C/alpha^2 d alpha.  For a symmetric law k1 and k2 do not depend
 * on the centre to first order, so that its error does not matter; the error of the median is uncorrelated with those
 * of m and v, and n var(median) = 1/(4 f(0)^2), f(0) = Gamma(1 + 1/alpha)/(pi gamma).
 *
 * The deviation of each value is taken from the median of the other values.  From the median of all values the middle
 * ones would be too close, and with an odd number of values one distance would be 0, whose logarithm is infinite.  For
 * n = 500 that would change alpha by up to 0.6 standard errors.
 */
#include <math.h>
#include <string.h>
#include "fit.h"
#include "../stable/law.h"

#define EULER  0.57721566490153286061
#define ZETA_3 1.20205690315959428540

/* Returns the median of the sorted values without value i. */
static double median_of_others(const double *z, size_t n, size_t i)
{
    size_t h = n / 2;
    if (n % 2 == 0) return i < h ? z[h] : z[h - 1];
    if (i == h) return 0.5 * (z[h - 1] + z[h + 1]);
    return i < h ? 0.5 * (z[h] + z[h + 1]) : 0.5 * (z[h - 1] + z[h]);
}

/* Computes the mean of (log|z - centre| - origin)^power over the values that differ from their centre, which is the
 * fixed location or the median of the other values; *count: their number. */
static int log_moment(struct evaluator *v, const struct problem *p, double origin, int power, double *mean,
                      size_t *count, struct status *st)
{
    const struct sample *s = v->sample;
    struct double_double sum = { 0.0, 0.0 };
    *count = 0;
    for (size_t i = 0; i < s->n; i++) {
        double away = fabs(s->z[i] - (p->is_fixed[DELTA] ? p->fixed[DELTA] : median_of_others(s->z, s->n, i)));
        if (i % SUM_BLOCK == 0 && is_stop_requested(v->stop)) return fail(st, ST_INTERRUPTED, "interrupted");
        if (away == 0.0) continue;
        double y = log(away) + sample_log_excess(s->z[i]) - origin;
        sum = compensated_add(sum, power == 2 ? y * y : y);
        (*count)++;
    }
    *mean = (sum.hi + sum.lo) / (double)*count;
    return ST_OK;
}

static double alpha_from_log_variance(double variance, double alpha_min)
{
    double above = 6.0 * variance / (PI * PI) - 0.5;
    return above <= 0.25 ? 2.0 : fmax(alpha_min, 1.0 / sqrt(above));
}

/* Sets the covariance of the estimates from n values; is_known: TRUE if alpha is not estimated. */
static void set_covariance(double n, int is_known, struct estimate *e)
{
    double a = e->theta[ALPHA], gamma = e->theta[GAMMA], pi_4 = PI * PI * PI * PI;
    double k2 = PI * PI / 6.0 * (1.0 / (a * a) + 0.5), k3 = 2.0 * ZETA_3 * (1.0 / (a * a * a) - 1.0);
    double k4 = pi_4 / 15.0 * (1.0 / (a * a * a * a) - 1.0) + pi_4 / 8.0, v = k4 + 2.0 * k2 * k2;
    double slope = is_known ? 0.0 : -3.0 * a * a * a / (PI * PI), with = EULER / (a * a) * slope;
    double location = 0.5 * PI * gamma / tgamma(1.0 + 1.0 / a);
    memset(e->cov, 0, sizeof e->cov);
    e->cov[ALPHA][ALPHA] = slope * slope * v / n;
    e->cov[ALPHA][GAMMA] = e->cov[GAMMA][ALPHA] = gamma * slope * (k3 + with * v) / n;
    e->cov[GAMMA][GAMMA] = gamma * gamma * (k2 + 2.0 * with * k3 + with * with * v) / n;
    e->cov[DELTA][DELTA] = location * location / n;
}

int logmoments_fit(struct evaluator *v, const struct problem *p, struct estimate *out, size_t *omitted,
                   struct status *st)
{
    const struct sample *s = v->sample;
    double mean, variance, theta[PARAMETERS];
    int in[PARAMETERS];
    size_t count;
    if (log_moment(v, p, 0.0, 1, &mean, &count, st) || log_moment(v, p, mean, 2, &variance, &count, st))
        return st->code;
    *omitted = s->n - count;
    theta[ALPHA] = p->is_fixed[ALPHA] ? p->fixed[ALPHA] : alpha_from_log_variance(variance, p->alpha_min);
    theta[BETA] = 0.0;
    theta[GAMMA] = p->is_fixed[GAMMA] ? p->fixed[GAMMA] : exp(mean - EULER * (1.0 / theta[ALPHA] - 1.0));
    theta[DELTA] = p->is_fixed[DELTA] ? p->fixed[DELTA] : s->quantile[2];
    estimate_begin(out, p, theta);
    out->end = END_CLOSED_FORM;
    int is_known = p->is_fixed[ALPHA] || theta[ALPHA] == 2.0 || theta[ALPHA] == p->alpha_min;
    if (p->wants_covariance) set_covariance((double)count, is_known, out);
    estimate_free(out, p, in);
    estimate_mask_covariance(out, in);
    return evaluate_law(v, theta, &out->loglik, st);
}
