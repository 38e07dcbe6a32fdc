/* integrate/gk.c: ranges as intervals for the rule of Gauss and Kronrod (core/interval.h). */
#include "piece.h"
#include "../core/elementary.h"
#include "../core/interval.h"

struct part {
    struct piece piece;
    struct interval at;
};

static size_t begin(const struct integral_job *j, size_t i, int panels, void *room)
{
    struct part *to = room, p = { .piece = { .integral = i, .is_new = 1 } };
    struct interval whole;
    size_t count = 0;
    double low, high;

    range_of(j, i, 0, &low, &high);
    for (int k = 0; interval_of_range(low, high, j->breaks, j->break_count, k, &whole); k++)
        for (int panel = 0; panel < panels; panel++) {
            p.at = interval_panel(whole, panel, panels);
            to[count++] = p;
        }
    return count;
}

static size_t most(const struct integral_job *j, int panels)
{
    return (size_t)(2 * (j->break_count + 1) * panels);
}

static void place(const void *piece, double *const *x)
{
    struct interval v = ((const struct part *)piece)->at;
    for (int j = 0; j < GK_POINTS; j++) x[0][j] = interval_t(v, j);
    for (int j = 0; j < GK_POINTS && v.side != 0; j++) x[0][j] = interval_x(v, x[0][j]);
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

static void sum(void *piece, const double *f)
{
    struct part *p = piece;
    double g[GK_ROOM] = { 0.0 }, sum[4];
    int finite = interval_weigh(p->at, f, g);

    add_up(g, sum);
    struct rule_sums sums = { sum[0], sum[1], sum[2], sum[3] };
    struct estimate e = interval_estimate(p->at, f, sums, finite);
    p->piece.value = e.value;
    p->piece.error = e.error;
    p->piece.size = e.size;
}

static void halve(const void *piece, void *left, void *right)
{
    const struct part *p = piece;
    struct part *l = left, *r = right;
    *l = *r = *p;
    l->at.high = r->at.low = 0.5 * p->at.low + 0.5 * p->at.high;
}

static int is_stuck(const void *piece)
{
    return interval_is_stuck(((const struct part *)piece)->at);
}

int integrate_gk(const struct integral_job *job, const struct sampler *sampler, poll_function poll, struct status *st)
{
    static const struct cutting cut = {
        sizeof(struct part), GK_POINTS, PANELS, PANELS_ZERO, 0, begin, most, place, sum, halve, is_stuck
    };
    return integrate_adaptive(job, &cut, sampler, poll, st);
}
