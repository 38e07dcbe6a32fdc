/* Forward quadrature as a stepper (quadrature/published/drivers.h). */
#include <string.h>
#include "forward_line.h"
#include "../../base/memory.h"
#include "drivers.h"

/* A stepper along a line, which may record its points. */
struct forward {
    struct forward_line line;           /* its `stepper` is the first member */
    int dim, failed;                    /* failed: memory for the points is short */
    double *point;                      /* `count` points; memory for `capacity` */
    size_t count, capacity, first_child;    /* first_child: index of the first stepper along the next axis */
};

static void set_points(const void *stepper, double *const *x)
{
    const struct forward *w = stepper;
    for (int k = 0; k < w->dim; k++) *x[k] = w->line.x[k];
    *x[w->line.axis] = part_x(w->line.forward.part, w->line.forward.t);
}

static void record(void *stepper, const double *point, int count)
{
    struct forward *w = stepper;
    size_t minimum = w->count + (size_t)count;
    if (minimum > w->capacity) {
        size_t capacity = 2 * minimum + 14;
        double *larger = memory_resize(w->point, capacity * sizeof *larger);
        if (!larger) {
            w->failed = w->line.stepper.is_finished = 1;
            return;
        }
        w->point = larger;
        w->capacity = capacity;
    }
    memcpy(w->point + w->count, point, (size_t)count * sizeof *point);
    w->count = minimum;
}

static void step(const void *rule, void *stepper, const double *f)
{
    struct forward *w = stepper;
    (void)rule;
    if (forward_line_step(&w->line, *f)) record(w, &w->line.forward.p, 1);
}

static const struct stepping forward_stepping = {
    .bytes = sizeof(struct forward), .state = sizeof(struct forward_line), .points = 1, .set_points = set_points,
    .step = step, .record = record, .use = FOR_FORWARD, .items = 1
};

/* Forward quadrature (quadrature/published/forward_rule.h) of many integrals, in several dimensions by Fubini's
 * theorem.
 *
 * The points along the first axis are chosen on the line through the midpoints of the other axes (Thuerck et al. 2014,
 * section 5.2, do not specify the line).  For each of them, the points along the second axis are chosen on the line
 * through the midpoints of the remaining axes, and so on.  Each axis is a stage, in which all steppers advance
 * together.  The steppers of the last stage yield values.  The value of a stepper of an earlier stage is the
 * trapezoidal sum of the values of the next stage at its points; its error is the sum of their errors, weighted by
 * distances, and of the error of its own trapezoids.
 *
 * On a device (forward_lines.cl) the stages are the phases of the paper: the points of the axes before the last one,
 * the sums along all lines of the last axis at the same time, and the sums over these, which are few, on the CPU.
 *
 * An integral is finished when all its steppers have finished.  Its status is INTEGRAL_COARSE if the error exceeds the
 * tolerance.
 */

#define STEPPERS 8192                   /* steppers of one dimension that advance together, for each thread; fewer in
                                           several */

struct stage { struct forward *at; size_t count, capacity; };

struct slab {
    const struct integral_job *job;
    const struct sampler *sampler;
    struct stage stage[FORWARD_AXES];
};

static struct forward *add(struct stage *s, struct status *st)
{
    if (s->count == s->capacity) {
        size_t capacity = 2 * s->capacity + 64;
        struct forward *larger = memory_resize(s->at, capacity * sizeof *larger);
        if (!larger) {
            fail(st, ST_MEMORY, "no memory for %zu integrals", capacity);
            return NULL;
        }
        s->at = larger;
        s->capacity = capacity;
    }
    memset(&s->at[s->count], 0, sizeof *s->at);
    return &s->at[s->count++];
}

static void init_level(const struct integral_job *j, struct forward *w, int axis, struct part part, double range,
                       double max_eval)
{
    w->dim = j->dim;
    w->line.axis = axis;
    w->line.keep = axis < j->dim - 1;
    forward_init(&w->line.forward, part, range, j->option.forward, max_eval,
                 j->dim > 1 || j->option.forward.blocks > 1);
}

/* Adds the steppers of the blocks of a part.  Returns their number; 0 if memory is short. */
static int add_part(struct slab *s, size_t i, struct part part, struct status *st)
{
    const struct integral_job *j = s->job;
    int blocks = forward_blocks(j->option.forward, part);
    for (int b = 0; b < blocks; b++) {
        struct forward *w = add(&s->stage[0], st);
        if (!w) return 0;
        w->line.stepper.integral = i;
        for (int k = 0; k < j->dim; k++) {
            double low, high;
            range_of(j, i, k, &low, &high);
            w->line.x[k] = 0.5 * low + 0.5 * high;
        }
        init_level(j, w, 0, part_interval(part, b, blocks), part.high - part.low, j->max_eval);
    }
    return blocks;
}

static int add_integral(struct slab *s, size_t i, struct status *st)
{
    struct parts parts = parts_of(s->job, i);
    struct part p;
    int count = 0;
    while (parts_next(&parts, &p) && st->code == ST_OK) count += add_part(s, i, p, st);
    if (st->code) return st->code;
    for (int k = 1; k <= count; k++) s->stage[0].at[s->stage[0].count - (size_t)k].line.forward.max_eval /= count;
    return ST_OK;
}

