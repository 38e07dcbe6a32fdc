/* Globally adaptive quadrature, breadth-first: each round evaluates the new subregions of several integrals together.
 *
 * An integral is finished when the sum E of the errors of its subregions is within its tolerance, which is at least 100
 * eps times the integral of |f|: below that, rounding errors dominate.  Otherwise the subregions with the largest
 * errors are bisected (split in two, not always in the middle), as many as are needed to bring the errors of the others
 * to a quarter of the tolerance or, if the rule specifies it, to a share of E.  The result of an integral depends
 * neither on other integrals nor on threads: subregions are stored in the order of their integrals, and sums are formed
 * in this order.
 *
 * If the rule specifies it, the errors of two halves add up to at least those expected from their difference from the
 * whole, or are raised by comparing neighbours.  An integral also ends if subregions too narrow to be bisected have an
 * infinite error, or one that exceeds the tolerance while that of the others is negligible: it could not decrease.  A
 * range on which every value is 0 is examined again with more subregions before 0 is accepted.
 *
 * Each thread processes a group of integrals at a time, few enough for their subregions to stay in its cache.  An
 * integral that takes long is handed over to a separate store, whose subregions are evaluated by all threads together,
 * or by a device if that is useful.
 */
#include <string.h>
#include "../limits.h"
#include "subregion.h"
#include "../../base/memory.h"

#define SLAB          32768             /* integrals after which those handed over are completed */
#define GROUP_BLOCKS  16                /* blocks that the initial points of a group fill */
#define GROUPS_EACH   8                 /* least number of groups for each thread */
#define LONG_IN_BATCH 1e6               /* evaluations after which one of many integrals is handed over, */
#define LONG_ALONE    1e5               /* and one of few integrals */
#define PARTS_MOST    4                 /* parts of a singular subregion in a round, at most; of others: 2 */
#define JOB_SUBREGIONS    ((size_t)1 << 17) /* largest number of subregions for a device at a time, about 20 MB */
#define CHUNKS 4                        /* chunks that a thread evaluates between two checks for interrupts */
#define INTEGRAL_ZERO (-1)              /* temporary status: all values were 0, to be examined again */

struct refinement;

/* The subregions of several integrals, those of each integral stored consecutively. */
struct region_store {
    struct refinement *refinement;
    const struct integral_job *job;
    const struct subdivision *cut;
    const struct sampler *sampler;
    int thread;                         /* number of the thread that works on it, or ALL */
    char *at, *next;
    double *work;                       /* errors of an integral's subregions, to be ordered */
    size_t *fresh;                      /* indices of the new subregions in `next` */
    size_t count, next_count, room;
    int points;                         /* points of each new subregion, which are all of one kind */
};

#define ALL (-1)

/* A store for each thread, and the one on which all threads work. */
struct refinement {
    struct region_store *member, all;
    int members, first_intervals;
    struct stop_flag stop_flag;
    double enough;                      /* evaluations after which an integral is handed over */
    double *workspace;                  /* for each thread: coordinates, parameters and values of a chunk, */
    size_t stride;                      /* in arrays of this length */
    size_t *todo;                       /* numbers of the integrals of a slab */
};

static struct subregion *subregion_at(const struct region_store *f, char *base, size_t k)
{
    return (struct subregion *)(void *)(base + k * f->cut->bytes);
}

/* --- room ----------------------------------------------------------------- */

static int enlarge(void *where, size_t bytes)
{
    void *old, *new;
    memcpy(&old, where, sizeof old);
    new = memory_resize(old, bytes);
    if (new) memcpy(where, &new, sizeof new);
    return new != NULL;
}

static int reserve(struct region_store *f, size_t count)
{
    if (count <= f->room) return ST_OK;
    size_t room = count + count / 2;
    if (!enlarge(&f->at, room * f->cut->bytes) || !enlarge(&f->next, room * f->cut->bytes) ||
        !enlarge(&f->work, room * sizeof *f->work) || !enlarge(&f->fresh, room * sizeof *f->fresh)) {
        stop_all(&f->refinement->stop_flag, ST_MEMORY, "no memory for more intervals or boxes");
        return ST_MEMORY;
    }
    f->room = room;
    return ST_OK;
}

