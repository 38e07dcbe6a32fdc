/* Integrates several components of an integrand by the lattices of lattice.c, with sums for each component over the
 * same points.
 *
 * The importance map is adapted to each component first.  Points that follow the peaks of one component would
 * underestimate the errors of the others, and lattices under a map that suits another component converge slowly.  A
 * component with pronounced peaks is therefore computed by itself.  The others have the same points, without a map: the
 * lattice is doubled until all have converged, and each ends at the level at which it meets the tolerance, as it does
 * alone.  Components that have not converged with half of the evaluations allowed are computed by themselves.
 */
#include "monte_carlo.h"
#include "../integrals.h"
#include "../../base/memory.h"

#define EVEN   0.25                     /* least effective share of the points for a constant integrand, under the map
                                           of a component without pronounced peaks */
#define SHARED 0.5                      /* largest share of the evaluations for common points */
#define SHIFTS LATTICE_SHIFTS

/* Sums over the points of a share: of the values, and of their sizes. */
struct share { double sum, size; };

/* A component: sums over the points of each shift, and their size; its error, and the one before that was limited by
 * the error of the previous level; the factor of its values. */
struct sums { double sum[SHIFTS], size, error, before, scale; int is_open; };

/* Level m: the points number step - 1, 2 step - 1, ... of the lattice with 2^m points, for each shift.  share: the sums
 * of shares first, first + 1, ..., of all components for each. */
struct level {
    struct monte_carlo *c;
    struct sums *component;
    int components, m, is_chosen, periodic;
    uint32 shift[SHIFTS][AXES_MAX], step, points;
    long first;
    struct share *share;
};

static long shares_of_shift(const struct level *l)
{
    return (l->points + LATTICE_SHARE - 1) / LATTICE_SHARE;
}

/* Adds the values of all components at the points of a block. */
static void add_block(const struct level *l, struct workspace *b, int count, struct share *to)
{
    for (int k = 0; k < l->components; k++) {
        if (!l->component[k].is_open) continue;
        points_apply_weights(l->c, b, k, l->component[k].scale, count);
        for (int q = 0; q < count; q++) {
            to[k].sum += b->value[q];
            to[k].size += fabs(b->value[q]);
        }
    }
}

static void run_share(const struct level *l, int thread, long share, struct share *to)
{
    struct monte_carlo *c = l->c;
    long each = shares_of_shift(l);
    uint32 first = (uint32)(share % each) * LATTICE_SHARE;
    uint32 last = l->points - first > LATTICE_SHARE ? first + LATTICE_SHARE : l->points;
    struct workspace *b = &c->workspace[thread];

    for (int k = 0; k < l->components; k++) to[k].sum = to[k].size = 0.0;
    for (uint32 at = first; at < last && !stop_is_set(c->stop); at += (uint32)b->capacity) {
        int count = last - at < (uint32)b->capacity ? (int)(last - at) : b->capacity;
        points_lattice(c, b, l->shift[share / each], l->m, l->step * at + (l->step - 1), l->step, count);
        if (!points_values(c, thread, b, count)) return;
        add_block(l, b, count, to);
    }
}

static void run_shares(void *context, int thread, size_t from, size_t to)
{
    const struct level *l = context;
    for (size_t k = from; k < to; k++)
        run_share(l, l->c->thread + thread, l->first + (long)k, l->share + k * (size_t)l->components);
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
                const struct share *p = &l->share[q * l->components + k];
                l->component[k].sum[(l->first + q) / each] += p->sum;
                l->component[k].size += p->size;
            }
    }
    return 1;
}

/* Ends component k if it has converged, or if a value was not finite. */
static void end_component(struct level *l, int k, int is_first)
{
    struct monte_carlo *c = l->c;
    struct sums *s = &l->component[k];
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
    s->is_open = !c->not_finite && !is_within;
    if (!s->is_open) mc_finish(c, mean, s->error, INTEGRAL_CONVERGED);
}

/* TRUE if the points of a level, on its own or in addition to those before, are within the share of common points. */
static int may_share(const struct monte_carlo *c, double points)
{
    return c->job->evaluations[c->integral] + points <= SHARED * c->job->max_eval;
}

static void run_levels(struct level *l)
{
    struct monte_carlo *c = l->c;
    int open = 1;

    c->mapped = 0;
    c->periodic = l->periodic;
    for (int q = 0; q < SHIFTS; q++) points_shift(c, l->shift[q]);
    for (l->m = LATTICE_START; open > 0 && l->m <= LATTICE_MAX; l->m++) {
        int is_first = l->m == LATTICE_START;
        l->step = is_first ? 1 : 2;
        l->points = 1u << (is_first ? l->m : l->m - 1);
        if (!may_share(c, (double)SHIFTS * l->points) || !add_level(l)) return;
        open = 0;
        for (int k = 0; k < l->components; k++) {
            if (l->component[k].is_open) end_component(l, k, is_first);
            open += l->component[k].is_open;
        }
    }
}

/* --- components ------------------------------------------------------------------------------ */

/* Adapts the importance map to component k.  Computes the component by itself if the map is far from even; otherwise
 * leaves it open.  Returns 0 if the computation must stop. */
static int begin_component(struct level *l, size_t i, int k)
{
    struct monte_carlo *c = l->c;
    struct component one;

    component_open(&one, c->job, c->sampler, k);
    if (one.job.status[i] != INTEGRAL_NOT_DONE || integral_is_trivial(&one.job, i)) return 1;
    c->component = k;
    mc_begin(c, i);
    if (!mc_adapt(c)) return 0;
    if (c->not_finite) mc_finish(c, NAN, NAN, INTEGRAL_NOT_FINITE);
    else if (c->mapped && grid_evenness(c) < EVEN) mc_lattice(c);
    else {
        c->mapped = 0;
        if (!l->is_chosen && !lattice_choose(c)) return 0;
        if (!l->is_chosen) l->periodic = c->periodic;
        l->is_chosen = 1;
        l->component[k].scale = c->scale;
        l->component[k].is_open = 1;
    }
    return !stop_is_set(c->stop);
}

/* Computes component k by itself.  Returns 0 if the computation must stop. */
static int run_alone(struct monte_carlo *c, size_t i, int k)
{
    c->component = k;
    mc_begin(c, i);
    if (!mc_adapt(c)) return 0;
    if (c->not_finite) mc_finish(c, NAN, NAN, INTEGRAL_NOT_FINITE);
    else mc_lattice(c);
    return !stop_is_set(c->stop);
}

void mc_lattice_components(struct monte_carlo *c, size_t i)
{
    size_t components = (size_t)c->job->components;
    struct level l = { .c = c, .components = (int)components };
    int is_good;

    l.component = memory_zeroed(components, sizeof *l.component);
    l.share = memory_allocate(LATTICE_PIECE * components * sizeof *l.share);
    is_good = l.component && l.share;
    if (!is_good) stop_all(c->stop, ST_MEMORY, "no memory for the components of an integrand");
    for (int k = 0; k < l.components && is_good; k++) is_good = begin_component(&l, i, k);
    if (is_good && l.is_chosen) run_levels(&l);
    for (int k = 0; k < l.components && is_good && !stop_is_set(c->stop); k++)
        if (l.component[k].is_open) is_good = run_alone(c, i, k);
    memory_release(l.component);
    memory_release(l.share);
}
