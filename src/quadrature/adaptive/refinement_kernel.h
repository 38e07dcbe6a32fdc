/* Refines integrals on a device as quadrature/adaptive/refinement.c does on the CPU, all rounds of an integral by one
 * group of work items.  The kernel that includes this file defines its intervals or boxes:
 *
 *     struct shape          position and further properties of a subregion;
 *     FIRST_POINTS, NEW_POINTS, FIRST_INTERVALS, FIRST_INTERVALS_ZERO, MIN_SHARE, REST_SHARE
 *                           as in struct subdivision (quadrature/adaptive/subregion.h);
 *     TOGETHER              number of subregions evaluated at a time;
 *     begin()               stores the initial subregions if their number is within the capacity; returns their number
 *     in any case;
 *     set_point()           computes point k of those to be evaluated;
 *     apply_rule()          applies the rule to the values b.f of `count` subregions, from entry `first` of the list
 *                           on;
 *     halve_shape(), is_stuck();
 *     width_class()         1 if a subregion is wide, -1 if it is narrow, otherwise 0 (bisection.h);
 *     raise_errors()        as in struct subdivision, with *before the number of subregions at the last comparison;
 *                           returns -1 if the host is to compare them; count: may be 0.
 *
 * The work items share the points.  Which subregions are bisected depends on sums that are formed in a fixed order; the
 * left half replaces the whole, and the right ones are appended in the order of the work items, so that results are
 * reproducible.  An integral that needs more subregions than the capacity is left INTEGRAL_NOT_DONE.
 *
 * There is one path through the barriers of a round: if there are two, PoCL duplicates the code that follows, and takes
 * up to twice as long to compile the kernel.
 */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_REFINEMENT_KERNEL_H
#define STABLECL_QUADRATURE_ADAPTIVE_REFINEMENT_KERNEL_H

#include "../ranges_kernel.h"
#include "region_sums_kernel.h"

/* The subregions of a group. error: the sign bit marks those too narrow to be bisected; before, change: as in struct
 * halves; fresh: the list of those without values, the two halves of a subregion adjacent. */
struct subregions {
    __global double *value, *error, *size, *before, *change;
    __global struct shape *shape;
    __global int *fresh;
};

/* Local memory shared by the work items of a group.  (PoCL 3.1 does not build a kernel with a __local struct of
 * arrays.) */
struct workspace {
    __local double *f;
    __local struct region_sums *sums;
    __local int *count, *number;
};