/* --- values ------------------------------------------------------------------- */

/* Returns the number of subregions in a chunk: as many as a block holds, at least one.  Subregions that are processed
 * together are not separated. */
static size_t chunk_subregions(const struct region_store *f)
{
    size_t fit = (size_t)(f->sampler->block / f->points), together = (size_t)f->cut->together;
    if (fit > together) fit -= fit % together;
    return fit ? fit : 1;
}

/* Returns the array for input k of `count` points: that of the sampler if it accepts all points at once. */
static double *column_of(const struct region_store *f, int thread, size_t count, int k)
{
    const struct sampler *s = f->sampler;
    size_t columns = (size_t)(f->job->dim + f->job->parameters + 1);
    if (count <= (size_t)s->block) return s->input(s->self, thread, k);
    return f->refinement->workspace + ((size_t)thread * columns + (size_t)k) * f->refinement->stride;
}

/* Returns the values at `count` points; NULL if the sampler failed. */
static const double *sample(const struct region_store *f, int thread, size_t count)
{
    const struct sampler *s = f->sampler;
    int inputs = f->job->dim + f->job->parameters;
    if (count <= (size_t)s->block) return s->run(s->self, thread, (int)count);
    double *y = column_of(f, thread, count, inputs);
    for (size_t at = 0; at < count; at += (size_t)s->block) {
        size_t part = count - at < (size_t)s->block ? count - at : (size_t)s->block;
        for (int k = 0; k < inputs; k++)
            memcpy(s->input(s->self, thread, k), column_of(f, thread, count, k) + at, part * sizeof *y);
        const double *values = s->run(s->self, thread, (int)part);
        if (!values) return NULL;
        memcpy(y + at, values, part * sizeof *y);
    }
    return y;
}

/* Collects the new subregions that are processed together, from entry v of the list on, before entry `to`.  Returns
 * their number. */
static int get_subregions(const struct region_store *f, size_t v, size_t to, void **subregion)
{
    int count = 0;
    for (; count < f->cut->together && v < to; v++) subregion[count++] = subregion_at(f, f->next, f->fresh[v]);
    return count;
}

/* Stores the coordinates and parameters of the points of `count` subregions, from point number `first` of `all` on. */
static void set_points(const struct region_store *f, int thread, void *const *subregion, int count, size_t first,
                       size_t all)
{
    const struct integral_job *j = f->job;
    double *x[AXES_MAX];
    for (int k = 0; k < j->dim; k++) x[k] = column_of(f, thread, all, k) + first;
    f->cut->place(f->cut, subregion, count, x);
    for (int k = 0; k < j->parameters; k++) {
        double *to = column_of(f, thread, all, j->dim + k) + first;
        for (int p = 0; p < count; p++) {
            double value = j->parameter[(size_t)k * j->n + ((const struct subregion *)subregion[p])->integral];
            for (int q = 0; q < f->points; q++) to[q * count + p] = value;
        }
    }
}

static void finalise_subregion(const struct region_store *f, struct subregion *p)
{
    p->is_new = 0;
    p->is_stuck = f->cut->is_stuck(p) != 0;
}

static void evaluate_chunk(struct region_store *f, int thread, size_t from, size_t to)
{
    size_t points = (size_t)f->points, together = (size_t)f->cut->together, all = (to - from) * points;
    void *subregion[TOGETHER];

    for (size_t v = from; v < to; v += together)
        set_points(f, thread, subregion, get_subregions(f, v, to, subregion), (v - from) * points, all);
    const double *y = sample(f, thread, all);
    if (!y) {
        stop_interrupted(&f->refinement->stop_flag);
        return;
    }
    for (size_t v = from; v < to; v += together) {
        int count = get_subregions(f, v, to, subregion);
        f->cut->sum(subregion, count, y + (v - from) * points);
        for (int p = 0; p < count; p++) finalise_subregion(f, subregion[p]);
    }
}

static struct box_device *device_of(const struct refinement *t)
{
    return t->all.cut->on_device ? t->all.sampler->device : NULL;
}

