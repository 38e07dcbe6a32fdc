/* Adapts the importance map (importance_map.h) to the integrand (Lepage 1978, doi:10.1016/0021-9991(78)90004-9).
 *
 * The sums of the squared values in the bins are smoothed over the neighbouring bins with weights 1/8, 6/8, 1/8 and
 * compressed,
 *
 *     m -> (1 - m)/(-log m)   for shares m of the total,
 *
 * which gives the mass of each bin; the new nodes divide the total mass into equal parts.  A fraction
 * UNIFORM_FRACTION/d of the points of each axis is distributed evenly in any case, so that no weight along an axis
 * exceeds d/UNIFORM_FRACTION.
 *
 * Sharp refinement uses m -> sqrt(m), which makes a product of functions of one variable constant in one step, and a
 * smaller UNIFORM_FRACTION_SHARP.  It is suitable if many of the points carry the values, so that their squares
 * determine the mass of the bins well.
 *
 * With n effective points in a round and B bins, random errors give the density of an axis a relative variance in
 * proportion to B/n, and their product over d axes d B/n.  Beyond FEW_AXES axes, neighbouring bins are merged until
 * d B is no more than n/EACH_BIN, or only MAP_BINS/POOL_MAX are left: with 16384 points and 256 bins, the error for
 * exp(-sum a |x - u|) in 50 dimensions would be 1e4 times as large.
 */
#include <string.h>
#include "monte_carlo.h"

#define UNIFORM_FRACTION  0.1
#define UNIFORM_FRACTION_SHARP 0.02
#define SUMS     8                      /* partial sums, which vectorise */
#define SUBCUBES_MAX  (MAP_BINS > LINE_POINTS ? MAP_BINS : LINE_POINTS)
#define POOL     2                      /* bins that are merged if the refinement is not sharp: each has few points */
#define FEW_AXES  12
#define POOL_MAX  64
#define EACH_BIN  4.0
#define LINE_EVENLY 0.2                 /* fraction distributed evenly if only a few lines are known */

/* Computes the slope at each interior node: the harmonic mean of the steps on both sides. */
WIDE void slopes_of(const double *restrict step, double *restrict slope)
{
    for (int j = 1; j < MAP_BINS; j++) {
        double both = step[j - 1] + step[j], mean = 2.0 * step[j - 1] * step[j] / both;
        slope[j] = blend(mask_of(both > 0.0), mean, 0.0);
    }
}

static void set_nodes(const double *x, double *node)
{
    double step[MAP_BINS], slope[MAP_BINS + 1];
    for (int j = 0; j < MAP_BINS; j++) step[j] = x[j + 1] - x[j];
    slopes_of(step, slope);
    double first = step[0], last = step[MAP_BINS - 1];
    slope[0] = fmin(fmax(1.5 * first - 0.5 * slope[1], 0.0), 3.0 * first);
    slope[MAP_BINS] = fmin(fmax(1.5 * last - 0.5 * slope[MAP_BINS - 1], 0.0), 3.0 * last);
    for (int j = 0; j <= MAP_BINS; j++) {
        node[2 * j] = x[j];
        node[2 * j + 1] = slope[j];
    }
}

/* Makes the nodes equidistant within each of `bins` bins. */
static void spread_within_bins(double *x, int bins)
{
    int each = MAP_BINS / bins;
    for (int j = 0; j < MAP_BINS; j++) {
        double from = x[j - j % each];
        x[j] = from + (x[j - j % each + each] - from) * (j % each) / each;
    }
}

/* Sets the nodes that divide the mass into equal parts.  Cells of [0, 1] with ends `end` hold `mass`, whose sum is 1,
 * evenly distributed within each cell.  Node j lies in the first cell up to whose end the mass is j/MAP_BINS or more;
 * the number of cells before it is the sum of passed[0 .. j - 1].  bins: the number of bins within which the nodes are
 * spread evenly, or 0.  (With a branch for each node and each cell, and slopes computed one by one, a map of eight axes
 * takes 17 us instead of 12.5.) */
static void set_equal_mass_nodes(const double *end, const double *mass, int subcubes, int bins, double *node)
{
    double reached[SUBCUBES_MAX + 1], x[MAP_BINS + 1];
    int passed[MAP_BINS + 1] = { 0 }, subcube = 0;
    reached[0] = 0.0;
    for (int i = 0; i < subcubes; i++) reached[i + 1] = reached[i] + mass[i];
    for (int i = 1; i < subcubes; i++) {
        int up_to = (int)(reached[i] * MAP_BINS);
        passed[up_to < MAP_BINS ? up_to : MAP_BINS]++;
    }
    for (int j = 1; j < MAP_BINS; j++) {
        subcube += passed[j - 1];
        double share = ((double)j / MAP_BINS - reached[subcube]) / mass[subcube];
        share = mass[subcube] > 0.0 && share < 1.0 ? share : 1.0;
        x[j] = end[subcube] + (end[subcube + 1] - end[subcube]) * (share > 0.0 ? share : 0.0);
    }
    x[0] = 0.0;
    x[MAP_BINS] = 1.0;
    if (bins) spread_within_bins(x, bins);
    set_nodes(x, node);
}

/* The density of the points in x is 1/x', so that the mean of x'^2 over y is the mean of the factor x' over x. */
double grid_evenness(const struct monte_carlo *c)
{
    double inverse = 1.0;
    for (int k = 0; k < c->dim; k++) {
        double mean = 0.0;
        for (int j = 0; j < MAP_BINS; j++) {
            const double *n = &c->node[k][2 * j];
            double a = n[1] * MAP_BINS, b = n[3] * MAP_BINS, middle = map_within(n[0], n[1], n[2], n[3], 0.5).slope;
            mean += (a * a + 4.0 * middle * middle + b * b) / (6.0 * MAP_BINS);
        }
        inverse *= mean;
    }
    return 1.0 / inverse;
}

