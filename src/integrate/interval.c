#include <float.h>
#include "interval.h"
#include "../core/elementary.h"

/* Narrower than some ulps of its ends. */
#define NARROW (16.0 * DBL_EPSILON)

static double place(const struct part *p, int j)
{
    double centre = 0.5 * p->low + 0.5 * p->high, half = 0.5 * p->high - 0.5 * p->low;
    return centre + half * gk_node[j];
}

void interval_points(const struct interval *v, double *x)
{
    double centre = 0.5 * v->part.low + 0.5 * v->part.high, half = 0.5 * v->part.high - 0.5 * v->part.low;
    for (int j = 0; j < GK_POINTS; j++) x[j] = centre + half * gk_node[j];
    if (v->part.side == 0) return;
    for (int j = 0; j < GK_POINTS; j++) x[j] = part_abscissa(&v->part, x[j]);
}

void interval_halve(const struct interval *v, struct interval *left, struct interval *right)
{
    *left = *right = *v;
    left->part.high = right->part.low = 0.5 * v->part.low + 0.5 * v->part.high;
}

int interval_is_stuck(const struct interval *v)
{
    double low = v->part.low, high = v->part.high;
    return high - low <= NARROW * fmax(fabs(low), fabs(high)) || high - low < 1e-300;
}

double interval_lost_below(const struct part *p, const double *t, const double *f, int count)
{
    double furthest = INFINITY, at = 0.0;
    if (p->side == 0) return -INFINITY;
    for (int j = 0; j < count; j++) {
        if (!isfinite(f[j]) || t[j] >= furthest) continue;
        furthest = t[j];
        at = f[j];
    }
    return isfinite(furthest) && at == 0.0 ? furthest : -INFINITY;
}

/* Values that are not finite become 0; do they all count as that? */
static int drop_not_finite(const struct interval *v, const double *f, double *g)
{
    double t[GK_POINTS], lost;
    int finite = 1;
    for (int j = 0; j < GK_POINTS; j++) t[j] = place(&v->part, j);
    lost = interval_lost_below(&v->part, t, f, GK_POINTS);
    for (int j = 0; j < GK_POINTS; j++) {
        if (isfinite(g[j])) continue;
        g[j] = 0.0;
        finite &= t[j] < lost;
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
    double g[GK_ROOM] = { 0.0 }, sum[4], half = 0.5 * v->part.high - 0.5 * v->part.low;
    int finite = 1;
    memcpy(g, f, GK_POINTS * sizeof *g);
    for (int j = 0; j < GK_POINTS && v->part.side != 0; j++) g[j] /= place(&v->part, j) * place(&v->part, j);
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