/* Returns the end of a device's job that begins with new subregion number `from`: subregions of one integral. */
static size_t job_end(const struct region_store *f, size_t from, size_t count)
{
    size_t to = from, integral = subregion_at(f, f->next, f->fresh[from])->integral;
    while (to < count && to - from < JOB_SUBREGIONS &&
           subregion_at(f, f->next, f->fresh[to])->integral == integral) to++;
    return to;
}

/* Evaluates new subregions on a device, integral by integral, and returns their number; the rest is left to the
 * threads. */
static size_t evaluate_on_device(struct region_store *f, size_t count)
{
    const struct integral_job *j = f->job;
    struct box_device *device = device_of(f->refinement);
    double *parameter = f->refinement->workspace;
    struct box_job box = { .dim = j->dim, .parameters = j->parameters, .parameter = parameter };
    size_t from = 0;

    while (f->thread == ALL && device && from < count) {
        size_t to = job_end(f, from, count), i = subregion_at(f, f->next, f->fresh[from])->integral;
        for (int k = 0; k < j->parameters; k++) parameter[k] = j->parameter[(size_t)k * j->n + i];
        int done = f->cut->on_device(device, &box, f->next, f->fresh + from, to - from, (double)count * f->points);
        if (done < 0) {
            stop_interrupted(&f->refinement->stop_flag);
            return count;
        }
        if (!done) break;
        for (; from < to; from++) finalise_subregion(f, subregion_at(f, f->next, f->fresh[from]));
    }
    return from;
}

/* Raises the errors of new halves according to their difference from the whole. */
static void compare_levels(struct region_store *f, size_t count)
{
    for (size_t v = 0; v + 1 < count; v++) {
        struct subregion *left = subregion_at(f, f->next, f->fresh[v]);
        struct subregion *right = subregion_at(f, f->next, f->fresh[v + 1]);
        if (left->sibling != 1) continue;
        struct halves h = { left->value + right->value, left->error, right->error, left->before, left->change };
        halves_compare(&h, f->job->dim, f->cut->least_share);
        left->error = h.left;
        right->error = h.right;
        left->change = right->change = h.change;
    }
}

/* The new subregions of a store from number `first` on. */
struct fresh { struct region_store *store; size_t first; };

static void evaluate_chunks(void *context, int thread, size_t from, size_t to)
{
    const struct fresh *n = context;
    struct region_store *f = n->store;
    size_t share = chunk_subregions(f);
    for (size_t at = from; at < to && !stop_is_set(&f->refinement->stop_flag); at += share)
        evaluate_chunk(f, f->thread == ALL ? thread : f->thread, n->first + at,
                       n->first + (to - at < share ? to : at + share));
}

/* Evaluates the new subregions, which are listed so that blocks are full. */
static void evaluate(struct region_store *f)
{
    size_t count = 0;
    for (size_t v = 0; v < f->next_count; v++) {
        const struct subregion *p = subregion_at(f, f->next, v);
        if (!p->is_new) continue;
        f->points = p->sibling ? f->cut->points : f->cut->first_points;
        f->job->evaluations[p->integral] += (double)f->points;
        f->fresh[count++] = v;
    }
    struct fresh n = { f, evaluate_on_device(f, count) };
    size_t left = count - n.first;
    int threads = f->thread == ALL ? sampler_threads(f->sampler, (double)left * f->points * EVALUATION_TIME) : 1;
    parallel_for(left, CHUNKS * chunk_subregions(f), threads, evaluate_chunks, &n, &f->refinement->stop_flag);
    if (f->cut->two_level) compare_levels(f, count);
}

/* --- selection of the subregions to be bisected ---------------------------------- */

static struct totals totals_of(const struct region_store *f, size_t from, size_t to)
{
    struct totals b = { 0.0, 0.0, 0.0 };
    for (size_t k = from; k < to; k++) {
        const struct subregion *p = subregion_at(f, f->at, k);
        b.value += p->value;
        b.error += p->error;
        b.size += p->size;
    }
    return b;
}

/* TRUE if a subregion too narrow to be bisected has an infinite error, which will therefore remain. */
static int is_lost(const struct region_store *f, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++) {
        const struct subregion *p = subregion_at(f, f->at, k);
        if (p->is_stuck && isinf(f->cut->own_error ? f->cut->own_error(p) : p->error)) return 1;
    }
    return 0;
}

