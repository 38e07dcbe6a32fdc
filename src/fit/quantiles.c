/* Estimates from five sample quantiles, for every alpha in (0, 2].
 *
 * McCulloch (1986, doi:10.1080/03610918608812563) matches (q95 - q05)/(q75 - q25) and (q95 + q05 - 2 q50)/(q95 - q05).
 * As alpha decreases, the first ratio grows without bound and the second one saturates, so his tables end at alpha =
 * 0.6.  On the logarithmic scale both remain informative for all alpha:
 *
 *     spread(alpha, beta) = log((q95 - q05) / (q75 - q25))      ~ 1.9 / alpha as alpha -> 0
 *     skew(alpha, beta)   = log((q95 - q50) / (q50 - q05)) / spread
 *
 * alpha * spread, skew and alpha * log(q75 - q25) vary slowly with alpha.  These and the median of the standard S0 law
 * are tabulated over alpha and beta >= 0 by data-raw/quantile-start.R.  The S0 location is continuous at alpha = 1,
 * which therefore needs no special treatment.  The tables are inverted in two steps: for each tabulated beta, find the
 * alpha that gives the spread; then, along this curve, find the beta that gives the skew, which increases with beta.
 */
#include <math.h>
#include <string.h>
#include "fit.h"
#include "../stable/law.h"

/* Returns the interval of an increasing grid that contains x, or the first or last one if x is outside. */
static int cell_of(const double *grid, int n, double x)
{
    int k = 0;
    while (k < n - 2 && x >= grid[k + 1]) k++;
    return k;
}

/* Returns y at x, on the line through (x0, y0) and (x1, y1). */
static double between(double x0, double x1, double y0, double y1, double x)
{
    return y0 + (y1 - y0) * ((x - x0) / (x1 - x0));
}

/* Returns the x at which a tabulated y(x), increasing up to rounding, attains a value; an end point if the value is
 * outside the range of y. */
static double invert_increasing(const double *y, const double *x, int n, double value)
{
    int last = 0, steps = 0;
    if (value <= y[0]) value = y[0];
    for (int k = 1; k < n; k++) {
        if (!(y[k] - y[k - 1] > 1e-9)) continue;
        steps++;
        if (value <= y[k]) return between(y[last], y[k], x[last], x[k], value);
        last = k;
    }
    return steps ? x[last] : 0.0;
}

/* A table as a function of alpha for one beta >= 0, interpolated between two tabulated beta. */
struct line { const struct start_tables *t; const double *low, *high; double share; };

static struct line line_at(const struct start_tables *t, const double *table, double beta)
{
    int j = cell_of(t->beta, t->betas, beta);
    struct line l = { t, table + j * t->alphas, table + (j + 1) * t->alphas, 0.0 };
    l.share = (beta - t->beta[j]) / (t->beta[j + 1] - t->beta[j]);
    return l;
}

static double line_value(const struct line *l, int k)
{
    return (1.0 - l->share) * l->low[k] + l->share * l->high[k];
}

/* Returns a table interpolated at alpha and |beta|, constant outside its range of alpha. */
static double table_value(const struct start_tables *t, const double *table, double alpha, double beta)
{
    struct line l = line_at(t, table, fabs(beta));
    int k = cell_of(t->alpha, t->alphas, alpha), n = t->alphas;
    if (alpha <= t->alpha[0]) return line_value(&l, 0);
    if (alpha >= t->alpha[n - 1]) return line_value(&l, n - 1);
    return between(t->alpha[k], t->alpha[k + 1], line_value(&l, k), line_value(&l, k + 1), alpha);
}

/* Returns the alpha that gives the spread.  1/spread = alpha / (alpha * spread) increases with alpha. */
static double alpha_from_spread(const struct start_tables *t, double spread, double beta)
{
    struct line l = line_at(t, t->spread, beta);
    double last = t->alpha[0] / line_value(&l, 0), value = 1.0 / spread;
    if (value <= last) return t->alpha[0];
    for (int k = 1; k < t->alphas; k++) {
        double here = t->alpha[k] / line_value(&l, k);
        if (value <= here) return between(last, here, t->alpha[k - 1], t->alpha[k], value);
        last = here;
    }
    return t->alpha[t->alphas - 1];
}

