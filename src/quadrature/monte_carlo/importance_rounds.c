/* Adapts the importance map in rounds of points of a shifted lattice, which are used for nothing else.
 *
 * The variance of the weighted values v = f w is compared with that of uniform points, whose mean square is the mean of
 * v^2/w.  Rounds end when the ratio of the two no longer decreases.  The map is used if the ratio is below RATIO_MAX;
 * otherwise smooth integrands are integrated better without it.  If the effective share of the points (Kish's number,
 * below) exceeds ENOUGH, "vegas" ends the rounds earlier, and compares the map with a sharply refined one
 * (importance_map.c).  If users choose the number of rounds, all of them are run and the map is used.
 *
 * If few of the uniform points carry the sum of |f|, that is, if their effective number (sum |f|)^2/sum f^2 (Kish) is
 * below FEW, the first map comes from a search for peaks instead (peaks.c).
 */
#include <string.h>
#include "../box_jobs.h"
#include "monte_carlo.h"

#define ROUNDS   12
#define LOG2_POINTS_MAX    14                     /* a round has at most 2^LOG2_POINTS_MAX points */
#define LOG2_POINTS_MIN    9                      /* and at least 2^LOG2_POINTS_MIN */
#define SHARE_OF 24.0                   /* a round may take 1/SHARE_OF of the evaluations allowed */
#define FALLING  0.7                    /* factor by which a round must reduce the ratio of variances */
#define ENOUGH   0.75                   /* effective share of the points that ends the rounds before sharp refinement */
#define RATIO_MAX 0.25
#define FEW      20.0

struct moments { double mean, size, square, even, largest; };

/* Returns the variance of the weighted values, divided by that of uniform points. */
static double variance_ratio(const struct moments *s)
{
    double even = s->even - s->mean * s->mean;
    return even > 0.0 ? fmax(s->square - s->mean * s->mean, 0.0) / even : 1.0;
}

/* Returns the effective number among n points (Kish). */
static double effective_of(const struct moments *s, double n)
{
    return s->square > 0.0 ? n * (s->size * s->size / s->square) : 0.0;
}

/* --- a round -------------------------------------------------------------------------------- */

/* Adds the values at `count` lattice points from number `first` on. */
static void accumulate(const struct monte_carlo *c, const struct workspace *b, int first, int count,
                       struct lattice_sums *t, double (*part)[MAP_BINS])
{
    for (int q = 0; q < count; q++) lattice_add_value(t, b->value[q], b->weight[q], first + q);
    for (int k = 0; k < grid_axes(c); k++)
        for (int q = 0; q < count; q++) part[k][b->bin[k][q]] += b->value[q] * b->value[q];
}

static void pilot_share(struct monte_carlo *c, int thread, const uint32 *shift, int m, int share,
                        struct accumulator *t)
{
    int points = (1 << m) / MC_PARTS;
    struct workspace *b = &c->workspace[thread];
    double (*part)[MAP_BINS] = c->part + share * c->dim;
    memset(t, 0, sizeof *t);
    memset(part, 0, (size_t)grid_axes(c) * sizeof *part);
    for (int done = 0; done < points && !stop_is_set(c->stop); done += b->capacity) {
        int count = points - done < b->capacity ? points - done : b->capacity, first = share * points + done;
        points_lattice(c, b, shift, m, (uint32)first, 1u, count);
        if (points_values(c, thread, b, count)) accumulate(c, b, first, count, &t->sums, part);
    }
}

/* Computes the position in the unit cube, after the map, of lattice point k. */
static void point_of(const struct monte_carlo *c, const uint32 *shift, int m, uint32 k, double *at)
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
        .box = { .use = FOR_LATTICE }, .parts = 1,
        .part = { { .m = m, .periodic = c->periodic, .step = 1, .points = 1u << m } }, .shifts = 1,
        .shift = shift, .share = sums, .histogram = c->histogram[0], .binned = grid_axes(c)
    };
    if (!mc_lattice_on_device(c, &j, 0.0)) return 0;
    memset(accumulator, 0, MC_PARTS * sizeof *accumulator);
    for (size_t k = 0; k < j.box.shares; k++) lattice_join(&accumulator[k * MC_PARTS / j.box.shares].sums, &sums[k]);
    return 1;
}

struct pilot { struct monte_carlo *c; const uint32 *shift; int m; struct accumulator *accumulator; };

