/* Globally adaptive quadrature of integrands with several components, whose values at a point are computed together.
 *
 * Each component has a store of subregions with its own values and errors, and refinement_decide() treats it as any
 * other integral: it ends when its tolerance is met, when an extrapolation completes it, or when it cannot be refined.
 * The stores of the components that have not ended are in lockstep: a subregion that any of them needs to be bisected
 * is bisected in all, in the way required by the component with the largest error in units of its tolerance.  Values
 * and errors are those of the rule on the common subregions.
 *
 * Each thread processes a group of integrals at a time, whose points fill blocks.  In a group, components that have
 * ended are carried along, until one integral is left.  Of a few integrals, one after the other is processed, and all
 * threads evaluate its subregions.
 */
#include <string.h>
#include "../integrals.h"
#include "refinement.h"
#include "../../base/memory.h"

#define GROUP_BLOCKS 16                 /* blocks that the initial points of a group fill, for all components */
#define GROUPS_EACH 4                   /* least number of groups for each thread */
#define ROUNDS    8                     /* points of an integral, approximately, in units of those of the first round */

/* The stores of one thread.  active: those in lockstep, `count` in number; open: those of them whose component of the
 * integral at hand has not ended, `open_count` in number; first: the index of the thread's first element of `attempts`;
 * status: that of the components that a pass computes. */
struct lockstep {
    struct refinement *refinement;
    struct region_store *store, **active, **open;
    int first, components, count, open_count, status;
};

/* All stores, a sampler and a job for each component; group: the largest number of integrals in a group. */
struct lockstep_all {
    struct refinement refinement;
    struct component *component;
    struct sampler *sampler;
    struct region_store *store, **list;
    struct lockstep *thread;
    size_t group;
};

/* Lists the stores among the active ones whose component of integral i has not ended.  Returns their number. */
static int list_open(struct lockstep *l, size_t i)
{
    l->open_count = 0;
    for (int c = 0; c < l->count; c++)
        if (l->active[c]->job->status[i] == l->status) l->open[l->open_count++] = l->active[c];
    return l->open_count;
}

/* Makes the open stores the active ones. */
static void keep_open(struct lockstep *l)
{
    for (int c = 0; c < l->open_count; c++) l->active[c] = l->open[c];
    l->count = l->open_count;
}

/* Adds the first subregions of integral i, number k of its group, to the active stores.  Returns 0 if memory is
 * short. */
static int begin(struct lockstep *l, size_t i, int k)
{
    struct refinement *t = l->refinement;
    const struct subdivision *rule = t->all.rule;

    for (int c = 0; c < l->count; c++) {
        struct region_store *f = l->active[c];
        size_t first = f->next_count;
        int attempts = l->first + k * l->components + f->component;
        if (store_reserve(f, first + rule->initial_capacity(f->job, t->first_intervals))) return 0;
        f->next_count += rule->begin(f->job, i, t->first_intervals, subregion_at(f, f->next, first));
        for (size_t p = first; p < f->next_count; p++) subregion_at(f, f->next, p)->listed = attempts;
        if (t->attempts) memset(&t->attempts[attempts], 0, sizeof *t->attempts);
    }
    return 1;
}

/* Stores the first subregions of integrals from, ..., to - 1 that have components with the status.  Returns 0 if there
 * are none, or if memory is short. */
static int begin_group(struct lockstep *l, size_t from, size_t to)
{
    l->count = l->components;
    for (int c = 0; c < l->components; c++) {
        l->active[c] = &l->store[c];
        l->store[c].next_count = 0;
    }
    for (size_t i = from; i < to; i++) {
        for (int c = 0; c < l->components; c++)
            if (l->store[c].job->status[i] == l->status) integral_is_trivial(l->store[c].job, i);
        if (!list_open(l, i)) continue;
        if (to - from == 1) keep_open(l);
        if (!begin(l, i, (int)(i - from))) return 0;
    }
    return l->active[0]->next_count > 0;
}

/* Returns the component that decides how subregion k is divided, the one with the largest error in units of its
 * tolerance of those that need it; NULL if there is none.  *times: the larger `times` of all. */
