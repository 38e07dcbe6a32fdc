/* Globally adaptive quadrature, breadth-first: each round evaluates the new subregions of several integrals together.
 *
 * bisection.h decides which integrals are finished, and which subregions of the others are bisected (split in two, not
 * always in the middle).  If the rule specifies it, the errors of two halves are raised before to at least those
 * expected from their difference from the whole, or those of neighbours by comparing them.
 *
 * The result of an integral depends neither on other integrals nor on threads: subregions are stored in the order of
 * their integrals, and sums are formed in this order.
 *
 * Each thread processes a group of integrals at a time, few enough for their subregions to stay in its cache.  An
 * integral that takes long is handed over to a separate store, whose subregions are evaluated by all threads together,
 * or by a device if that is useful.
 */
#include <string.h>
#include "../integrals.h"
#include "refinement.h"
#include "../../base/memory.h"

#define SLAB          32768             /* integrals after which those handed over are completed */
#define GROUP_BLOCKS  16                /* blocks that the initial points of a group fill */
#define GROUPS_EACH   8                 /* least number of groups for each thread */
#define LONG_IN_BATCH 1e-2              /* seconds of evaluations after which one of many integrals is handed over, */
#define LONG_ALONE    1e-3              /* and one of few integrals */
#define CHUNKS        4                 /* chunks that a thread evaluates between two checks for interrupts */

/* --- a round ------------------------------------------------------------------------- */

/* The new subregions of stores in lockstep, from number `first` on. */
struct fresh { struct region_store *const *store; int stores; size_t first; };

static void evaluate_chunks(void *context, int thread, size_t from, size_t to)
{
    const struct fresh *n = context;
    struct region_store *f = n->store[0];
    size_t share = values_chunk(f);
    for (size_t at = from; at < to && !stop_is_set(&f->refinement->stop_flag); at += share)
        values_evaluate(n->store, n->stores, f->thread == ALL_THREADS ? thread : f->thread, n->first + at,
                        n->first + (to - at < share ? to : at + share));
}

/* Returns the number of new subregions, of `count`, that a thread evaluates at a time. */
static size_t chunk_of(const struct region_store *f, size_t count, int threads)
{
    size_t chunk = values_chunk(f), share = (count + (size_t)threads - 1) / (size_t)threads;
    if (!sampler_is_slow(f->sampler)) return CHUNKS * chunk;
    return share < chunk ? share : chunk;
}

/* The new subregions are listed so that blocks are full. */
void refinement_evaluate(struct region_store *const *store, int stores)
{
    struct region_store *f = store[0];
    size_t count = values_list(f);
    for (int k = 1; k < stores; k++) {
        memcpy(store[k]->fresh, f->fresh, count * sizeof *f->fresh);
        store[k]->points = f->points;
    }
    struct fresh n = { store, stores, values_on_device(store, stores, count) };
    size_t left = count - n.first;
    int threads = f->thread == ALL_THREADS ? sampler_threads_again(f->sampler, (double)left * f->points) : 1;
    parallel_for(left, chunk_of(f, left, threads), threads, evaluate_chunks, &n, &f->refinement->stop_flag);
    for (int k = 0; k < stores && f->rule->two_level; k++) values_compare(store[k], count);
}

/* Moves the subregions of an integral, unchanged, to the store of all threads. */
static void leave_to_caller(struct region_store *f, size_t from, size_t to)
{
    struct region_store *all = &f->refinement->all;
    parallel_lock();
    if (!store_reserve(all, all->next_count + (to - from))) {
        memcpy(subregion_at(all, all->next, all->next_count), subregion_at(f, f->at, from),
               (to - from) * f->rule->bytes);
        all->next_count += to - from;
    }
    parallel_unlock();
}

/* Ends an integral if its rule can complete it within the tolerance, or, if further refinement is
 * useless, if the rule reduces its error.  Returns 1 if it has ended. */
static int complete(struct region_store *f, size_t from, size_t to, const struct region_sums *sum, double tolerance,
                    int status)
{
    const struct integral_job *j = f->job;
    int is_last = status != REFINEMENT_BISECTS;
    struct totals t;

    if (!f->rule->complete || status == INTEGRAL_CONVERGED || status == REFINEMENT_ZERO) return 0;
    enum completion c = f->rule->complete(f, from, to, sum, tolerance, is_last, &t);
    if (c == COMPLETION_NONE) return 0;
    if (t.error <= refinement_tolerance(j->rel_tol, j->abs_tol, t.value, t.size)) status = INTEGRAL_CONVERGED;
    else if (c == COMPLETION_HOPELESS) status = INTEGRAL_STUCK;
    else if (!is_last || !(t.error < sum->error)) return 0;
    else if (status == INTEGRAL_NOT_FINITE) status = INTEGRAL_STUCK;    /* the result has a finite error */
    integral_end(j, subregion_at(f, f->at, from)->integral, t.value, t.error, status);
    return 1;
}

