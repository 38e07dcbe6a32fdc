/* SCAQ and PSCAQ (quadrature/published/scaq.h): the steppers of several integrals, which advance together. */
#include <string.h>
#include "scaq.h"
#include "drivers.h"
#include "../../base/memory.h"

#define STEPPERS 8192                    /* least number of steppers that advance together, if there are enough */
#define MIN_EVALUATIONS   60.0          /* a stepper with fewer further evaluations ends with its next interval */

static void set_points(const void *stepper, double *const *x)
{
    for (int q = 0; q < SCAQ_POINTS; q++) x[0][q] = scaq_point(stepper, q);
}

static void step(const void *rule, void *stepper, const double *f)
{
    scaq_step(stepper, rule, f);
}

/* --- several integrals ---------------------------------------------------------- */

/* The steppers of several integrals, those of an integral next to each other.  tolerance: those of integrals first,
 * ..., end - 1; 0: not determined yet.  sums: memory for the sums over a region, computed by all threads. */
struct stepper_set {
    const struct cuts *cuts;
    struct stop_flag stop_flag;
    struct scaq *at;
    size_t count, capacity, first, end;
    double *tolerance;
    struct cut_sum *sums;
};

static struct scaq *add(struct stepper_set *b, struct status *st)
{
    if (b->count == b->capacity) {
        size_t capacity = 2 * b->capacity + 64;
        struct scaq *larger = memory_resize(b->at, capacity * sizeof *larger);
        if (!larger) {
            fail(st, ST_MEMORY, "no memory for %zu ranges", capacity);
            return NULL;
        }
        b->at = larger;
        b->capacity = capacity;
    }
    memset(&b->at[b->count], 0, sizeof *b->at);
    return &b->at[b->count++];
}

static int add_part(struct stepper_set *b, size_t i, const struct part *p, double tolerance, struct status *st)
{
    const struct cuts *c = b->cuts;
    int shares = c->variant == CUT_PSCAQ ? (int)c->rule.cells : 1;
    for (int k = 0; k < shares; k++) {
        struct part own = part_interval(*p, k, shares);
        struct scaq *w = add(b, st);
        if (!w) return st->code;
        w->stepper.integral = i;
        w->part = *p;
        w->low = own.low;
        w->upper = own.high;
        w->longest = w->length = (p->high - p->low) / (double)c->rule.cells;
        w->share = p->high - p->low;
        w->tolerance = tolerance;
        w->density = INFINITY;
        w->sum.finite = 1;
    }
    return ST_OK;
}

static int is_open(const struct stepper_set *b, size_t i)
{
    return b->cuts->job->status[i] == INTEGRAL_NOT_DONE && !integral_is_trivial(b->cuts->job, i);
}

/* Adds the steppers of an integral. */
static int add_integral(struct stepper_set *b, size_t i, struct status *st)
{
    const struct cuts *c = b->cuts;
    const struct cut_worker w = { c, &b->stop_flag, NULL, 0 };
    struct parts parts = parts_of(c->job, i);
    struct part p;
    int count = cut_begin(&w, i, NULL);
    size_t first = b->count;
    while (parts_next(&parts, &p))
        if (add_part(b, i, &p, b->tolerance[i - b->first] / count, st)) return st->code;
    for (size_t v = first; v < b->count; v++) {
        b->at[v].number = (uint32)(v - first);
        b->at[v].max_eval = (c->job->max_eval - c->job->evaluations[i]) / (double)(b->count - first);
    }
    return ST_OK;
}

/* Determines the tolerances of integrals from, ..., to - 1 of a set that have none. */
static void set_tolerances(void *context, int thread, size_t from, size_t to)
{
    struct stepper_set *b = context;
    const struct cut_worker w = { b->cuts, &b->stop_flag, b->sums, thread };
    for (size_t k = from; k < to && !is_stop_requested(&b->stop_flag); k++)
        if (!(b->tolerance[k] > 0.0) && is_open(b, b->first + k) && !cut_begin(&w, b->first + k, &b->tolerance[k]))
            stop_interrupted(&b->stop_flag);
}

/* Adds the steppers of all integrals of a set.  If there are few, their tolerances are determined one after the other,
 * each by all threads or a device. */
