/* Forward quadrature (quadrature/published/forward_rule.h), one work item for each integral.
 *
 * In several dimensions the steppers are nested: the stepper along an axis waits at each point while another one
 * integrates along the next axis.  The evaluations allowed to the latter depend on the number of points of the former.
 * A stepper before the last axis therefore runs twice, along the line through the midpoints of the following axes:
 * first to count its points, then to stop at them.  The second run does not count as evaluations, because the CPU
 * stores the points instead.
 */
#include "../ranges_kernel.h"
#include "forward_rule.h"

/* The stepper along an axis, the sums from the next axis, the number of points, and whether it is final. */
struct level {
    struct forward_stepper forward;
    struct nested_sum sum;
    double evaluations;
    int count, is_counted;
};

struct nested_steppers {
    const struct device_integrals *job;
    __global const double *column;
    struct forward_options steps;
    double max_eval, evaluations;           /* beyond `max_eval` evaluations the integral is left to the caller */
    int i;                              /* number of the integral */
    struct level level[AXES];
};

static void init_level(struct level *l, struct part part, double range, struct forward_options steps, double max_eval)
{
    l->evaluations = 0.0;
    l->count = l->is_counted = 0;
    forward_init(&l->forward, part, range, steps, max_eval, AXES > 1 || steps.blocks > 1);
}

/* Advances the stepper to its next point if the points have been counted, otherwise to the end. */
static void advance_stepper(const struct nested_steppers *w, struct level *l, int axis, double *x, POOL pool,
                            TABLES table)
{
    int at_point = 0;
    while (l->forward.status == INTEGRAL_NOT_DONE && !(at_point && l->is_counted) && l->evaluations <= w->max_eval) {
        x[axis] = part_x(l->forward.part, l->forward.t);
        at_point = forward_step(&l->forward, integrand(x, pool, table), ++l->evaluations);
        if (!l->is_counted) l->count += at_point;
    }
}

/* Begins the second run of a stepper that has reached the upper limit, if enough evaluations are left for each of its
 * points. */
static void begin_second_run(struct nested_steppers *w, struct level *l, int axis)
{
    double low, high;
    range_of(w->job, w->column, w->i, axis + 1, &low, &high);
    if (!forward_needs_next_axis(&l->forward, w->steps, (double) l->count, high - low)) return;
    l->is_counted = 1;
    l->evaluations = 0.0;
    nested_sum_begin(&l->sum);
    forward_begin(&l->forward);
}

/* Begins a stepper along the next axis at the current point of the one along `axis`. */
static void begin_inner_stepper(struct nested_steppers *w, int axis, double *x)
{
    struct level *l = &w->level[axis];
    struct part part = { 0.0, 0.0, 0.0, 0, 0 };
    range_of(w->job, w->column, w->i, axis + 1, &part.low, &part.high);
    x[axis] = l->forward.p;
    init_level(&w->level[axis + 1], part, part.high - part.low, w->steps,
               forward_evaluations_each(&l->forward, (double) l->count));
}

static double midpoint_of(const struct nested_steppers *w, int axis)
{
    double low, high;
    range_of(w->job, w->column, w->i, axis, &low, &high);
    return 0.5 * low + 0.5 * high;
}

/* Adds the value of the finished stepper along `axis` to the sum of the stepper along the axis before.  Returns the
 * axis of the stepper that continues; -1 if all are finished. */
static int finish_inner_stepper(struct nested_steppers *w, int axis, double *x)
{
    while (axis-- > 0) {
        struct level *l = &w->level[axis];
        x[axis + 1] = midpoint_of(w, axis + 1);
        nested_sum_add(&l->sum, &l->forward, l->forward.p, &w->level[axis + 1].forward);
        if (l->forward.status == INTEGRAL_NOT_DONE) break;
        nested_sum_end(&l->sum, &l->forward);
    }
    return axis;
}

/* Integrates over a block of a part of the first axis, which has the length `range`. */
static void integrate_block(struct nested_steppers *w, struct part block, double range, double max_eval, double *x,
                            POOL pool, TABLES table)
{
    int axis = 0;
    init_level(&w->level[0], block, range, w->steps, max_eval);
    while (axis >= 0 && w->evaluations <= w->max_eval) {
        struct level *l = &w->level[axis];
        advance_stepper(w, l, axis, x, pool, table);
        if (l->is_counted) {
            begin_inner_stepper(w, axis++, x);
            continue;
        }
        w->evaluations += l->evaluations;
        if (axis < AXES - 1) begin_second_run(w, l, axis);
        if (l->forward.status != INTEGRAL_NOT_DONE) axis = finish_inner_stepper(w, axis, x);
    }
}

static void store_result_with_bound(const struct device_integrals *job, __global double *out, int i, double sign,
                                    const struct forward_sum *sum, double evaluations, double max_eval)
{
    int is_counted = evaluations <= max_eval;
    store_result(job, out, i, sign * sum->value, sum->error, is_counted ? (uint) evaluations : 0,
                 is_counted ? sum->status : INTEGRAL_NOT_DONE);
    out[2 * job->n + i] = sum->bound;
}

__kernel void forward(ARGUMENTS)
{
    struct forward_sum sum = { 0.0, 0.0, 0.0, INTEGRAL_CONVERGED };
    double max_eval = fmin((double) PACKED_MAX, job.launch_eval);
    struct nested_steppers w = { &job, column, job.option.forward, max_eval, 0.0, (int) get_global_id(0) };
    double x[INPUTS], low, high, count = 0.0;
    struct part part;
    RETURN_VALUES
    if (w.i >= job.n) return;
    int status = status_before(&job, column, w.i);
    range_of(&job, column, w.i, 0, &low, &high);
    if (status != INTEGRAL_NOT_DONE) {
        sum.status = status;
        forward_finish(&sum, job.rel_tol, job.abs_tol);
        store_result_with_bound(&job, out, w.i, 1.0, &sum, 0.0, max_eval);
        return;
    }
    set_parameters(&job, column, w.i, x);
    for (int axis = 1; axis < AXES; axis++) x[axis] = midpoint_of(&w, axis);

    struct parts parts = parts_between(low, high, column, job.breaks);
    while (parts_next(&parts, &part)) count += forward_blocks(w.steps, part);
    parts = parts_between(low, high, column, job.breaks);
    while (parts_next(&parts, &part)) {
        int blocks = forward_blocks(w.steps, part);
        for (int block = 0; block < blocks; block++) {
            integrate_block(&w, part_interval(part, block, blocks), part.high - part.low, job.max_eval / count, x, pool,
                            table);
            forward_add(&sum, &w.level[0].forward);
        }
    }
    forward_finish(&sum, job.rel_tol, job.abs_tol);
    store_result_with_bound(&job, out, w.i, sign_of(&job, column, w.i), &sum, w.evaluations, max_eval);
}