void grid_reset(struct monte_carlo *c)
{
    double x[MAP_BINS + 1];
    for (int j = 0; j <= MAP_BINS; j++) x[j] = (double)j / MAP_BINS;
    for (int k = 0; k < c->dim; k++) set_nodes(x, c->node[k]);
}

/* Computes the mass of each bin from its share of `total`, in a form that compilers vectorise. */
WIDE void compress(const double *restrict histogram, double total, double *restrict mass)
{
    for (int j = 0; j < MAP_BINS; j++) {
        double share = histogram[j] / total, less = (1.0 - share) / -log_any(share);
        less = blend(mask_of(share > 0.0), less, 0.0);
        mass[j] = blend(mask_of(share < 1.0), less, 1.0);
    }
}

WIDE void compress_by_root(const double *restrict histogram, double total, double *restrict mass)
{
    for (int j = 0; j < MAP_BINS; j++) mass[j] = sqrt(histogram[j] / total);
}

static double sum_of(const double *mass)
{
    double part[SUMS] = { 0.0 }, sum = 0.0;
    for (int j = 0; j < MAP_BINS; j += SUMS)
        for (int k = 0; k < SUMS; k++) part[k] += mass[j + k];
    for (int k = 0; k < SUMS; k++) sum += part[k];
    return sum;
}

/* Smooths the sums of the bins over their neighbours, after `pool` bins are merged into one. */
static void smooth(const double *histogram, int pool, double *to)
{
    double padded[MAP_BINS + 2] = { 0.0 }, *at = padded + 1;
    int count = MAP_BINS / pool;
    for (int i = 0; i < count; i++) {
        at[i] = histogram[pool * i];
        for (int r = 1; r < pool; r++) at[i] += histogram[pool * i + r];
        at[i] /= pool;
    }
    at[-1] = at[0];
    at[count] = at[count - 1];
    for (int i = 0; i < count; i++) {
        double mean = 0.125 * at[i - 1] + 0.75 * at[i] + 0.125 * at[i + 1];
        for (int r = 0; r < pool; r++) to[pool * i + r] = mean;
    }
}

static void refine_axis(const double *histogram, double evenly, int sharply, int pool, int bins, double *node)
{
    double smoothed[MAP_BINS], mass[MAP_BINS], end[MAP_BINS + 1];
    smooth(histogram, pool, smoothed);
    double total = sum_of(smoothed);
    if (!(total > 0.0) || isinf(total)) return;
    if (sharply) compress_by_root(smoothed, total, mass);
    else compress(smoothed, total, mass);
    double sum = sum_of(mass);
    for (int j = 0; j <= MAP_BINS; j++) end[j] = node[2 * j];
    for (int j = 0; j < MAP_BINS; j++) mass[j] = (1.0 - evenly) * mass[j] / sum + evenly * (end[j + 1] - end[j]);
    set_equal_mass_nodes(end, mass, MAP_BINS, bins, node);
}

int grid_axes(const struct monte_carlo *c)
{
    return c->job->option.sampling.symmetric ? 1 : c->dim;
}

/* Copies the map of the first axis to axes that share it. */
static void share_map(struct monte_carlo *c)
{
    for (int k = grid_axes(c); k < c->dim; k++) memcpy(c->node[k], c->node[0], sizeof c->node[0]);
}

/* Returns the number of neighbouring bins that are merged. */
static int pool_of(const struct monte_carlo *c, int sharply, double effective)
{
    int bins = c->job->option.sampling.bins, pool = sharply ? 1 : POOL;
    if (bins) return MAP_BINS / bins;
    while (c->dim > FEW_AXES && pool < POOL_MAX && effective * pool < EACH_BIN * MAP_BINS * c->dim) pool *= 2;
    return pool;
}

void grid_refine(struct monte_carlo *c, int sharply, double effective)
{
    double evenly = (sharply ? UNIFORM_FRACTION_SHARP : UNIFORM_FRACTION) / c->dim;
    int pool = pool_of(c, sharply, effective);
    for (int k = 0; k < grid_axes(c); k++)
        refine_axis(c->histogram[k], evenly, sharply, pool, c->job->option.sampling.bins, c->node[k]);
    share_map(c);
}

void grid_from_lines(struct monte_carlo *c, double (*line)[LINE_POINTS])
{
    double end[LINE_POINTS + 1], mass[LINE_POINTS];
    for (int j = 0; j <= LINE_POINTS; j++) end[j] = (double)j / LINE_POINTS;
    for (int k = grid_axes(c); k < c->dim; k++)
        for (int j = 0; j < LINE_POINTS; j++) line[0][j] += line[k][j];
    for (int k = 0; k < grid_axes(c); k++) {
        double sum = 0.0;
        for (int j = 0; j < LINE_POINTS; j++) sum += line[k][j];
        if (!(sum > 0.0) || isinf(sum)) continue;
        for (int j = 0; j < LINE_POINTS; j++)
            mass[j] = (1.0 - LINE_EVENLY) * line[k][j] / sum + LINE_EVENLY / LINE_POINTS;
        set_equal_mass_nodes(end, mass, LINE_POINTS, c->job->option.sampling.bins, c->node[k]);
    }
    share_map(c);
}