static double log_spread(const double *q)
{
    return log((q[4] - q[0]) / (q[3] - q[1]));
}

static double log_skewness(const double *q)
{
    double right = fmax(q[4] - q[2], 2.2250738585072014e-308), left = fmax(q[2] - q[0], 2.2250738585072014e-308);
    return log(right / left) / log_spread(q);
}

/* Finds the shape that gives the skew, along the curve of shapes that give the spread. */
static void shape_on_curve(const struct problem *p, const double *q, double *alpha, double *beta)
{
    const struct start_tables *t = p->tables;
    double a[START_BETAS] = { 0.0 }, skew[START_BETAS] = { 0.0 }, wanted = log_skewness(q);
    for (int k = 0; k < t->betas; k++) {
        a[k] = p->is_fixed[ALPHA] ? p->fixed[ALPHA] : alpha_from_spread(t, log_spread(q), t->beta[k]);
        skew[k] = table_value(t, t->skew, a[k], t->beta[k]);
        if (k && skew[k] < skew[k - 1]) skew[k] = skew[k - 1];
    }
    double size = invert_increasing(skew, t->beta, t->betas, fabs(wanted));
    int k = cell_of(t->beta, t->betas, size);
    *beta = wanted < 0.0 ? -size : size;
    *alpha = between(t->beta[k], t->beta[k + 1], a[k], a[k + 1], size);
}

/* Estimates the shape from quantiles q; fixed parameters keep their values. */
static void start_shape(const struct problem *p, const double *q, double *alpha, double *beta)
{
    if (!p->is_fixed[BETA]) shape_on_curve(p, q, alpha, beta);
    else {
        *beta = p->fixed[BETA];
        *alpha = p->is_fixed[ALPHA] ? p->fixed[ALPHA] : alpha_from_spread(p->tables, log_spread(q), fabs(*beta));
    }
    *alpha = fmin(2.0, fmax(p->alpha_min, *alpha));
}

void start_estimate(const struct problem *p, const double *q, double mode, double *theta)
{
    const struct start_tables *t = p->tables;
    double alpha, beta, gamma;
    start_shape(p, q, &alpha, &beta);
    gamma = p->is_fixed[GAMMA] ? p->fixed[GAMMA]
          : (q[3] - q[1]) * exp(-table_value(t, t->quartiles, alpha, beta) / alpha);
    theta[ALPHA] = alpha;
    theta[BETA] = beta;
    theta[GAMMA] = gamma;
    theta[DELTA] = p->is_fixed[DELTA] ? p->fixed[DELTA]
          : alpha < NARROW_ALPHA ? mode + delta_minus_zeta(theta)
          : q[2] - gamma * ((beta > 0.0) - (beta < 0.0)) * table_value(t, t->median, alpha, beta);
}

void start_quartiles(const struct start_tables *t, const double *theta, double *distance, double *median)
{
    double alpha = theta[ALPHA], beta = theta[BETA], side = (beta > 0.0) - (beta < 0.0);
    *distance = theta[GAMMA] * exp(table_value(t, t->quartiles, alpha, beta) / alpha);
    *median = theta[DELTA] + theta[GAMMA] * side * table_value(t, t->median, alpha, beta);
}

void start_canonical(struct sample *s, const struct start_tables *t, double alpha_min)
{
    struct problem free_of_all = { .tables = t, .alpha_min = alpha_min };
    double alpha, beta;
    sample_reflect(s);
    start_shape(&free_of_all, s->quantile, &alpha, &beta);
    sample_standardise(s, alpha < NARROW_ALPHA);
}

/* --- the quantile estimate as a result, and maximum likelihood for alpha = 2 ----------- */