static void pilot_shares(void *context, int thread, size_t from, size_t to)
{
    const struct pilot *p = context;
    for (size_t share = from; share < to; share++)
        pilot_share(p->c, p->c->thread + thread, p->shift, p->m, (int)share, &p->accumulator[share]);
}

static void pilot_in_threads(struct monte_carlo *c, const uint32 *shift, int m, struct accumulator *accumulator)
{
    struct pilot p = { c, shift, m, accumulator };
    mc_for(c, MC_PARTS, (double)(1 << m), pilot_shares, &p);
    memset(c->histogram, 0, (size_t)c->dim * sizeof *c->histogram);
    for (int share = 0; share < MC_PARTS; share++)
        for (int k = 0; k < grid_axes(c); k++)
            for (int j = 0; j < MAP_BINS; j++) c->histogram[k][j] += c->part[share * c->dim + k][j];
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
        const struct lattice_sums *t = &accumulator[share].sums;
        s->mean += t->sum / points;
        s->size += t->size / points;
        s->square += t->square / points;
        s->even += t->even / points;
        s->largest = fmax(s->largest, t->largest);
        if (t->largest > 0.0) point_of(c, shift, m, (uint32)t->at, accumulator[share].at);
    }
    c->largest = s->largest;
    return !is_stop_requested(c->stop);
}

/* --- all rounds --------------------------------------------------------------------------------- */

static int pilot_level(const struct monte_carlo *c)
{
    int m = LOG2_POINTS_MAX - (c->dim < 4);
    while (m > LOG2_POINTS_MIN && (double)(1 << m) > c->job->max_eval / SHARE_OF) m--;
    return m;
}

int mc_adapt(struct monte_carlo *c)
{
    struct accumulator accumulator[MC_PARTS];
    struct moments now;
    int m = pilot_level(c), stalled = 0, few, wanted = c->job->option.sampling.adjust, is_chosen = wanted >= 0;
    double points = (double)(1 << m), before, enough = c->job->sampling->how == SAMPLE_VEGAS ? ENOUGH : 1.0;

    c->mapped = 0;
    c->effective_share = 0.0;
    grid_reset(c);
    if (!mc_may_evaluate(c, 8.0 * points)) return 1;
    c->mapped = 1;
    if (!pilot(c, m, accumulator, &now)) return 0;
    if (now.largest > MC_RANGE || (now.largest > 0.0 && now.largest < 1.0 / MC_RANGE)) {
        /* Small values may belong to the tails only, so the scale allows for a peak. */
        mc_rescale(c, now.largest, now.largest > 1.0 ? 1.0 : 1.0 / MC_RANGE);
        if (!pilot(c, m, accumulator, &now)) return 0;
    }
    few = !(now.size * now.size * points > FEW * now.square);
    if (!few && now.largest < 2.0 / MC_RANGE) mc_rescale(c, now.largest, 1.0);
    c->mapped = wanted != 0;
    if (!c->mapped) return 1;
    if (few && mc_may_evaluate(c, 4.0 * peaks_cost(c)) && !peaks_search(c, accumulator)) return 0;
    if (!few) grid_refine(c, 0, effective_of(&now, points));
    before = 1.0;
    for (int round = 1; round < (is_chosen ? wanted : ROUNDS) && mc_may_evaluate(c, 4.0 * points); round++) {
        if (!is_chosen && (stalled == 2 || c->effective_share > enough)) break;
        if (!pilot(c, m, accumulator, &now)) return 0;
        double ratio = variance_ratio(&now);
        stalled += !(ratio < FALLING * before);
        before = ratio;
        grid_refine(c, 0, effective_of(&now, points));
        c->effective_share = now.square > 0.0 ? now.size * now.size / now.square : 0.0;
    }
    c->mapped = is_chosen || before < RATIO_MAX;
    if (is_chosen || !c->mapped) c->effective_share = 0.0;
    return 1;
}

int mc_refine_map(struct monte_carlo *c, int rounds, int m)
{
    struct accumulator accumulator[MC_PARTS];
    struct moments now;
    for (int round = 0; round < rounds && mc_may_evaluate(c, 4.0 * (double)(1 << m)); round++) {
        if (!pilot(c, m, accumulator, &now)) return 0;
        grid_refine(c, 1, effective_of(&now, (double)(1 << m)));
    }
    mc_compare_again(c);
    return 1;
}
