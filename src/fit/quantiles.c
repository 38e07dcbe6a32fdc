#include <math.h>
#include <string.h>
#include "quantiles.h"
#include "quantile_start.h"
#include "../stable/law.h"

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
    start_estimate(p, q, s->spike, low);
    q[i] = s->quantile[i] + h;
    start_estimate(p, q, s->spike, high);
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
    struct coordinates c = { .unit = 1.0 };
    double theta[PARAMETERS], y[PARAMETERS];
    int in[PARAMETERS];

    start_estimate(p, s->quantile, s->spike, theta);
    estimate_begin(e, p, theta);
    e->end = END_CLOSED_FORM;
    memcpy(y, theta, sizeof y);
    y[GAMMA] = log(theta[GAMMA]);
    if (evaluate_exactly(v, &c, y, &e->loglik, st)) return st->code;
    if (!p->wants_covariance) return ST_OK;
    for (int j = 0; j < PARAMETERS; j++) in[j] = !p->is_fixed[j] && e->active[j] == BOUND_NONE;
    if (e->active[ALPHA] == BOUND_UPPER) in[BETA] = 0;
    if (theta[ALPHA] < SPIKED_ALPHA && in[DELTA]) {
        in[DELTA] = 0;
        e->notes |= NOTE_MODE;
    }
    if (covariance(v, p, e, st)) return st->code;
    estimate_forget(e, in);
    return ST_OK;
}

/* Returns the weighted sum of (z - centre)^power, where power is 1 or 2. */
static double moment(const struct sample *s, double centre, int power)
{
    struct double_double sum = { 0.0, 0.0 };
    for (size_t i = 0; i < s->n; i++) {
        double away = s->z[i] - centre;
        sum = total_take(sum, (s->weight ? s->weight[i] : 1.0) * (power == 2 ? away * away : away));
    }
    return sum.hi + sum.lo;
}

/* With variance v = 2 gamma^2, the log-likelihood is  -total/2 log(2 pi v) - sum (z - delta)^2 / (2 v). */
void gaussian_fit(const struct sample *s, const struct problem *p, struct estimate *e)
{
    int known[PARAMETERS] = { 0, 0, !p->is_fixed[GAMMA], !p->is_fixed[DELTA] };
    double theta[PARAMETERS] = { 2.0, 0.0, p->fixed[GAMMA], p->fixed[DELTA] }, squares, variance;

    if (p->is_fixed[BETA]) theta[BETA] = p->fixed[BETA];
    if (!p->is_fixed[DELTA]) {
        theta[DELTA] = moment(s, 0.0, 1) / s->total;
        theta[DELTA] += moment(s, theta[DELTA], 1) / s->total;
    }
    squares = moment(s, theta[DELTA], 2);
    if (!p->is_fixed[GAMMA]) theta[GAMMA] = sqrt(squares / s->total / 2.0);
    estimate_begin(e, p, theta);
    e->end = END_GAUSSIAN;
    if (p->is_fixed[ALPHA] && p->fixed[ALPHA] != 2.0) return;
    variance = 2.0 * theta[GAMMA] * theta[GAMMA];
    e->loglik = -0.5 * s->total * log(2.0 * PI * variance) - 0.5 * squares / variance;
    e->cov[GAMMA][GAMMA] = variance / (4.0 * s->total);
    e->cov[DELTA][DELTA] = variance / s->total;
    e->cov[GAMMA][DELTA] = e->cov[DELTA][GAMMA] = 0.0;
    estimate_forget(e, known);
}