/* The errors among which the threshold is to be found, including the least and the largest of them. below: sum of the
 * errors under them; above: number of the errors over them. */
struct span { double *at, least, largest, below; size_t count, above; };

/* Returns the number with the bit pattern in the middle: numbers from 0 on are ordered as their bits are, and errors
 * differ by many orders of magnitude. */
static double middle_of(double low, double high)
{
    uint64 from, to;
    memcpy(&from, &low, sizeof from);
    memcpy(&to, &high, sizeof to);
    from += (to - from) / 2;
    memcpy(&low, &from, sizeof low);
    return low;
}

/* Divides a span at its middle and keeps the side that contains the threshold: the least error such that it and those
 * below it add up to more than `rest`, and fewer than `most` lie above it. */
static void part_span(struct span *s, double rest, size_t most)
{
    double middle = middle_of(s->least, s->largest), sum = s->below, last = 0.0, first = INFINITY;
    size_t lows = 0;
    for (size_t k = 0; k < s->count; k++) {
        double error = s->at[k];
        int low = error <= middle;
        s->at[k] = s->at[lows];
        s->at[lows] = error;
        lows += (size_t)low;
        sum += low ? error : 0.0;
        last = low && error > last ? error : last;
        first = !low && error < first ? error : first;
    }
    size_t highs = s->count - lows;
    if (sum > rest && s->above + highs < most) {
        s->above += highs;
        s->count = lows;
        s->largest = last;
    } else {
        s->below = sum;
        s->at += lows;
        s->count = highs;
        s->least = first;
    }
}

/* Returns the least error to be bisected: those below it add up to at most `rest`, and fewer than `most` lie above it.
 * Returns infinity if nothing can be bisected or bisection is hopeless.  Often the threshold is the largest error. */
static double threshold(struct region_store *f, size_t from, size_t to, double error, double wanted, size_t most)
{
    struct span s = { f->work, INFINITY, 0.0, 0.0, 0, 0 };
    double all = 0.0;
    for (size_t k = from; k < to; k++) {
        const struct subregion *p = subregion_at(f, f->at, k);
        if (p->is_stuck) continue;
        s.at[s.count++] = p->error;
        all += p->error;
        s.least = p->error < s.least ? p->error : s.least;
        s.largest = p->error > s.largest ? p->error : s.largest;
    }
    if (s.count == 0 || most == 0 || bisection_is_hopeless(error, all, wanted)) return INFINITY;
    double rest = bisections_rest(wanted, all, f->cut->rest_share);
    if (all - s.largest <= rest) return s.largest;
    while (s.least < s.largest) part_span(&s, rest, most);
    return s.largest;
}

static void keep(struct region_store *f, const struct subregion *p)
{
    memcpy(subregion_at(f, f->next, f->next_count++), p, f->cut->bytes);
}

static void halve(struct region_store *f, const struct subregion *p, int again)
{
    struct subregion *left = subregion_at(f, f->next, f->next_count);
    struct subregion *right = subregion_at(f, f->next, f->next_count + 1);
    f->cut->halve(p, left, right);
    left->is_new = right->is_new = 1;
    left->sibling = 1;
    right->sibling = 2;
    left->before = right->before = p->value;
    f->next_count += 2;
    if (!again) return;
    struct subregion *end = subregion_at(f, f->next, f->next_count + 1);
    f->cut->halve(right, subregion_at(f, f->next, f->next_count), end);
    f->cut->halve(left, left, right);
    f->next_count += 2;
}

/* Moves the subregions of an integral, unchanged, to the store of all threads. */
static void hand_over(struct region_store *f, size_t from, size_t to)
{
    struct region_store *all = &f->refinement->all;
    parallel_lock();
    if (!reserve(all, all->next_count + (to - from))) {
        memcpy(subregion_at(all, all->next, all->next_count), subregion_at(f, f->at, from),
               (to - from) * f->cut->bytes);
        all->next_count += to - from;
    }
    parallel_unlock();
}