static struct region_store *deciding_store(const struct lockstep *l, size_t k, int *times)
{
    struct region_store *leader = NULL;
    double largest = 0.0;

    *times = 0;
    for (int c = 0; c < l->open_count; c++) {
        struct region_store *f = l->open[c];
        double ratio = subregion_at(f, f->at, k)->error / f->tolerance;
        if (!f->times[k]) continue;
        if (f->times[k] > *times) *times = f->times[k];
        if (leader && !(ratio > largest)) continue;
        leader = f;
        largest = ratio;
    }
    return leader;
}

/* Bisects, for all active components, those of the subregions from, ..., to - 1 of an integral that any open one has
 * chosen, or as many as evaluations are left for. */
static void divide(struct lockstep *l, size_t from, size_t to)
{
    const struct region_store *first = l->open[0];
    const struct integral_job *j = first->job;
    size_t i = subregion_at(first, first->at, from)->integral;
    int times, allowed = bisections_allowed(j->max_eval, j->evaluations[i], first->rule->points);
    for (size_t k = from; k < to; k++) {
        struct region_store *leader = deciding_store(l, k, &times);
        if (times > allowed) leader = NULL;
        if (leader) allowed -= times;
        for (int c = 0; c < l->count; c++) {
            struct region_store *f = l->active[c];
            struct subregion *p = subregion_at(f, f->at, k);
            if (leader && leader != f && f->rule->copy_split)
                f->rule->copy_split(p, subregion_at(leader, leader->at, k));
            if (leader) store_halve(f, p, times > 1, &f->next_count);
            else store_keep(f, p, &f->next_count);
        }
    }
}

/* Decides about the open components of the integral with subregions from, ..., to - 1, and divides these. */
static void refine(struct lockstep *l, size_t from, size_t to)
{
    int open = 0, is_last = from == 0 && to == l->active[0]->count;
    list_open(l, subregion_at(l->active[0], l->active[0]->at, from)->integral);
    for (int c = 0; c < l->open_count; c++)
        if (refinement_decide(l->open[c], from, to) == REFINEMENT_BISECTS) l->open[open++] = l->open[c];
    l->open_count = open;
    if (is_last) keep_open(l);
    if (open) divide(l, from, to);
}

/* Runs rounds until all components have ended, the computation must stop, or memory is short. */
static void run_rounds(struct lockstep *l)
{
    while (l->count > 0 && l->active[0]->next_count > 0) {
        refinement_evaluate(l->active, l->count);
        if (is_stop_requested(&l->refinement->stop_flag)) return;
        for (int c = 0; c < l->count; c++) {
            struct region_store *f = l->active[c];
            store_exchange(f);
            if (store_reserve(f, (f->rule->is_singular ? PARTS_MAX : 2) * f->count)) return;
        }
        const struct region_store *f = l->active[0];
        for (size_t k = 0, end, count = f->count; k < count; k = end) {
            end = store_end(f, f->at, NULL, k, count);
            refine(l, k, end);
        }
    }
}

static void integrate_group(void *context, int thread, size_t from, size_t to)
{
    struct lockstep_all *all = context;
    struct lockstep *l = &all->thread[thread];
    if (begin_group(l, from, to)) run_rounds(l);
}

/* Processes the components with a given status. */
static void pass(struct lockstep_all *all, int status, int first_intervals)
{
    struct refinement *t = &all->refinement;
    const struct subdivision *rule = t->all.rule;
    const struct integral_job *j = t->all.job;
    double points = (double)j->n * first_intervals * rule->first_points;
    int threads = sampler_threads(t->all.sampler, ROUNDS * points * t->all.sampler->seconds);
    const struct box_device *device = values_device(t);
    int is_few = (device && device->is_wanted) || (t->members > 1 && j->n < 2 * (size_t)t->members);
    size_t share = threads > 1 ? j->n / (size_t)(GROUPS_EACH * threads) + 1 : j->n;
    size_t group = share < all->group ? share : all->group;

    t->first_intervals = first_intervals;
    t->accepts_zero = refinement_accepts_zero(first_intervals, rule->first_intervals_zero, rule->first_points,
                                              j->max_eval);
    for (int k = 0; k < t->members; k++) {
        all->thread[k].status = status;
        for (int c = 0; c < j->components; c++) all->thread[k].store[c].thread = is_few ? ALL_THREADS : k;
    }
    if (!is_few) parallel_for(j->n, group, threads, integrate_group, all, &t->stop_flag);
    else for (size_t i = 0; i < j->n && !stop_is_set(&t->stop_flag); i++) integrate_group(all, 0, i, i + 1);
}

