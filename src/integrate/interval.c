#include <float.h>
#include "interval.h"
#include "../core/elementary.h"

/* Narrower than some ulps of its ends. */
#define NARROW (16.0 * DBL_EPSILON)

static double abscissa(const struct interval *v, double t)
{
    return v->side == 0 ? t : v->origin + v->side * ((1.0 - t) / t);
}

static double place(const struct interval *v, int j)
{
    double centre = 0.5 * v->low + 0.5 * v->high, half = 0.5 * v->high - 0.5 * v->low;
    return centre + half * gk_node[j];
}

void interval_points(const struct interval *v, double *x)
{
    double centre = 0.5 * v->low + 0.5 * v->high, half = 0.5 * v->high - 0.5 * v->low;
    for (int j = 0; j < GK_POINTS; j++) x[j] = centre + half * gk_node[j];
    if (v->side == 0) return;
    for (int j = 0; j < GK_POINTS; j++) x[j] = abscissa(v, x[j]);
}

int interval_is_stuck(const struct interval *v)
{
    double ends = fmax(fabs(v->low), fabs(v->high));
    return v->high - v->low <= NARROW * ends || v->high - v->low < 1e-300;
}

/* The place of the last finite value on the way out, if it is 0: what is not finite beyond counts as 0. */
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
    return isfinite(furthest) && at == 0.0 ? furthest : -INFINITY;
}

/* Values that are not finite become 0; do they all count as that? */
static int drop_not_finite(const struct interval *v, const double *f, double *g)
{
    double lost = lost_below(v, f);
    int finite = 1;
    for (int j = 0; j < GK_POINTS; j++) {
        if (isfinite(g[j])) continue;
        g[j] = 0.0;
        finite &= place(v, j) < lost;
    }
    return finite;
}

static int any_finite(const double *f)
{
    for (int j = 0; j < GK_POINTS; j++)
        if (isfinite(f[j])) return 1;
    return 0;
}

/* Both rules, that for |g|, and that for the distance from the mean. */
WIDE void rules(const double *restrict g, double *restrict sum)
{
    double kronrod[LANES] = { 0.0 }, gauss[LANES] = { 0.0 }, size[LANES] = { 0.0 }, spread[LANES] = { 0.0 };
    for (int j = 0; j < GK_ROOM; j += LANES)
        for (int l = 0; l < LANES; l++) {
            kronrod[l] += gk_weight[j + l] * g[j + l];
            gauss[l] += gk_gauss_weight[j + l] * g[j + l];
            size[l] += gk_weight[j + l] * fabs(g[j + l]);
        }
    sum[0] = lanes_joined(kronrod);
    double mean = 0.5 * sum[0];
    for (int j = 0; j < GK_ROOM; j += LANES)
        for (int l = 0; l < LANES; l++) spread[l] += gk_weight[j + l] * fabs(g[j + l] - mean);
    sum[1] = lanes_joined(gauss);
    sum[2] = lanes_joined(size);
    sum[3] = lanes_joined(spread);
}

void interval_sum(struct interval *v, const double *f)
{
    double g[GK_ROOM] = { 0.0 }, sum[4], half = 0.5 * v->high - 0.5 * v->low;
    int finite = 1;
    memcpy(g, f, GK_POINTS * sizeof *g);
    for (int j = 0; j < GK_POINTS && v->side != 0; j++) g[j] /= place(v, j) * place(v, j);
    rules(g, sum);
    if (!isfinite(sum[0])) {
        finite = drop_not_finite(v, f, g);
        rules(g, sum);
    }

    struct piece *p = &v->piece;
    double error = fabs((sum[0] - sum[1]) * half), spread = sum[3] * half;
    p->value = sum[0] * half;
    p->size = sum[2] * half;
    if (spread != 0.0 && error != 0.0) {
        double r = 200.0 * error / spread;
        error = r < 1.0 ? spread * r * sqrt(r) : spread;
    }
    if (p->size > DBL_MIN / (50.0 * DBL_EPSILON)) error = fmax(error, 50.0 * DBL_EPSILON * p->size);
    p->error = finite && isfinite(p->value) ? error : INFINITY;
    if (!finite && !any_finite(f)) p->value = NAN;
}
