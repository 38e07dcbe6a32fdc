#include <float.h>
#include "interval.h"

/* Narrower than some ulps of its ends. */
#define NARROW (16.0 * DBL_EPSILON)

static double abscissa(const struct interval *v, double t)
{
    return v->side == 0 ? t : v->origin + v->side * ((1.0 - t) / t);
}

static double place(const struct interval *v, int j)
{
    double centre = 0.5 * v->low + 0.5 * v->high, half = 0.5 * v->high - 0.5 * v->low;
    double reach = half * gk_node[(j + 1) / 2];
    return j % 2 ? centre - reach : centre + reach;
}

void interval_points(const struct interval *v, double *x)
{
    for (int j = 0; j < GK_POINTS; j++) x[j] = abscissa(v, place(v, j));
}

int interval_is_stuck(const struct interval *v)
{
    double ends = fmax(fabs(v->low), fabs(v->high));
    return v->high - v->low <= NARROW * ends || v->high - v->low < 1e-300;
}

/* The place that is furthest out among values that are not finite, and are not to count; t below it is lost. */
static double lost_below(const struct interval *v, const double *f)
{
    double furthest = INFINITY, at = 0.0;
    if (v->side == 0) return -INFINITY;
    for (int j = 0; j < GK_POINTS; j++) {
        double t = place(v, j);
        if (!isfinite(f[j]) || t >= furthest) continue;
        furthest = t;
        at = f[j];
    }
    if (isinf(furthest)) return v->low == 0.0 ? INFINITY : -INFINITY;
    return at == 0.0 ? furthest : -INFINITY;
}

/* Values times dx/dt; are all of them finite? */
static int weigh(const struct interval *v, const double *f, double *g)
{
    double lost = -INFINITY;
    int finite = 1;
    for (int j = 0; j < GK_POINTS; j++) finite &= isfinite(f[j]);
    if (!finite) lost = lost_below(v, f);
    finite = 1;
    for (int j = 0; j < GK_POINTS; j++) {
        double t = place(v, j);
        g[j] = v->side == 0 ? f[j] : f[j] / (t * t);
        if (isfinite(g[j])) continue;
        g[j] = 0.0;
        finite &= t < lost;
    }
    return finite;
}

static int any_finite(const double *f)
{
    for (int j = 0; j < GK_POINTS; j++)
        if (isfinite(f[j])) return 1;
    return 0;
}

void interval_sum(struct interval *v, const double *f)
{
    double g[GK_POINTS], half = 0.5 * v->high - 0.5 * v->low;
    int finite = weigh(v, f, g);
    double kronrod = gk_weight[0] * g[0], gauss = 0.0, size = gk_weight[0] * fabs(g[0]);

    for (int i = 1; i < GK_HALF; i++) {
        double pair = g[2 * i - 1] + g[2 * i];
        kronrod += gk_weight[i] * pair;
        size += gk_weight[i] * (fabs(g[2 * i - 1]) + fabs(g[2 * i]));
        if (i % 2) gauss += gk_gauss_weight[i / 2] * pair;
    }
    double mean = 0.5 * kronrod, spread = gk_weight[0] * fabs(g[0] - mean);
    for (int i = 1; i < GK_HALF; i++)
        spread += gk_weight[i] * (fabs(g[2 * i - 1] - mean) + fabs(g[2 * i] - mean));

    double error = fabs((kronrod - gauss) * half);
    v->value = kronrod * half;
    v->size = size * half;
    spread *= half;
    if (spread != 0.0 && error != 0.0) {
        double r = 200.0 * error / spread;
        error = r < 1.0 ? spread * r * sqrt(r) : spread;
    }
    if (v->size > DBL_MIN / (50.0 * DBL_EPSILON)) error = fmax(error, 50.0 * DBL_EPSILON * v->size);
    v->error = finite && isfinite(v->value) ? error : INFINITY;
    if (!finite && !any_finite(f)) v->value = NAN;
    v->is_new = 0;
}