static int add_all(struct stepper_set *b, struct status *st)
{
    const struct sampler *s = b->cuts->sampler;
    size_t n = b->end - b->first;
    int threads = sampler_threads(s, (double)n * 2.0 * (double)b->cuts->rule.cells * s->seconds);
    int is_few = n < 2 * (size_t)s->threads;

    b->count = 0;
    b->sums = is_few ? cut_allocate_sums(b->cuts) : NULL;
    if (is_few && !b->sums) return fail(st, ST_MEMORY, "no memory for %.0f intervals", (double)b->cuts->rule.cells);
    parallel_for(n, 1, is_few ? 1 : threads, set_tolerances, b, &b->stop_flag);
    memory_release(b->sums);
    for (size_t i = b->first; i < b->end && st->code == ST_OK; i++)
        if (is_open(b, i)) add_integral(b, i, st);
    return st->code;
}

/* Divides the evaluations left to an integral equally among those of its steppers that have used up their own.  Returns
 * the number of these steppers in all integrals. */
static size_t redistribute_evaluations(struct stepper_set *b)
{
    const struct integral_job *j = b->cuts->job;
    size_t paused_in_all = 0;
    for (size_t v = 0, end; v < b->count; v = end) {
        size_t i = b->at[v].stepper.integral, paused = 0;
        double left = j->max_eval - j->evaluations[i];
        for (end = v; end < b->count && b->at[end].stepper.integral == i; end++) {
            left -= b->at[end].stepper.evaluations;
            paused += (size_t)b->at[end].is_paused;
        }
        for (size_t k = v; k < end; k++) {
            struct scaq *w = &b->at[k];
            if (!w->is_paused) continue;
            w->is_paused = w->stepper.is_finished = 0;
            w->max_eval = w->stepper.evaluations + left / (double)paused;
            w->used_up = left / (double)paused < MIN_EVALUATIONS;
        }
        paused_in_all += paused;
    }
    return paused_in_all;
}

/* Ends the integral of stepper v.  Sets *tolerance to the new tolerance if the integral must be repeated, to 0 if not.
 * Returns the index of the first stepper of the next integral. */
static size_t end_integral(const struct stepper_set *b, size_t v, double *tolerance, int again)
{
    size_t i = b->at[v].stepper.integral;
    struct cut_sum all = CUT_SUM_EMPTY;
    int used_up = 0;
    for (; v < b->count && b->at[v].stepper.integral == i; v++) {
        cut_add(&all, &b->at[v].sum);
        used_up |= b->at[v].used_up;
        b->cuts->job->evaluations[i] += b->at[v].stepper.evaluations;
    }
    int is_repeated = cut_end(b->cuts, i, &all, *tolerance, used_up, again);
    *tolerance = is_repeated ? cut_tolerance(&b->cuts->rule, all.value, all.size) : 0.0;
    return v;
}

static int run_stepper_set(struct stepper_set *b, poll_function poll, struct status *st)
{
    const struct stepping stepping = {
        .bytes = sizeof(struct scaq), .state = sizeof(struct scaq), .points = SCAQ_POINTS, .set_points = set_points,
        .step = step, .rule = &b->cuts->rule, .use = FOR_SCAQ, .items = SCAQ_ITEMS
    };
    for (int again = 0; ; again++) {
        if (add_all(b, st) || !b->count) return st->code;
        do {
            if (advance_steppers(b->cuts->job, &stepping, b->at, b->count, b->cuts->sampler, poll, st)) return st->code;
        } while (redistribute_evaluations(b));
        for (size_t v = 0; v < b->count;) {
            size_t i = b->at[v].stepper.integral;
            v = end_integral(b, v, &b->tolerance[i - b->first], again);
        }
    }
}

int cut_scaq(const struct cuts *c, poll_function poll, struct status *st)
{
    struct stepper_set b = { .cuts = c, .stop_flag = { .poll = poll, .st = st } };
    size_t each = c->variant == CUT_PSCAQ ? STEPPERS / (size_t)c->rule.cells + 1 : STEPPERS;
    b.tolerance = memory_allocate(each * sizeof *b.tolerance);
    if (!b.tolerance) return fail(st, ST_MEMORY, "no memory for %zu integrals", each);
    for (; b.first < c->job->n && st->code == ST_OK; b.first = b.end) {
        b.end = b.first + each < c->job->n ? b.first + each : c->job->n;
        memset(b.tolerance, 0, each * sizeof *b.tolerance);
        run_stepper_set(&b, poll, st);
    }
    memory_release(b.tolerance);
    memory_release(b.at);
    return st->code;
}