/* Ends an integral that is finished.  Otherwise bisects the subregions with the largest errors, and keeps all
 * subregions for the next round. */
static void refine(struct region_store *f, size_t from, size_t to)
{
    const struct integral_job *j = f->job;
    size_t i = subregion_at(f, f->at, from)->integral, before = f->next_count, halved = 0;
    size_t most = (size_t)bisections_allowed(j->max_eval, j->evaluations[i], f->cut->points);
    if (f->cut->join) f->cut->join(subregion_at(f, f->at, from), to - from);
    struct totals b = totals_of(f, from, to);
    double tol = error_wanted(j->rel_tol, j->abs_tol, b.value, b.size);

    if (b.error <= tol) {
        int again = b.size == 0.0 && f->refinement->first_intervals < f->cut->first_intervals_zero;
        integral_end(j, i, b.value, b.error, again ? INTEGRAL_ZERO : INTEGRAL_CONVERGED);
        return;
    }
    int is_missing = isnan(b.value);    /* a subregion has no finite value */
    if (is_missing || (isinf(b.error) && is_lost(f, from, to))) {
        integral_end(j, i, b.value, is_missing ? NAN : b.error, INTEGRAL_NOT_FINITE);
        return;
    }
    if (f->thread != ALL && j->evaluations[i] > f->refinement->enough) {
        hand_over(f, from, to);
        return;
    }
    double least = bisections_least(threshold(f, from, to, b.error, tol, most), f->cut->rest_share);
    int twice = f->cut->is_singular && most >= BISECTIONS_TWICE * (to - from);
    for (size_t k = from; k < to; k++) {
        const struct subregion *p = subregion_at(f, f->at, k);
        if (p->error >= least && halved < most && !p->is_stuck) {
            halve(f, p, twice && f->cut->is_singular(p));
            halved++;
        } else
            keep(f, p);
    }
    if (halved) return;
    f->next_count = before;
    integral_end(j, i, b.value, b.error, bisection_ends(b.error, most > 0));
}

/* --- rounds ---------------------------------------------------------------------- */

static void exchange(struct region_store *f)
{
    char *at = f->at;
    f->at = f->next;
    f->next = at;
    f->count = f->next_count;
    f->next_count = 0;
}

/* Runs rounds until no subregion is left, the work is to stop, or memory is short. */
static void rounds(struct region_store *f)
{
    while (f->next_count > 0) {
        evaluate(f);
        if (is_stop_requested(&f->refinement->stop_flag)) return;
        exchange(f);
        if (reserve(f, (f->cut->is_singular ? PARTS_MOST : 2) * f->count)) return;
        for (size_t k = 0, end; k < f->count; k = end) {
            size_t integral = subregion_at(f, f->at, k)->integral;
            for (end = k + 1; end < f->count && subregion_at(f, f->at, end)->integral == integral; end++) { }
            refine(f, k, end);
        }
    }
}

static void run_group(struct region_store *f, const size_t *todo, size_t count)
{
    const struct subdivision *cut = f->cut;
    int first_intervals = f->refinement->first_intervals;
    if (reserve(f, count * cut->most(f->job, first_intervals))) return;
    f->next_count = 0;
    for (size_t k = 0; k < count; k++)
        f->next_count += cut->begin(f->job, todo[k], first_intervals, subregion_at(f, f->next, f->next_count));
    rounds(f);
}

/* Returns the number of integrals that a thread processes at a time. */
static size_t group_of(const struct refinement *t, size_t count)
{
    size_t points = (size_t)(t->all.cut->first_points * t->first_intervals);
    size_t fit = (size_t)GROUP_BLOCKS * (size_t)t->all.sampler->block / points;
    size_t share = t->members > 1 ? count / (size_t)(GROUPS_EACH * t->members) : count;
    size_t group = fit < share ? fit : share;
    return group ? group : 1;
}

/* Returns the number of evaluations after which an integral is handed over. */
static double enough_for(const struct refinement *t, size_t count)
{
    if (t->members == 1 && !device_of(t)) return INFINITY;
    return count > (size_t)(GROUPS_EACH * t->members) ? LONG_IN_BATCH : LONG_ALONE;
}

