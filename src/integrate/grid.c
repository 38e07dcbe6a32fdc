/* integrate/grid.c: how the grid of core/warp.h follows the integrand (Lepage 1978, doi:10.1016/0021-9991(78)90004-9).
 *
 * The sum of squared values in a bin, smoothed over its neighbours with weights 1/8, 6/8, 1/8 and compressed,
 *
 *     m -> (1 - m)/(-log m)   for shares m of the total,
 *
 * is what the bin should hold; new nodes divide the sum of that into equal parts.  Some of each axis, DEFENCE/d of
 * its points, is spread evenly whatever was seen, so that no place has a weight above d/DEFENCE along an axis.
 *
 * A sharp grid takes m -> sqrt(m), which makes a product of functions of one variable constant in one step, and less
 * defence: to be had where many of the points carry the values, and their squares tell the bins well.
 */
#include <string.h>
#include "carlo.h"

#define DEFENCE  0.1
#define DEFENCE_SHARP 0.02
#define POOL     2                      /* bins that are seen as one, where few points fall into each */
#define LINE_EVENLY 0.2                 /* spread evenly, where a few lines are all that is known */

static void set_slopes(double *node)
{
    double before = 0.0;
    for (int j = 0; j < WARP_BINS; j++) {
        double step = node[2 * j + 2] - node[2 * j];
        if (j > 0) node[2 * j + 1] = before + step > 0.0 ? 2.0 * before * step / (before + step) : 0.0;
        before = step;
    }
    double first = node[2] - node[0], last = node[2 * WARP_BINS] - node[2 * WARP_BINS - 2];
    node[1] = fmin(fmax(1.5 * first - 0.5 * node[3], 0.0), 3.0 * first);
    node[2 * WARP_BINS + 1] = fmin(fmax(1.5 * last - 0.5 * node[2 * WARP_BINS - 1], 0.0), 3.0 * last);
}

/* Nodes that divide the mass into equal parts; cells of [0, 1] with ends `end` hold `mass`, 1 together, evenly. */
static void cut_evenly(const double *end, const double *mass, int cells, double *node)
{
    double reached = 0.0;
    int i = 0;
    for (int j = 1; j < WARP_BINS; j++) {
        double wanted = (double)j / WARP_BINS;
        while (i < cells - 1 && reached + mass[i] < wanted) reached += mass[i++];
        double share = mass[i] > 0.0 ? (wanted - reached) / mass[i] : 1.0;
        share = share < 1.0 ? share : 1.0;
        node[2 * j] = end[i] + (end[i + 1] - end[i]) * (share > 0.0 ? share : 0.0);
    }
    node[0] = 0.0;
    node[2 * WARP_BINS] = 1.0;
    set_slopes(node);
}

void grid_reset(struct carlo *c)
{
    for (int k = 0; k < c->dim; k++) {
        for (int j = 0; j <= WARP_BINS; j++) c->node[k][2 * j] = (double)j / WARP_BINS;
        set_slopes(c->node[k]);
    }
}

/* What bins should hold, by their shares of `total`, as compilers spread it over lanes. */
WIDE void compress(const double *restrict seen, double total, double *restrict mass)
{
    for (int j = 0; j < WARP_BINS; j++) {
        double share = seen[j] / total, less = (1.0 - share) / -log_any(share);
        less = pick(when(share > 0.0), less, 0.0);
        mass[j] = pick(when(share < 1.0), less, 1.0);
    }
}

WIDE void root(const double *restrict seen, double total, double *restrict mass)
{
    for (int j = 0; j < WARP_BINS; j++) mass[j] = sqrt(seen[j] / total);
}

static double sum_of(const double *mass)
{
    double sum = 0.0;
    for (int j = 0; j < WARP_BINS; j++) sum += mass[j];
    return sum;
}

/* Neighbours smooth each other, `pool` bins being seen as one. */
static void smooth(const double *seen, int pool, double *to)
{
    double pooled[WARP_BINS];
    int count = WARP_BINS / pool;
    for (int i = 0; i < count; i++) {
        pooled[i] = 0.0;
        for (int j = 0; j < pool; j++) pooled[i] += seen[i * pool + j] / pool;
    }
    for (int i = 0; i < count; i++) {
        double left = pooled[i > 0 ? i - 1 : 0], right = pooled[i < count - 1 ? i + 1 : i];
        for (int j = 0; j < pool; j++) to[i * pool + j] = 0.125 * left + 0.75 * pooled[i] + 0.125 * right;
    }
}

static void refine_axis(const double *seen, double evenly, int sharply, double *node)
{
    double smoothed[WARP_BINS], mass[WARP_BINS], end[WARP_BINS + 1];
    smooth(seen, sharply ? 1 : POOL, smoothed);
    double total = sum_of(smoothed);
    if (!(total > 0.0) || isinf(total)) return;
    if (sharply) root(smoothed, total, mass);
    else compress(smoothed, total, mass);
    double sum = sum_of(mass);
    for (int j = 0; j <= WARP_BINS; j++) end[j] = node[2 * j];
    for (int j = 0; j < WARP_BINS; j++) mass[j] = (1.0 - evenly) * mass[j] / sum + evenly * (end[j + 1] - end[j]);
    cut_evenly(end, mass, WARP_BINS, node);
}

/* With one grid for all axes, what they have seen is added up. */
static void share_histogram(struct carlo *c)
{
    for (int k = 1; k < c->dim; k++)
        for (int j = 0; j < WARP_BINS; j++) c->histogram[0][j] += c->histogram[k][j];
    for (int k = 1; k < c->dim; k++) memcpy(c->histogram[k], c->histogram[0], sizeof c->histogram[0]);
}

void grid_refine(struct carlo *c, int sharply)
{
    if (c->job->sampling->symmetric) share_histogram(c);
    double evenly = (sharply ? DEFENCE_SHARP : DEFENCE) / c->dim;
    for (int k = 0; k < c->dim; k++) refine_axis(c->histogram[k], evenly, sharply, c->node[k]);
}

void grid_from_lines(struct carlo *c, double (*line)[SWEEP_LINE])
{
    double end[SWEEP_LINE + 1], mass[SWEEP_LINE];
    for (int j = 0; j <= SWEEP_LINE; j++) end[j] = (double)j / SWEEP_LINE;
    if (c->job->sampling->symmetric) {
        for (int k = 1; k < c->dim; k++)
            for (int j = 0; j < SWEEP_LINE; j++) line[0][j] += line[k][j];
        for (int k = 1; k < c->dim; k++) memcpy(line[k], line[0], sizeof line[0]);
    }
    for (int k = 0; k < c->dim; k++) {
        double sum = 0.0;
        for (int j = 0; j < SWEEP_LINE; j++) sum += line[k][j];
        if (!(sum > 0.0) || isinf(sum)) continue;
        for (int j = 0; j < SWEEP_LINE; j++)
            mass[j] = (1.0 - LINE_EVENLY) * line[k][j] / sum + LINE_EVENLY / SWEEP_LINE;
        cut_evenly(end, mass, SWEEP_LINE, c->node[k]);
    }
}
