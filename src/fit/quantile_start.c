#include <math.h>
#include "quantile_start.h"
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

void start_shape(const struct problem *p, const double *q, double *alpha, double *beta)
{
    if (!p->is_fixed[BETA]) shape_on_curve(p, q, alpha, beta);
    else {
        *beta = p->fixed[BETA];
        *alpha = p->is_fixed[ALPHA] ? p->fixed[ALPHA] : alpha_from_spread(p->tables, log_spread(q), fabs(*beta));
    }
    *alpha = fmin(2.0, fmax(p->alpha_min, *alpha));
}

void start_estimate(const struct problem *p, const double *q, double spike, double *theta)
{
    const struct start_tables *t = p->tables;
    double alpha, beta, gamma, delta;
    start_shape(p, q, &alpha, &beta);
    gamma = p->is_fixed[GAMMA] ? p->fixed[GAMMA]
          : (q[3] - q[1]) * exp(-table_value(t, t->quartiles, alpha, beta) / alpha);
    delta = p->is_fixed[DELTA] ? p->fixed[DELTA]
          : alpha < SPIKED_ALPHA ? spike + beta * gamma * tan(0.5 * PI * alpha)
          : q[2] - gamma * ((beta > 0.0) - (beta < 0.0)) * table_value(t, t->median, alpha, beta);
    theta[ALPHA] = alpha;
    theta[BETA] = beta;
    theta[GAMMA] = gamma;
    theta[DELTA] = delta;
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
    sample_turn(s);
    start_shape(&free_of_all, s->quantile, &alpha, &beta);
    sample_place(s, alpha < SPIKED_ALPHA);
}