int refinement_decide(struct region_store *f, size_t from, size_t to)
{
    const struct integral_job *j = f->job;
    size_t i = subregion_at(f, f->at, from)->integral;
    int allowed = bisections_allowed(j->max_eval, j->evaluations[i], f->rule->points);
    int is_long = f->thread != ALL_THREADS && j->evaluations[i] > f->refinement->handover_evaluations;
    if (f->rule->add_joint_errors) f->rule->add_joint_errors(subregion_at(f, f->at, from), to - from);
    struct region_sums sum = store_sums(f, from, to);
    double tolerance = refinement_tolerance(j->rel_tol, j->abs_tol, sum.value, sum.size);
    int status = refinement_status(&sum, tolerance, allowed, f->refinement->accepts_zero, is_long);

    if (status == INTEGRAL_NOT_DONE) return status;
    if (status != REFINEMENT_ZERO && f->rule->raise_errors &&
        f->rule->raise_errors(f, from, to, tolerance, status != REFINEMENT_BISECTS || !allowed)) {
        sum = store_sums(f, from, to);
        status = refinement_status(&sum, tolerance, allowed, f->refinement->accepts_zero, 0);
    }
    if (!refinement_is_uneven(&sum, allowed) && complete(f, from, to, &sum, tolerance, status))
        return INTEGRAL_CONVERGED;
    if (status == REFINEMENT_BISECTS) {
        allowed = bisections_allowed(j->max_eval, j->evaluations[i], f->rule->points);
        if (bisections_choose(f, from, to, &sum, tolerance, allowed)) return status;
        status = refinement_end(&sum, tolerance, allowed);
        if (complete(f, from, to, &sum, tolerance, status)) return INTEGRAL_CONVERGED;
    }
    integral_end(j, i, sum.value, refinement_error(&sum), status);
    return INTEGRAL_CONVERGED;
}

/* Ends an integral that is finished.  Otherwise bisects the subregions with the largest errors, and keeps all
 * subregions for the next round. */
static void refine(struct region_store *f, size_t from, size_t to)
{
    int status = refinement_decide(f, from, to);
    if (status == INTEGRAL_NOT_DONE) leave_to_caller(f, from, to);
    else if (status == REFINEMENT_BISECTS) bisections_apply(f, from, to);
}

/* --- rounds ---------------------------------------------------------------------- */

/* Runs rounds until no subregion is left, the computation must stop, or memory is short. */
static void run_rounds(struct region_store *f)
{
    while (f->next_count > 0) {
        refinement_evaluate(&f, 1);
        if (is_stop_requested(&f->refinement->stop_flag)) return;
        store_exchange(f);
        if (store_reserve(f, (f->rule->is_singular ? PARTS_MAX : 2) * f->count)) return;
        for (size_t k = 0, end; k < f->count; k = end) {
            end = store_end(f, f->at, NULL, k, f->count);
            refine(f, k, end);
        }
    }
}

/* Runs the integrals number first, ..., first + count - 1 of the list. */
static void run_group(struct region_store *f, size_t first, size_t count)
{
    const struct subdivision *rule = f->rule;
    int first_intervals = f->refinement->first_intervals;
    if (store_reserve(f, count * rule->initial_capacity(f->job, first_intervals))) return;
    f->next_count = 0;
    for (size_t k = first; k < first + count; k++) {
        size_t from = f->next_count;
        f->next_count += rule->begin(f->job, f->refinement->remaining[k], first_intervals,
                                     subregion_at(f, f->next, from));
        for (size_t p = from; p < f->next_count; p++) subregion_at(f, f->next, p)->listed = (int)k;
    }
    run_rounds(f);
}

/* Returns the number of integrals that a thread processes at a time. */
static size_t group_of(const struct refinement *t, size_t count)
{
    size_t points = (size_t)(t->all.rule->first_points * t->first_intervals);
    size_t fit = (size_t)GROUP_BLOCKS * (size_t)t->all.sampler->block / points;
    size_t share = t->members > 1 ? count / (size_t)(GROUPS_EACH * t->members) : count;
    size_t group = fit < share ? fit : share;
    return group ? group : 1;
}

/* Returns the number of evaluations after which an integral is handed over. */
static double handover_evaluations_for(const struct refinement *t, size_t count)
{
    if (t->members == 1 && !values_device(t)) return INFINITY;
    return (count > (size_t)(GROUPS_EACH * t->members) ? LONG_IN_BATCH : LONG_ALONE) / t->all.sampler->seconds;
}

/* The integrals listed in `remaining`, which are processed in groups; first: those processed already. */
struct groups { struct refinement *refinement; size_t first; };

