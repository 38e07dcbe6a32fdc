/* Adapts the importance map in rounds of points of a shifted lattice, which are used for nothing else.
 *
 * The variance of the weighted values v = f w is compared with that of uniform points, whose mean square is the mean of
 * v^2/w.  Rounds end when the ratio of the two no longer decreases.  The map is used if the ratio is below QUARTER;
 * otherwise smooth integrands are integrated better without it.  If the effective share of the points (Kish's number,
 * below) exceeds ENOUGH, "vegas" ends the rounds earlier, and compares the map with a sharply refined one
 * (importance_map.c).
 *
 * If few of the uniform points carry the sum of |f|, that is, if their effective number (sum |f|)^2/sum f^2 (Kish) is
 * below FEW, the first map comes from a search for peaks instead (peaks.c).
 */
#include <string.h>
#ifdef _OPENMP
#  include <omp.h>
#endif
#include "../box_jobs.h"
#include "monte_carlo.h"

#define ROUNDS   12
#define PILOT    14                     /* a round has at most 2^PILOT points */
#define LEAST    9                      /* and at least 2^LEAST */
#define SHARE_OF 24.0                   /* a round may take 1/SHARE_OF of the evaluations allowed */
#define FALLING  0.7                    /* factor by which a round must reduce the ratio of variances */
#define ENOUGH   0.75                   /* effective share of the points that ends the rounds before sharp refinement */
#define QUARTER  0.25
#define FEW      20.0

struct moments { double mean, size, square, even, largest; };

/* Returns the variance of the weighted values, divided by that of uniform points. */
static double remainder_of(const struct moments *s)
{
    double even = s->even - s->mean * s->mean;
    return even > 0.0 ? fmax(s->square - s->mean * s->mean, 0.0) / even : 1.0;
}

/* --- a round -------------------------------------------------------------------------------- */

static void accumulate(const struct monte_carlo *c, const struct workspace *b, int count, struct accumulator *t,
                       double (*part)[MAP_BINS])
{
    int best = -1;
    for (int q = 0; q < count; q++) {
        double v = b->value[q], size = fabs(v);
        t->sum += v;
        t->size += size;
        t->square += v * v;
        if (v != 0.0) t->even += v * v / b->weight[q];
        if (size > t->largest) {
            t->largest = size;
            best = q;
        }
    }
    for (int k = 0; k < c->dim; k++) {
        for (int q = 0; q < count; q++) part[k][b->bin[k][q]] += b->value[q] * b->value[q];
        if (best >= 0) t->at[k] = importance_map(c->node[k], b->y[k][best], b->bin[k][best]).x;
    }
}

static void pilot_share(struct monte_carlo *c, const uint32 *shift, int m, int share, struct accumulator *t)
{
    int thread = mc_thread(c), points = (1 << m) / MC_PARTS;
    struct workspace *b = &c->workspace[thread];
    memset(t, 0, sizeof *t);
    memset(c->part[share], 0, sizeof c->part[share]);
    for (int done = 0; done < points && !ATOMIC_READ(c->stop); done += b->room) {
        int count = points - done < b->room ? points - done : b->room;
        points_lattice(c, b, shift, m, (uint32)(share * points + done), 1u, count);
        if (points_values(c, thread, b, count)) accumulate(c, b, count, t, c->part[share]);
    }
}

/* Computes the position in the unit cube, after the map, of lattice point k. */
static void place_of(const struct monte_carlo *c, const uint32 *shift, int m, uint32 k, double *at)
{
    for (int axis = 0; axis < c->dim; axis++) {
        double y = unit_share(lattice_phase(k, lattice_generator[axis], m, shift[axis]));
        at[axis] = importance_map(c->node[axis], y, map_bin(y)).x;
    }
}

static int pilot_on_device(struct monte_carlo *c, const uint32 *shift, int m, struct accumulator *accumulator)
{
    struct lattice_sums *sums = c->space->lattice;
    struct lattice_job j = {
        .parts = 1, .part = { { .m = m, .periodic = c->periodic, .step = 1, .points = 1u << m } }, .shifts = 1,
        .shift = shift, .share = sums, .histogram = c->histogram[0]
    };
    if (!mc_lattice_on_device(c, &j)) return 0;
    memset(accumulator, 0, MC_PARTS * sizeof *accumulator);
    for (size_t k = 0; k < j.box.shares; k++) {
        struct accumulator *t = &accumulator[k * MC_PARTS / j.box.shares];
        t->sum += sums[k].sum;
        t->size += sums[k].size;
        t->square += sums[k].square;
        t->even += sums[k].even;
        if (!(sums[k].largest > t->largest)) continue;
        t->largest = sums[k].largest;
        place_of(c, shift, m, (uint32)sums[k].at, t->at);
    }
    return 1;
}

