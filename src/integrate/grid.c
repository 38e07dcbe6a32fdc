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
        double share = mass[i] > 0.0 ? fmin((wanted - reached) / mass[i], 1.0) : 1.0;
        node[2 * j] = end[i] + (end[i + 1] - end[i]) * fmax(share, 0.0);
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

static double compressed(double share)
{
    if (share <= 0.0) return 0.0;
    return share >= 1.0 ? 1.0 : (1.0 - share) / -log(share);
}

static double pooled(const double *seen, int from, int pool)
{
    double sum = 0.0;
    for (int j = from; j < from + pool; j++) sum += seen[j];
    return sum / pool;
}

static void refine_axis(const double *seen, double evenly, int sharply, double *node)
{
    double mass[WARP_BINS], end[WARP_BINS + 1], total = 0.0, sum = 0.0;
    int pool = sharply ? 1 : POOL;
    for (int j = 0; j < WARP_BINS; j++) {
        int from = j - j % pool;
        double own = pooled(seen, from, pool);
        double left = from > 0 ? pooled(seen, from - pool, pool) : own;
        double right = from + pool < WARP_BINS ? pooled(seen, from + pool, pool) : own;
        mass[j] = 0.125 * left + 0.75 * own + 0.125 * right;
        total += mass[j];
        end[j] = node[2 * j];
    }
    end[WARP_BINS] = 1.0;
    if (!(total > 0.0) || isinf(total)) return;
    for (int j = 0; j < WARP_BINS; j++) sum += mass[j] = sharply ? sqrt(mass[j] / total) : compressed(mass[j] / total);
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

void grid_from_lines(struct carlo *c, double (*line)[LINE])
{
    double end[LINE + 1], mass[LINE];
    for (int j = 0; j <= LINE; j++) end[j] = (double)j / LINE;
    if (c->job->sampling->symmetric) {
        for (int k = 1; k < c->dim; k++)
            for (int j = 0; j < LINE; j++) line[0][j] += line[k][j];
        for (int k = 1; k < c->dim; k++) memcpy(line[k], line[0], sizeof line[0]);
    }
    for (int k = 0; k < c->dim; k++) {
        double sum = 0.0;
        for (int j = 0; j < LINE; j++) sum += line[k][j];
        if (!(sum > 0.0) || isinf(sum)) continue;
        for (int j = 0; j < LINE; j++) mass[j] = (1.0 - LINE_EVENLY) * line[k][j] / sum + LINE_EVENLY / LINE;
        cut_evenly(end, mass, LINE, c->node[k]);
    }
}
