/* Globally adaptive quadrature of integrands with several components, whose values at a point are computed together.
 *
 * Each component has a store of subregions with its own values and errors, and refinement_decide() treats it as any
 * other integral: it ends when its tolerance is met, when an extrapolation completes it, or when it cannot be refined.
 * The stores of the components that have not ended are in lockstep: a subregion that any of them needs to be bisected
 * is bisected in all, in the way required by the component with the largest error in units of its tolerance.  Values and
 * errors are those of the rule on the common subregions.
 *
 * Each thread processes one integral at a time if there are many.  Of a few integrals, one after the other is
 * processed, and all threads evaluate its subregions.
 */
#include <string.h>
#include "../integrals.h"
#include "refinement.h"
#include "../../base/memory.h"

#define CHUNK     4                     /* integrals between two checks for interrupts */
#define ROUNDS    8                     /* points of an integral, approximately, in units of those of the first round */

/* The stores of one thread; open: those of the components that have not ended. */
struct lockstep {
    struct refinement *refinement;
    struct region_store *store, **open;
    int first_store, components, count;  /* first_store: the index of the thread's first store; count: of `open` */
};

/* All stores, a sampler and a job for each component, and the status of the integrals that a pass computes. */
struct lockstep_all {
    struct refinement refinement;
    struct component *component;
    struct sampler *sampler;
    struct region_store *store, **open;
    struct lockstep *thread;
    int status;
};

/* Stores the first subregions of the components of integral i that have the status.  Returns 0 if memory is short. */
static int begin(struct lockstep *l, size_t i, int status)
{
    struct refinement *t = l->refinement;
    const struct subdivision *cut = t->all.cut;

    l->count = 0;
    for (int c = 0; c < l->components; c++) {
        struct region_store *f = &l->store[c];
        if (f->job->status[i] != status || integral_is_trivial(f->job, i)) continue;
        if (store_reserve(f, cut->most(f->job, t->first_intervals))) return 0;
        f->next_count = cut->begin(f->job, i, t->first_intervals, f->next);
        for (size_t p = 0; p < f->next_count; p++) subregion_at(f, f->next, p)->listed = l->first_store + c;
        if (t->attempts) memset(&t->attempts[l->first_store + c], 0, sizeof *t->attempts);
        l->open[l->count++] = f;
    }
    return 1;
}

/* Returns the component that decides how subregion k is divided, the one with the largest error in units of its
 * tolerance of those that need it; NULL if there is none.  *times: the larger `times` of all. */
static struct region_store *leader_of(const struct lockstep *l, size_t k, int *times)
{
    struct region_store *leader = NULL;
    double largest = 0.0;

    *times = 0;
    for (int c = 0; c < l->count; c++) {
        struct region_store *f = l->open[c];
        double ratio = subregion_at(f, f->at, k)->error / f->wanted;
        if (!f->times[k]) continue;
        if (f->times[k] > *times) *times = f->times[k];
        if (leader && !(ratio > largest)) continue;
        leader = f;
        largest = ratio;
    }
    return leader;
}

/* Bisects, for all components, the subregions that any of them has chosen, or as many as evaluations are left for. */
static void divide(struct lockstep *l)
{
    const struct region_store *first = l->open[0];
    size_t count = first->count, i = subregion_at(first, first->at, 0)->integral;
    const struct integral_job *j = first->job;
    int times, most = bisections_allowed(j->max_eval, j->evaluations[i], first->cut->points);
    for (size_t k = 0; k < count; k++) {
        struct region_store *leader = leader_of(l, k, &times);
        if (times > most) leader = NULL;
        if (leader) most -= times;
        for (int c = 0; c < l->count; c++) {
            struct region_store *f = l->open[c];
            struct subregion *p = subregion_at(f, f->at, k);
            if (leader && leader != f && f->cut->follow) f->cut->follow(p, subregion_at(leader, leader->at, k));
            if (leader) store_halve(f, p, times > 1);
            else store_keep(f, p);
        }
    }
}

