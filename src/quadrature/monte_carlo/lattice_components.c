/* Integrates several components of an integrand by the lattices of lattice.c, with sums for each component over the same
 * points.
 *
 * A component that needs an importance map is computed by itself before, because points that follow the peaks of one
 * component underestimate the errors of the others.  The rest has the same points if it is made periodic in the same
 * way.  The lattice is doubled until all components have converged; each ends at the level at which it meets the
 * tolerance, as it does alone.
 */
#include "monte_carlo.h"
#include "../../base/memory.h"

#define SHIFTS LATTICE_SHIFTS

/* Sums over the points of a share: of the values, and of their sizes. */
struct part { double sum, size; };

/* Level m: the points number step - 1, 2 step - 1, ... of the lattice with 2^m points, for each shift.  part: the sums
 * of shares first, first + 1, ..., of all components for each. */
struct level {
    struct monte_carlo *c;
    struct lattice_component *component;
    int components, m, periodic;
    uint32 shift[SHIFTS][AXES_MAX], step, points;
    long first;
    struct part *part;
};

static int is_computed(const struct level *l, int k)
{
    return l->component[k].is_open && l->component[k].periodic == l->periodic;
}

static long shares_of_shift(const struct level *l)
{
    return (l->points + LATTICE_SHARE - 1) / LATTICE_SHARE;
}

/* Adds the values of all components at the points of a block. */
static void add_block(const struct level *l, struct workspace *b, int count, struct part *to)
{
    for (int k = 0; k < l->components; k++) {
        if (!is_computed(l, k)) continue;
        points_weigh(l->c, b, k, l->component[k].scale, count);
        for (int q = 0; q < count; q++) {
            to[k].sum += b->value[q];
            to[k].size += fabs(b->value[q]);
        }
    }
}

static void run_share(const struct level *l, int thread, long share, struct part *to)
{
    struct monte_carlo *c = l->c;
    long each = shares_of_shift(l);
    uint32 first = (uint32)(share % each) * LATTICE_SHARE;
    uint32 last = l->points - first > LATTICE_SHARE ? first + LATTICE_SHARE : l->points;
    struct workspace *b = &c->workspace[thread];

    for (int k = 0; k < l->components; k++) to[k].sum = to[k].size = 0.0;
    for (uint32 at = first; at < last && !stop_is_set(c->stop); at += (uint32)b->room) {
        int count = last - at < (uint32)b->room ? (int)(last - at) : b->room;
        points_lattice(c, b, l->shift[share / each], l->m, l->step * at + (l->step - 1), l->step, count);
        if (!points_values(c, thread, b, count)) return;
        add_block(l, b, count, to);
    }
}

static void run_shares(void *context, int thread, size_t from, size_t to)
{
    const struct level *l = context;
    for (size_t k = from; k < to; k++)
        run_share(l, l->c->thread + thread, l->first + (long)k, l->part + k * (size_t)l->components);
}

/* Adds the points of a level.  Returns 0 if the computation must stop. */
static int add_level(struct level *l)
{
    struct monte_carlo *c = l->c;
    long each = shares_of_shift(l), shares = SHIFTS * each;

    c->job->evaluations[c->integral] += (double)SHIFTS * l->points;
    for (l->first = 0; l->first < shares; l->first += LATTICE_PIECE) {
        long count = shares - l->first < LATTICE_PIECE ? shares - l->first : LATTICE_PIECE;
        mc_for(c, (size_t)count, (double)SHIFTS * l->points, run_shares, l);
        if (is_stop_requested(c->stop)) return 0;
        for (long q = 0; q < count; q++)
            for (int k = 0; k < l->components; k++) {
                const struct part *p = &l->part[q * l->components + k];
                l->component[k].sum[(l->first + q) / each] += is_computed(l, k) ? p->sum : 0.0;
                l->component[k].size += is_computed(l, k) ? p->size : 0.0;
            }
    }
    return 1;
}

/* Ends component k if it has converged, if a value was not finite, or if this is the last level. */
static void settle(struct level *l, int k, int is_first, int is_last)
{
    struct monte_carlo *c = l->c;
    struct lattice_component *s = &l->component[k];
    double means[SHIFTS];
    for (int q = 0; q < SHIFTS; q++) means[q] = ldexp(s->sum[q], -l->m);
    double mean = lattice_mean(means, SHIFTS), now = lattice_error(means, SHIFTS);
    c->component = k;
    c->scale = s->scale;
    c->not_finite = !isfinite(s->size);
    double tolerance = mc_tolerance(c, mean, ldexp(s->size, -l->m) / SHIFTS);

    s->error = fmax(now, s->before / LATTICE_GAIN);
    s->before = now;
    int is_within = !is_first && (s->size != 0.0 || l->m >= LATTICE_ZEROS) && s->error <= tolerance;
    s->is_open = !c->not_finite && !is_last && !is_within;
    if (!s->is_open) mc_finish(c, mean, s->error, is_within ? INTEGRAL_CONVERGED : INTEGRAL_MAX_EVAL);
}

static double cost(int m)
{
    return SHIFTS * (double)(1 << m);
}

/* Computes the components that are made periodic in the same way as number `leader`. */
static void run_levels(struct level *l, int leader)
{
    struct monte_carlo *c = l->c;
    int first = LATTICE_START, open = 1;

    c->periodic = l->periodic = l->component[leader].periodic;
    c->mapped = 0;
    while (first > 1 && !mc_afford(c, cost(first))) first--;
    for (int q = 0; q < SHIFTS; q++) points_shift(c, l->shift[q]);
    for (l->m = first; open > 0; l->m++) {
        l->step = l->m == first ? 1 : 2;
        l->points = 1u << (l->m == first ? l->m : l->m - 1);
        if (!add_level(l)) return;
        int is_last = l->m == LATTICE_MOST || !mc_afford(c, cost(l->m));
        open = 0;
        for (int k = 0; k < l->components; k++) {
            if (is_computed(l, k)) settle(l, k, l->m == first, is_last);
            open += is_computed(l, k);
        }
    }
}

void mc_lattice_components(struct monte_carlo *c, struct lattice_component *all)
{
    struct level l = { .c = c, .component = all, .components = c->job->components };

    l.part = memory_allocate(LATTICE_PIECE * (size_t)l.components * sizeof *l.part);
    if (!l.part) stop_all(c->stop, ST_MEMORY, "no memory for the components of an integrand");
    for (int k = 0; l.part && k < l.components && !stop_is_set(c->stop); k++)
        if (all[k].is_open) run_levels(&l, k);
    memory_release(l.part);
}