static void pilot_in_threads(struct monte_carlo *c, const uint32 *shift, int m, struct accumulator *accumulator)
{
    int threads = mc_threads(c, (double)(1 << m));
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
#endif
    for (int share = 0; share < MC_PARTS; share++) pilot_share(c, shift, m, share, &accumulator[share]);
    (void)threads;
    memset(c->histogram, 0, sizeof c->histogram);
    for (int share = 0; share < MC_PARTS; share++)
        for (int k = 0; k < c->dim; k++)
            for (int j = 0; j < MAP_BINS; j++) c->histogram[k][j] += c->part[share][k][j];
}

/* Runs a round of 2^m points and computes its moments.  Returns 0 if the computation must stop. */
static int pilot(struct monte_carlo *c, int m, struct accumulator *accumulator, struct moments *s)
{
    uint32 shift[AXES_MAX];
    double points = (double)(1 << m);

    points_shift(c, shift);
    c->job->evaluations[c->integral] += points;
    if (!pilot_on_device(c, shift, m, accumulator)) pilot_in_threads(c, shift, m, accumulator);
    memset(s, 0, sizeof *s);
    for (int share = 0; share < MC_PARTS; share++) {
        s->mean += accumulator[share].sum / points;
        s->size += accumulator[share].size / points;
        s->square += accumulator[share].square / points;
        s->even += accumulator[share].even / points;
        s->largest = fmax(s->largest, accumulator[share].largest);
    }
    return !mc_stopped(c);
}

/* --- all rounds --------------------------------------------------------------------------------- */

static int pilot_level(const struct monte_carlo *c)
{
    int m = PILOT - (c->dim < 4);
    while (m > LEAST && (double)(1 << m) > c->job->max_eval / SHARE_OF) m--;
    return m;
}

int mc_adapt(struct monte_carlo *c)
{
    struct accumulator accumulator[MC_PARTS];
    struct moments now;
    int m = pilot_level(c), late = 0, few;
    double points = (double)(1 << m), before, enough = c->job->sampling->how == SAMPLE_VEGAS ? ENOUGH : 1.0;

    c->mapped = 0;
    c->carried = 0.0;
    grid_reset(c);
    if (!mc_afford(c, 8.0 * points)) return 1;
    c->mapped = 1;
    if (!pilot(c, m, accumulator, &now)) return 0;
    if (now.largest > MC_RANGE || (now.largest > 0.0 && now.largest < 1.0 / MC_RANGE)) {
        /* Small values may belong to the tails only, so the scale leaves room for a peak. */
        mc_rescale(c, now.largest, now.largest > 1.0 ? 1.0 : 1.0 / MC_RANGE);
        if (!pilot(c, m, accumulator, &now)) return 0;
    }
    few = !(now.size * now.size * points > FEW * now.square);
    if (!few && now.largest < 2.0 / MC_RANGE) mc_rescale(c, now.largest, 1.0);
    if (few && mc_afford(c, 4.0 * peaks_cost(c)) && !peaks_search(c, accumulator)) return 0;
    if (!few) grid_refine(c, 0);
    before = 1.0;
    for (int round = 1; round < ROUNDS && late < 2 && mc_afford(c, 4.0 * points); round++) {
        if (c->carried > enough) break;
        if (!pilot(c, m, accumulator, &now)) return 0;
        double left = remainder_of(&now);
        late += !(left < FALLING * before);
        before = left;
        grid_refine(c, 0);
        c->carried = now.square > 0.0 ? now.size * now.size / now.square : 0.0;
    }
    c->mapped = before < QUARTER;
    if (!c->mapped) c->carried = 0.0;
    return 1;
}

int mc_refine_map(struct monte_carlo *c, int rounds, int m)
{
    struct accumulator accumulator[MC_PARTS];
    struct moments now;
    for (int round = 0; round < rounds && mc_afford(c, 4.0 * (double)(1 << m)); round++) {
        if (!pilot(c, m, accumulator, &now)) return 0;
        grid_refine(c, 1);
    }
    return 1;
}