/* Returns the largest number of integrals in a group. */
static size_t group_of(const struct refinement *t)
{
    size_t points = (size_t)(t->all.rule->first_points * t->all.rule->first_intervals * t->all.job->components);
    size_t fit = (size_t)GROUP_BLOCKS * (size_t)t->all.sampler->block / points;
    return fit ? fit : 1;
}

/* Sets up the stores of all threads.  Returns 0 or a status code. */
static int open_all(struct lockstep_all *all, struct status *st)
{
    struct refinement *t = &all->refinement;
    int components = t->all.job->components;
    size_t stores = (size_t)(t->members * components), count = (size_t)components;

    if (refinement_open(t, st)) return st->code;
    all->group = group_of(t);
    if (t->all.rule->complete) t->attempts = memory_allocate(stores * all->group * sizeof *t->attempts);
    all->component = memory_allocate(count * sizeof *all->component);
    all->sampler = memory_allocate(count * sizeof *all->sampler);
    all->store = memory_allocate(stores * sizeof *all->store);
    all->list = memory_allocate(2 * stores * sizeof *all->list);
    all->thread = memory_allocate((size_t)t->members * sizeof *all->thread);
    if (!all->component || !all->sampler || !all->list || !all->thread || !all->store ||
        (t->all.rule->complete && !t->attempts)) {
        memory_release(all->store);
        all->store = NULL;
        return fail(st, ST_MEMORY, "no memory for %d components", components);
    }
    for (int c = 0; c < components; c++) {
        component_open(&all->component[c], t->all.job, t->all.sampler, c);
        all->sampler[c] = component_sampler(&all->component[c]);
    }
    for (int s = 0; s < t->members * components; s++) {
        all->store[s] = t->all;
        all->store[s].job = &all->component[s % components].job;
        all->store[s].sampler = &all->sampler[s % components];
        all->store[s].component = s % components;
    }
    for (int k = 0; k < t->members; k++) {
        int first = k * components;
        struct lockstep l = { .refinement = t, .store = all->store + first, .active = all->list + 2 * first,
                              .open = all->list + 2 * first + components, .first = first * (int)all->group,
                              .components = components };
        all->thread[k] = l;
    }
    return ST_OK;
}

static void close_all(struct lockstep_all *all)
{
    int stores = all->store ? all->refinement.members * all->refinement.all.job->components : 0;
    for (int s = 0; s < stores; s++) store_release(&all->store[s]);
    memory_release(all->component);
    memory_release(all->sampler);
    memory_release(all->store);
    memory_release(all->list);
    memory_release(all->thread);
    refinement_close(&all->refinement);
}

int lockstep_integrate(const struct integral_job *job, const struct subdivision *rule, const struct sampler *sampler,
                       poll_function poll, struct status *st)
{
    struct lockstep_all all = {
        .refinement = { .members = sampler->threads, .handover_evaluations = INFINITY,
                        .stop_flag = { .poll = poll, .st = st },
                        .all = { .job = job, .rule = rule, .sampler = sampler, .thread = ALL_THREADS,
                                 .points = rule->points } }
    };
    all.refinement.all.refinement = &all.refinement;
    if (open_all(&all, st) == ST_OK) pass(&all, INTEGRAL_NOT_DONE, rule->first_intervals);
    if (!st->code) pass(&all, REFINEMENT_ZERO, rule->first_intervals_zero);
    for (size_t k = 0; k < (size_t)job->components * job->n; k++)
        if (job->status[k] == REFINEMENT_ZERO) job->status[k] = INTEGRAL_CONVERGED;
    close_all(&all);
    return st->code;
}