#define WORKSPACE(name)                                                                                     \
    __local double name##_f[TOGETHER * FIRST_POINTS];                                                   \
    __local struct region_sums name##_sums[REFINE_ITEMS];                                               \
    __local int name##_count[REFINE_ITEMS], name##_number;                                              \
    struct workspace name = { name##_f, name##_sums, name##_count, &name##_number }

static struct subregions subregions_of(__global double *scratch, int capacity)
{
    size_t group = get_group_id(0), each = (size_t) capacity, shape = sizeof(struct shape) / sizeof(double);
    size_t doubles = each * (SUBREGION_DOUBLES + shape);
    __global double *at = scratch + group * doubles;
    __global int *number = (__global int *) (scratch + get_num_groups(0) * doubles) + group * each;
    struct subregions p = {
        at, at + each, at + 2 * each, at + 3 * each, at + 4 * each,
        (__global struct shape *) (at + SUBREGION_DOUBLES * each), number
    };
    return p;
}

/* --- values ------------------------------------------------------------------------- */

static int begin(struct subregions p, const struct device_integrals *job, __global const double *column, int i,
                 int first_intervals);
static void set_point(const struct shape *s, int is_half, int k, double *x);
static void apply_rule(struct subregions p, int first, int count, int is_half, struct workspace b);
static void halve_shape(const struct shape *whole, struct shape *left, struct shape *right);
static int is_stuck(const struct shape *s);
static int width_class(__global const struct shape *s);
static int raise_errors(struct subregions p, int count, int *before, double tolerance, int is_last, struct workspace b);

/* Stores the initial subregions and returns their number.  If it exceeds the capacity, none is stored. */
static int begin_subregions(struct subregions p, const struct device_integrals *job, __global const double *column,
                            int i, int first_intervals)
{
    int count = begin(p, job, column, i, first_intervals);
    for (int k = (int) get_local_id(0); k < count && count <= job->capacity; k += REFINE_ITEMS) {
        p.change[k] = 0.0;
        p.fresh[k] = k;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    return count;
}

static void subregion_set(struct subregions p, int k, struct totals b)
{
    p.value[k] = b.value;
    p.error[k] = b.error;
    p.size[k] = b.size;
}

/* Completes the errors after a round: compares halves with their whole, and marks subregions too narrow to be
 * bisected. */
static void complete_errors(struct subregions p, int fresh, int is_half)
{
    for (int v = 2 * (int) get_local_id(0); v < fresh; v += 2 * REFINE_ITEMS) {
        if (is_half) {
            int left = p.fresh[v], right = p.fresh[v + 1];
            struct halves h = { p.value[left] + p.value[right], p.error[left], p.error[right], p.before[left],
                                p.change[left] };
            halves_compare(&h, AXES, MIN_SHARE);
            p.error[left] = h.left;
            p.error[right] = h.right;
            p.change[left] = p.change[right] = h.change;
        }
        for (int u = v; u < v + 2 && u < fresh; u++) {
            struct shape s = p.shape[p.fresh[u]];
            if (is_stuck(&s)) p.error[p.fresh[u]] *= -1.0;
        }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}

/* Computes the sums of the new subregions, TOGETHER at a time.  (A loop without a first pass, if `fresh` is 0, would be
 * another path through the barriers.) */
static void evaluate(struct subregions p, int fresh, int is_half, double *x, POOL pool, TABLES table,
                     struct workspace b)
{
    int points = is_half ? NEW_POINTS : FIRST_POINTS;
    int first = 0;
    do {
        int count = fresh - first < TOGETHER ? fresh - first : TOGETHER;
        for (int w = (int) get_local_id(0); w < count * points; w += REFINE_ITEMS) {
            struct shape s = p.shape[p.fresh[first + w / points]];
            set_point(&s, is_half, w % points, x);
            b.f[w] = integrand(x, pool, table);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        apply_rule(p, first, count, is_half, b);
        barrier(CLK_LOCAL_MEM_FENCE);
        first += TOGETHER;
    } while (first < fresh);
    barrier(CLK_GLOBAL_MEM_FENCE);
    complete_errors(p, fresh, is_half);
}

/* --- selection of the subregions to be bisected ---------------------------------- */

static struct region_sums accumulate_subregions(struct subregions p, int count, __local struct region_sums *partial)
{
    struct region_sums sum = region_sums_empty();
    for (int k = (int) get_local_id(0); k < count; k += REFINE_ITEMS) {
        double error = p.error[k];
        struct totals totals = { p.value[k], fabs(error), p.size[k] };
        region_sums_add(&sum, totals, totals.error, 0.0, signbit(error), width_class(p.shape + k));
    }
    return region_sums_all(sum, REFINE_ITEMS, partial);
}

/* Sums over the subregions that can be bisected. open: sum of the errors up to `at`; largest: the largest of these;
 * count: number of the errors beyond; smallest: the smallest of these. */
static struct region_sums accumulate_sides(struct subregions p, int count, double at,
                                           __local struct region_sums *partial)
{
    struct region_sums sum = region_sums_empty();
    for (int k = (int) get_local_id(0); k < count; k += REFINE_ITEMS) {
        double error = p.error[k];
        int open = !signbit(error), below = open && error <= at, above = open && error > at;
        sum.open += below ? error : 0.0;
        sum.largest = below ? fmax(sum.largest, error) : sum.largest;
        sum.smallest = above ? fmin(sum.smallest, error) : sum.smallest;
        sum.count += above;
    }
    return region_sums_all(sum, REFINE_ITEMS, partial);
}

/* Returns the least error to be bisected (bisection.h).  Each pass over the subregions tests the middle of the range
 * that is left. */
static double find_threshold(struct subregions p, int count, struct region_sums all, double rest, int allowed,
                        __local struct region_sums *partial)
{
    double low = bisections_only_largest(&all, rest) ? all.largest : all.smallest, high = all.largest;
    while (low < high) {
        double middle = bisections_middle(low, high);
        struct region_sums t = accumulate_sides(p, count, middle, partial);
        if (bisections_include(t.open, rest, t.count, allowed)) high = t.largest;
        else low = t.smallest;
    }
    return high;
}

/* threshold: the least error to be bisected; uneven: all wide subregions are to be bisected instead. */
static int is_to_be_bisected(struct subregions p, int k, double threshold, int uneven)
{
    double error = p.error[k];
    return !signbit(error) && (uneven ? width_class(p.shape + k) > 0 : error >= threshold);
}

/* Bisects at most `allowed` subregions.  Returns their number, or -1 if `capacity` is exceeded. */
static int bisect_subregions(struct subregions p, int count, int capacity, double threshold, int uneven, int allowed,
                             __local int *counts)
{
    int item = (int) get_local_id(0), to_bisect = 0, all;
    for (int k = item; k < count; k += REFINE_ITEMS) to_bisect += is_to_be_bisected(p, k, threshold, uneven);
    int rank = count_before(to_bisect, &all, counts);
    if (all > allowed) all = allowed;         /* equal errors may exceed it */
    int fits = count + all <= capacity;
    for (int k = item; k < count && rank < all && fits; k += REFINE_ITEMS) {
        if (!is_to_be_bisected(p, k, threshold, uneven)) continue;
        int end = count + rank;
        struct shape whole = p.shape[k], left, right;
        halve_shape(&whole, &left, &right);
        p.shape[k] = left;
        p.shape[end] = right;
        p.before[k] = p.value[k];
        p.change[end] = p.change[k];
        p.fresh[2 * rank] = k;
        p.fresh[2 * rank + 1] = end;
        rank++;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    return fits ? all : -1;
}

/* --- refinement ------------------------------------------------------------------------- */

/* Refines integral i until no subregion is to be bisected any more, and returns its status.  *points: evaluations so
 * far.  (There is one path through all barriers: if an integral ends, no subregions are compared or bisected.) */
static int refine(const struct device_integrals *job, __global const double *column, POOL pool, TABLES table,
                  struct subregions p, int i, int first_intervals, double *x, struct region_sums *sum, int *points,
                  struct workspace b)
{
    int count = begin_subregions(p, job, column, i, first_intervals), fresh = count, is_half = 0, before = 0;
    int status = count > job->capacity ? INTEGRAL_NOT_DONE : REFINEMENT_BISECTS;
    while (status == REFINEMENT_BISECTS) {
        evaluate(p, fresh, is_half, x, pool, table, b);
        *points += fresh * (is_half ? NEW_POINTS : FIRST_POINTS);
        *sum = accumulate_subregions(p, count, b.sums);
        double tolerance = refinement_tolerance(job->rel_tol, job->abs_tol, sum->value, sum->size);
        int allowed = bisections_allowed(job->max_eval, (double) *points, NEW_POINTS);
        int accepts_zero = refinement_accepts_zero(first_intervals, FIRST_INTERVALS_ZERO, FIRST_POINTS, job->max_eval);
        status = refinement_status(sum, tolerance, allowed, accepts_zero, (double) *points > job->launch_eval);

        int compared = status == REFINEMENT_ZERO || status == INTEGRAL_NOT_DONE ? 0 : count;
        int raised = raise_errors(p, compared, &before, tolerance, status != REFINEMENT_BISECTS || !allowed, b);
        int open = status == REFINEMENT_BISECTS && !raised ? count : 0;
        double rest = bisections_rest(tolerance, sum->open, REST_SHARE);
        double threshold = bisections_threshold(find_threshold(p, open, *sum, rest, allowed, b.sums), REST_SHARE);
        int halved = bisect_subregions(p, open, job->capacity, threshold, refinement_is_uneven(sum, allowed), allowed,
                                       b.count);
        if (raised) status = raised > 0 ? REFINEMENT_BISECTS : INTEGRAL_NOT_DONE;   /* adds up the errors again */
        else if (open && halved <= 0) status = halved < 0 ? INTEGRAL_NOT_DONE : refinement_end(sum, tolerance, allowed);
        count += halved;
        fresh = 2 * halved;
        is_half |= halved > 0;
    }
    return status;
}

/* Processes integrals from the list until none is left. */
static void refine_listed(const struct device_integrals *job, __global const double *column, POOL pool, TABLES table,
                          __global int *list, __global double *scratch, __global double *out, struct workspace b)
{
    struct subregions p = subregions_of(scratch, job->capacity);
    double x[INPUTS];
    int i;

    while ((i = next_integral(list, b.number)) < job->n) {
        struct region_sums sum = region_sums_empty();
        int status = status_before(job, column, i), is_trivial = status != INTEGRAL_NOT_DONE;
        int first_intervals = is_trivial ? 0 : FIRST_INTERVALS, points = 0;
        set_parameters(job, column, i, x);
        while (first_intervals) {
            status = refine(job, column, pool, table, p, i, first_intervals, x, &sum, &points, b);
            first_intervals = status == REFINEMENT_ZERO ? FIRST_INTERVALS_ZERO : 0;
            if (first_intervals * FIRST_POINTS > job->launch_eval) {
                status = INTEGRAL_NOT_DONE;
                first_intervals = 0;
            }
        }
        if (get_local_id(0) == 0 && is_trivial) store_trivial_result(job, out, i, status);
        else if (get_local_id(0) == 0)
            store_result(job, out, i, sign_of(job, column, i) * sum.value, refinement_error(&sum), (uint) points,
                         status);
    }
}

#endif