/* The first `count` integrals listed in `todo`, which are processed in groups; first: those processed already. */
struct groups { struct refinement *refinement; size_t first; };

static void run_groups_of(void *context, int thread, size_t from, size_t to)
{
    const struct groups *g = context;
    run_group(&g->refinement->member[thread], g->refinement->todo + g->first + from, to - from);
}

/* Processes the integrals listed in `todo`.  The time of the first group determines the number of threads for the
 * others. */
static void run_groups(struct refinement *t, size_t count)
{
    const struct box_device *device = device_of(t);
    size_t group = group_of(t, count);
    double began = threads_clock();
    if (device && device->is_wanted) {
        run_group(&t->all, t->todo, count);
        return;
    }
    struct groups g = { t, group < count ? group : count };
    t->enough = enough_for(t, count);
    run_group(&t->member[0], t->todo, g.first);

    size_t left = count - g.first, groups = (left + group - 1) / group;
    int threads = sampler_threads(t->all.sampler, (threads_clock() - began) * (double)groups);
    parallel_for(left, group, threads, run_groups_of, &g, &t->stop_flag);
    if (!is_stop_requested(&t->stop_flag)) rounds(&t->all);
}

/* Processes all integrals with a given status, slab by slab. */
static int pass(struct refinement *t, int status, int first_intervals, struct status *st)
{
    const struct integral_job *j = t->all.job;
    t->first_intervals = first_intervals;
    for (size_t i = 0; i < j->n;) {
        size_t count = 0;
        for (; i < j->n && count < SLAB; i++)
            if (j->status[i] == status && !integral_is_trivial(j, i)) t->todo[count++] = i;
        if (count) run_groups(t, count);
        if (st->code) return st->code;
    }
    return ST_OK;
}

/* Sets the integrals of which only zeros were found to converged. */
static void finalise(const struct integral_job *j)
{
    for (size_t i = 0; i < j->n; i++)
        if (j->status[i] == INTEGRAL_ZERO) j->status[i] = INTEGRAL_CONVERGED;
}

static void clear_store(struct region_store *f)
{
    memory_release(f->at);
    memory_release(f->next);
    memory_release(f->work);
    memory_release(f->fresh);
}

static int open_refinement(struct refinement *t, struct status *st)
{
    const struct integral_job *j = t->all.job;
    size_t members = (size_t)t->members, points = (size_t)t->all.cut->first_points;
    t->stride = points > (size_t)t->all.sampler->block ? points : (size_t)t->all.sampler->block;
    t->workspace = memory_allocate(members * t->stride * (size_t)(j->dim + j->parameters + 1) * sizeof *t->workspace);
    t->todo = memory_allocate((j->n < SLAB ? j->n : SLAB) * sizeof *t->todo);
    t->member = memory_zeroed(members, sizeof *t->member);
    if (!t->workspace || !t->todo || !t->member) return fail(st, ST_MEMORY, "no memory for %d threads", t->members);
    for (int k = 0; k < t->members; k++) {
        t->member[k] = t->all;
        t->member[k].thread = k;
    }
    return ST_OK;
}

static void close_refinement(struct refinement *t)
{
    for (int k = 0; t->member && k < t->members; k++) clear_store(&t->member[k]);
    clear_store(&t->all);
    memory_release(t->member);
    memory_release(t->workspace);
    memory_release(t->todo);
}

int integrate_adaptive(const struct integral_job *job, const struct subdivision *cut, const struct sampler *sampler,
                       poll_function poll, struct status *st)
{
    struct refinement t = { .members = sampler->threads, .stop_flag = { .poll = poll, .st = st },
                      .all = { .job = job, .cut = cut, .sampler = sampler, .thread = ALL,
                               .points = cut->points } };
    t.all.refinement = &t;
    if (open_refinement(&t, st) == ST_OK && pass(&t, INTEGRAL_NOT_DONE, cut->first_intervals, st) == ST_OK &&
        bisection_re_examines(job->max_eval, cut->first_intervals_zero * cut->first_points))
        pass(&t, INTEGRAL_ZERO, cut->first_intervals_zero, st);
    finalise(job);
    close_refinement(&t);
    return st->code;
}