/* Runs rounds until all components have ended, the work is to stop, or memory is short. */
static void rounds(struct lockstep *l)
{
    while (l->count > 0) {
        int open = 0;
        refinement_evaluate(l->open, l->count);
        if (is_stop_requested(&l->refinement->stop_flag)) return;
        for (int c = 0; c < l->count; c++) {
            struct region_store *f = l->open[c];
            store_exchange(f);
            if (store_reserve(f, (f->cut->is_singular ? PARTS_MOST : 2) * f->count)) return;
            if (refinement_decide(f, 0, f->count) == REFINEMENT_BISECTS) l->open[open++] = f;
        }
        l->count = open;
        if (open) divide(l);
    }
}

static void integrate_some(void *context, int thread, size_t from, size_t to)
{
    struct lockstep_all *all = context;
    struct lockstep *l = &all->thread[thread];
    for (size_t i = from; i < to && !stop_is_set(&all->refinement.stop_flag); i++)
        if (begin(l, i, all->status)) rounds(l);
}

/* Processes the components with a given status. */
static void pass(struct lockstep_all *all, int status, int first_intervals)
{
    struct refinement *t = &all->refinement;
    const struct subdivision *cut = t->all.cut;
    const struct integral_job *j = t->all.job;
    double points = (double)j->n * first_intervals * cut->first_points;
    int threads = sampler_threads(t->all.sampler, ROUNDS * points * j->components * EVALUATION_TIME);
    const struct box_device *device = values_device(t);
    int is_few = (device && device->is_wanted) || t->members == 1 || j->n < 2 * (size_t)threads;

    all->status = status;
    t->first_intervals = first_intervals;
    t->accepts_zero = refinement_accepts_zero(first_intervals, cut->first_intervals_zero, cut->first_points,
                                              j->max_eval);
    for (int s = 0; s < t->members * j->components; s++)
        all->store[s].thread = is_few ? ALL : s / j->components;
    if (is_few) integrate_some(all, 0, 0, j->n);
    else parallel_for(j->n, CHUNK, threads, integrate_some, all, &t->stop_flag);
}

/* Sets up the stores of all threads.  Returns 0 or a status code. */
static int open_all(struct lockstep_all *all, struct status *st)
{
    struct refinement *t = &all->refinement;
    int components = t->all.job->components;
    size_t stores = (size_t)(t->members * components), count = (size_t)components;

    if (refinement_open(t, st)) return st->code;
    if (t->all.cut->complete) t->attempts = memory_allocate(stores * sizeof *t->attempts);
    all->component = memory_allocate(count * sizeof *all->component);
    all->sampler = memory_allocate(count * sizeof *all->sampler);
    all->store = memory_allocate(stores * sizeof *all->store);
    all->open = memory_allocate(stores * sizeof *all->open);
    all->thread = memory_allocate((size_t)t->members * sizeof *all->thread);
    if (!all->component || !all->sampler || !all->open || !all->thread || !all->store ||
        (t->all.cut->complete && !t->attempts)) {
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
        struct lockstep l = { t, all->store + first, all->open + first, first, components, 0 };
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
    memory_release(all->open);
    memory_release(all->thread);
    refinement_close(&all->refinement);
}

int lockstep_integrate(const struct integral_job *job, const struct subdivision *cut, const struct sampler *sampler,
                       poll_function poll, struct status *st)
{
    struct lockstep_all all = {
        .refinement = { .members = sampler->threads, .enough = INFINITY, .stop_flag = { .poll = poll, .st = st },
                        .all = { .job = job, .cut = cut, .sampler = sampler, .thread = ALL, .points = cut->points } }
    };
    all.refinement.all.refinement = &all.refinement;
    if (open_all(&all, st) == ST_OK) pass(&all, INTEGRAL_NOT_DONE, cut->first_intervals);
    if (!st->code) pass(&all, REFINEMENT_ZERO, cut->first_intervals_zero);
    for (size_t k = 0; k < (size_t)job->components * job->n; k++)
        if (job->status[k] == REFINEMENT_ZERO) job->status[k] = INTEGRAL_CONVERGED;
    close_all(&all);
    return st->code;
}