#define STEP 0.05                       /* of differences, in standard errors of the quantile */

/* Returns the covariance of the sample quantiles q_i and q_j, where the density is f_i and f_j:
 * (min(p_i, p_j) - p_i p_j)/(n f_i f_j). */
static double quantile_cov(const double *f, double total, int i, int j)
{
    double p = fmin(sample_level[i], sample_level[j]), q = 1.0 - fmax(sample_level[i], sample_level[j]);
    return p * q / (f[i] * f[j]) / total;
}

/* Computes d theta/d q_i, in slope[][i], by central differences with step h. */
static void differentiate(const struct sample *s, const struct problem *p, int i, double h,
                          double slope[PARAMETERS][SAMPLE_LEVELS])
{
    double q[SAMPLE_LEVELS], low[PARAMETERS], high[PARAMETERS];
    memcpy(q, s->quantile, sizeof q);
    q[i] = s->quantile[i] - h;
    start_estimate(p, q, s->mode, low);
    q[i] = s->quantile[i] + h;
    start_estimate(p, q, s->mode, high);
    for (int j = 0; j < PARAMETERS; j++) slope[j][i] = (high[j] - low[j]) / (2.0 * h);
}

static int densities(struct evaluator *v, const double *theta, double *f, struct status *st)
{
    const struct laws l = { { theta, 1 }, { theta + 1, 1 }, { theta + 2, 1 }, { theta + 3, 1 }, 0 };
    if (evaluate_points(v, &l, SAMPLE_LEVELS, v->sample->quantile, f, st)) return st->code;
    for (int k = 0; k < SAMPLE_LEVELS; k++) f[k] = exp(f[k]);
    return ST_OK;
}

static int covariance(struct evaluator *v, const struct problem *p, struct estimate *e, struct status *st)
{
    const struct sample *s = v->sample;
    double f[SAMPLE_LEVELS], slope[PARAMETERS][SAMPLE_LEVELS];
    if (densities(v, e->theta, f, st)) return st->code;
    for (int i = 0; i < SAMPLE_LEVELS; i++) differentiate(s, p, i, STEP * sqrt(quantile_cov(f, s->total, i, i)), slope);
    for (int a = 0; a < PARAMETERS; a++)
        for (int b = 0; b < PARAMETERS; b++) {
            e->cov[a][b] = 0.0;
            for (int i = 0; i < SAMPLE_LEVELS; i++)
                for (int j = 0; j < SAMPLE_LEVELS; j++)
                    e->cov[a][b] += slope[a][i] * quantile_cov(f, s->total, i, j) * slope[b][j];
        }
    return ST_OK;
}

int quantiles_fit(struct evaluator *v, const struct problem *p, struct estimate *e, struct status *st)
{
    const struct sample *s = v->sample;
    double theta[PARAMETERS];
    int in[PARAMETERS];

    start_estimate(p, s->quantile, s->mode, theta);
    estimate_begin(e, p, theta);
    e->end = END_CLOSED_FORM;
    if (evaluate_law(v, theta, &e->loglik, st)) return st->code;
    if (!p->wants_covariance) return ST_OK;
    estimate_free(e, p, in);
    if (theta[ALPHA] < NARROW_ALPHA && in[DELTA]) {
        in[DELTA] = 0;
        e->notes |= NOTE_MODE;
    }
    if (covariance(v, p, e, st)) return st->code;
    estimate_mask_covariance(e, in);
    return ST_OK;
}

#define LARGE_SPREAD 1e100              /* deviations whose squares are computed in units of the largest one */

/* Returns observation i in units of the canonical sample, which may be infinite (sample.h). */
static double quotient(const struct sample *s, size_t i)
{
    return fabs(s->z[i]) > SAMPLE_FAR ? s->z[i] * exp(sample_log_excess(s->z[i])) : s->z[i];
}