/* --- from axis to axis --------------------------------------------------------- */

/* Adds a stepper along the next axis for each point of the steppers along `axis`. */
static int add_inner_steppers(struct slab *s, int axis, struct status *st)
{
    const struct integral_job *j = s->job;
    for (size_t v = 0; v < s->stage[axis].count; v++) {
        struct forward *w = &s->stage[axis].at[v];
        double low, high;
        range_of(j, w->line.stepper.integral, axis + 1, &low, &high);
        double max_eval = forward_evaluations_each(&w->line.forward, (double)w->count);
        w->first_child = s->stage[axis + 1].count;
        if (!forward_needs_next_axis(&w->line.forward, j->option.forward, (double)w->count, high - low)) w->count = 0;
        for (size_t q = 0; q < w->count; q++) {
            struct part part = { low, high, 0.0, 0, 0 };
            struct forward *c = add(&s->stage[axis + 1], st);
            if (!c) return st->code;
            c->line.stepper.integral = w->line.stepper.integral;
            memcpy(c->line.x, w->line.x, sizeof c->line.x);
            c->line.x[axis] = w->point[q];
            init_level(j, c, axis + 1, part, high - low, max_eval);
        }
    }
    return ST_OK;
}

/* Computes the values and errors of the steppers along `axis` from those along the next axis. */
static void sum_inner_steppers(struct slab *s, int axis)
{
    for (size_t v = 0; v < s->stage[axis].count; v++) {
        struct forward *w = &s->stage[axis].at[v], *c = s->stage[axis + 1].at + w->first_child;
        struct nested_sum all;
        if (!w->count) continue;
        nested_sum_begin(&all);
        for (size_t q = 0; q < w->count; q++) nested_sum_add(&all, &w->line.forward, w->point[q], &c[q].line.forward);
        nested_sum_end(&all, &w->line.forward);
    }
}

/* --- integrals --------------------------------------------------------------------- */

/* Stores the results of the integral to which stepper v of the first stage belongs.  Returns the index of the first
 * stepper of the next integral. */
static size_t end_integral(const struct slab *s, size_t v)
{
    const struct integral_job *j = s->job;
    const struct stage *first = &s->stage[0];
    size_t i = first->at[v].line.stepper.integral;
    struct forward_sum sum = { 0.0, 0.0, 0.0, INTEGRAL_CONVERGED };
    for (; v < first->count && first->at[v].line.stepper.integral == i; v++)
        forward_add(&sum, &first->at[v].line.forward);
    forward_finish(&sum, j->rel_tol, j->abs_tol);
    integral_end(j, i, sum.value, sum.error, sum.status);
    j->bound[i] = sum.bound;
    return v;
}

static int is_without_memory(const struct stage *s, struct status *st)
{
    for (size_t v = 0; v < s->count; v++)
        if (s->at[v].failed) return fail(st, ST_MEMORY, "no memory for the points of an integral");
    return ST_OK;
}

static int run_slab(struct slab *s, poll_function poll, struct status *st)
{
    const struct integral_job *j = s->job;
    for (int k = 0; k < j->dim; k++) {
        struct stage *now = &s->stage[k];
        struct stepping stepping = forward_stepping;
        if (k + 1 == j->dim) stepping.record = NULL;
        if (advance_steppers(j, &stepping, now->at, now->count, s->sampler, poll, st) ||
            is_without_memory(now, st))
            return st->code;
        for (size_t v = 0; v < now->count; v++)
            j->evaluations[now->at[v].line.stepper.integral] += now->at[v].line.stepper.evaluations;
        if (k + 1 < j->dim && add_inner_steppers(s, k, st)) return st->code;
    }
    for (int k = j->dim - 2; k >= 0; k--) sum_inner_steppers(s, k);
    for (size_t v = 0; v < s->stage[0].count;) v = end_integral(s, v);
    return ST_OK;
}

static void empty(struct slab *s)
{
    for (int k = 0; k < s->job->dim; k++) {
        for (size_t v = 0; v < s->stage[k].count; v++) memory_release(s->stage[k].at[v].point);
        s->stage[k].count = 0;
    }
}

int integrate_forward(const struct integral_job *j, const struct sampler *sampler, poll_function poll,
                      struct status *st)
{
    struct slab s = { .job = j, .sampler = sampler };
    size_t maximum = STEPPERS * (size_t)sampler->threads;
    for (int k = 1; k < j->dim; k++) maximum = maximum / 32 + 1;
    for (size_t i = 0; i < j->n && st->code == ST_OK;) {
        for (; i < j->n && s.stage[0].count < maximum && st->code == ST_OK; i++) {
            if (j->status[i] != INTEGRAL_NOT_DONE) continue;
            if (integral_is_trivial(j, i)) j->bound[i] = j->value[i];
            else add_integral(&s, i, st);
        }
        if (st->code == ST_OK) run_slab(&s, poll, st);
        empty(&s);
    }
    for (int k = 0; k < j->dim; k++) memory_release(s.stage[k].at);
    return st->code;
}