static void run_groups_of(void *context, int thread, size_t from, size_t to)
{
    const struct groups *g = context;
    run_group(&g->refinement->member[thread], g->first + from, to - from);
}

/* Processes the integrals listed in `remaining`.  The time of the first group determines the number of threads for the
 * others. */
static void run_groups(struct refinement *t, size_t count)
{
    const struct box_device *device = values_device(t);
    size_t group = group_of(t, count);
    double began = threads_clock();
    if (t->attempts) memset(t->attempts, 0, count * sizeof *t->attempts);
    if (device && device->is_wanted) {
        run_group(&t->all, 0, count);
        return;
    }
    struct groups g = { t, group < count ? group : count };
    t->handover_evaluations = handover_evaluations_for(t, count);
    run_group(&t->member[0], 0, g.first);

    size_t left = count - g.first, groups = (left + group - 1) / group;
    int threads = sampler_threads(t->all.sampler, (threads_clock() - began) * (double)groups);
    parallel_for(left, group, threads, run_groups_of, &g, &t->stop_flag);
    if (!is_stop_requested(&t->stop_flag)) run_rounds(&t->all);
}

/* Processes all integrals with a given status, slab by slab. */
static int pass(struct refinement *t, int status, int first_intervals, struct status *st)
{
    const struct integral_job *j = t->all.job;
    t->first_intervals = first_intervals;
    t->accepts_zero = refinement_accepts_zero(first_intervals, t->all.rule->first_intervals_zero,
                                              t->all.rule->first_points, j->max_eval);
    for (size_t i = 0; i < j->n;) {
        size_t count = 0;
        for (; i < j->n && count < SLAB; i++)
            if (j->status[i] == status && !integral_is_trivial(j, i)) t->remaining[count++] = i;
        if (count) run_groups(t, count);
        if (st->code) return st->code;
    }
    return ST_OK;
}

/* Sets the integrals of which only zeros were found to converged. */
static void accept_zeros(const struct integral_job *j)
{
    for (size_t i = 0; i < j->n; i++)
        if (j->status[i] == REFINEMENT_ZERO) j->status[i] = INTEGRAL_CONVERGED;
}

int refinement_open(struct refinement *t, struct status *st)
{
    const struct integral_job *j = t->all.job;
    const struct sampler *s = t->all.sampler;
    size_t columns = (size_t)(j->dim + j->parameters + s->components), points = (size_t)t->all.rule->first_points;
    t->stride = points > (size_t)s->block ? points : (size_t)s->block;
    t->workspace = memory_allocate((size_t)t->members * t->stride * columns * sizeof *t->workspace);
    return t->workspace ? ST_OK : fail(st, ST_MEMORY, "no memory for %d threads", t->members);
}

void refinement_close(struct refinement *t)
{
    memory_release(t->workspace);
    memory_release(t->attempts);
}

static int open_members(struct refinement *t, struct status *st)
{
    const struct integral_job *j = t->all.job;
    size_t members = (size_t)t->members, slab = j->n < SLAB ? j->n : SLAB;
    if (refinement_open(t, st)) return st->code;
    t->remaining = memory_allocate(slab * sizeof *t->remaining);
    t->attempts = t->all.rule->complete ? memory_allocate(slab * sizeof *t->attempts) : NULL;
    t->member = memory_zeroed(members, sizeof *t->member);
    if (!t->remaining || !t->member || (t->all.rule->complete && !t->attempts))
        return fail(st, ST_MEMORY, "no memory for %d threads", t->members);
    for (int k = 0; k < t->members; k++) {
        t->member[k] = t->all;
        t->member[k].thread = k;
    }
    return ST_OK;
}

static void close_members(struct refinement *t)
{
    for (int k = 0; t->member && k < t->members; k++) store_release(&t->member[k]);
    store_release(&t->all);
    memory_release(t->member);
    memory_release(t->remaining);
    refinement_close(t);
}

int integrate_adaptive(const struct integral_job *job, const struct subdivision *rule, const struct sampler *sampler,
                       poll_function poll, struct status *st)
{
    struct refinement t = { .members = sampler->threads, .stop_flag = { .poll = poll, .st = st },
                      .all = { .job = job, .rule = rule, .sampler = sampler, .thread = ALL_THREADS,
                               .points = rule->points } };
    if (job->components > 1) return lockstep_integrate(job, rule, sampler, poll, st);
    t.all.refinement = &t;
    if (open_members(&t, st) == ST_OK && pass(&t, INTEGRAL_NOT_DONE, rule->first_intervals, st) == ST_OK)
        pass(&t, REFINEMENT_ZERO, rule->first_intervals_zero, st);
    accept_zeros(job);
    close_members(&t);
    return st->code;
}