/* Returns a unit in which the squares of deviations from a centre do not overflow. */
static double square_unit(const struct sample *s, double centre)
{
    double maximum = s->z ? fmax(fabs(quotient(s, 0) - centre), fabs(quotient(s, s->n - 1) - centre)) : 0.0;
    return maximum > LARGE_SPREAD && maximum < INFINITY ? maximum : 1.0;
}

/* Returns the weighted sum of ((z - centre)/unit)^power, where power is 1 or 2. */
static double moment(const struct sample *s, double centre, int power, double unit)
{
    struct double_double sum = { 0.0, 0.0 };
    double shift = (s->mean - centre) / unit;
    if (!s->z) return s->total * (power == 2 ? s->variance / unit / unit + shift * shift : shift);
    for (size_t i = 0; i < s->n; i++) {
        double away = (quotient(s, i) - centre) / unit;
        sum = compensated_add(sum, sample_weight(s, i) * (power == 2 ? away * away : away));
    }
    return sum.hi + sum.lo;
}

/* With variance v = 2 gamma^2, the log-likelihood is  -total/2 log(2 pi v) - sum (z - delta)^2 / (2 v).  The sum is in
 * units of unit^2. */
void gaussian_fit(const struct sample *s, const struct problem *p, struct estimate *e)
{
    int known[PARAMETERS] = { 0, 0, !p->is_fixed[GAMMA], !p->is_fixed[DELTA] };
    double theta[PARAMETERS] = { 2.0, 0.0, p->fixed[GAMMA], p->fixed[DELTA] };
    double unit, squares, variance, ratio;

    if (p->is_fixed[BETA]) theta[BETA] = p->fixed[BETA];
    if (!p->is_fixed[DELTA]) {
        theta[DELTA] = moment(s, 0.0, 1, 1.0) / s->total;
        theta[DELTA] += moment(s, theta[DELTA], 1, 1.0) / s->total;
    }
    unit = square_unit(s, theta[DELTA]);
    squares = moment(s, theta[DELTA], 2, unit);
    if (!p->is_fixed[GAMMA]) theta[GAMMA] = unit * sqrt(squares / s->total / 2.0);
    estimate_begin(e, p, theta);
    e->end = END_GAUSSIAN;
    if (p->is_fixed[ALPHA] && p->fixed[ALPHA] != 2.0) return;
    variance = 2.0 * theta[GAMMA] * theta[GAMMA];
    ratio = unit / theta[GAMMA];
    e->loglik = -0.5 * s->total * (log(4.0 * PI) + 2.0 * log(theta[GAMMA])) - 0.25 * squares * ratio * ratio;
    e->cov[GAMMA][GAMMA] = variance / (4.0 * s->total);
    e->cov[DELTA][DELTA] = variance / s->total;
    e->cov[GAMMA][DELTA] = e->cov[DELTA][GAMMA] = 0.0;
    estimate_mask_covariance(e, known);
}

#define BESIDE_GAUSSIAN 1e-6            /* 2 - alpha of the laws with which a Gaussian one is compared */

/* To first order in 2 - alpha the log-likelihood is linear in beta: the Gaussian law is a maximum if it decreases for
 * both bounds of beta, or for the fixed beta. */
int gaussian_choose(struct evaluator *v, const struct problem *p, struct estimate *gaussian, struct estimate *e,
                    struct status *st)
{
    double theta[PARAMETERS], value;
    if (gaussian->loglik == -INFINITY) return ST_OK;
    memcpy(theta, gaussian->theta, sizeof theta);
    theta[ALPHA] = 2.0 - BESIDE_GAUSSIAN;
    for (int side = -1; side <= 1; side += 2) {
        if (!p->is_fixed[BETA]) theta[BETA] = side;
        if (evaluate_law(v, theta, &value, st)) return st->code;
        if (value <= gaussian->loglik) continue;
        gaussian->loglik = -INFINITY;
        return ST_OK;
    }
    e->loglik = -INFINITY;
    return ST_OK;
}
