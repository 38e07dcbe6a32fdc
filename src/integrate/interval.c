#include "interval.h"
#include "../core/elementary.h"

void interval_points(const struct interval *v, double *x)
{
    for (int j = 0; j < GK_POINTS; j++) x[j] = interval_t(v->part, j);
    if (v->part.side == 0) return;
    for (int j = 0; j < GK_POINTS; j++) x[j] = part_x(v->part, x[j]);
}

void interval_halve(const struct interval *v, struct interval *left, struct interval *right)
{
    *left = *right = *v;
    left->part.high = right->part.low = 0.5 * v->part.low + 0.5 * v->part.high;
}

WIDE void add_up(const double *restrict g, double *restrict sum)
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

static struct rule_sums sums_of(const double *g)
{
    double sum[4];
    add_up(g, sum);
    struct rule_sums s = { sum[0], sum[1], sum[2], sum[3] };
    return s;
}

void interval_sum(struct interval *v, const double *f)
{
    double g[GK_ROOM] = { 0.0 };
    int finite = 1;
    interval_scale(v->part, f, g);
    struct rule_sums s = sums_of(g);
    if (!isfinite(s.kronrod)) {
        finite = interval_drop(v->part, f, g);
        s = sums_of(g);
    }
    struct estimate e = interval_estimate(v->part, f, s, finite);
    v->piece.value = e.value;
    v->piece.error = e.error;
    v->piece.size = e.size;
}
