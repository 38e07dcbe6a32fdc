/* Gauss-Kronrod quadrature on a device (quadrature/adaptive/gauss_kronrod.h), refined as by
 * quadrature/adaptive/refinement.c: the integrals that gauss_kronrod.cl has listed.
 *
 * gk_refine runs all rounds of the integrals on the list, a group of work items for each.  The work items share the
 * points.  Which intervals are split depends on sums that are formed in a fixed order, and the halves are stored in the
 * order of the intervals, so that results are reproducible.  An integral that needs more intervals than fit into memory
 * is left INTEGRAL_NOT_DONE.  There is one path through the barriers of a round (refinement_kernel.h).
 */
#include "../ranges_kernel.h"
#include "region_sums_kernel.h"

struct range { double low, high; };

/* The intervals of a group. error: with the contribution of neighbours; key: the same less the noise, or -1 for an
 * interval too narrow to be split; left, right: neighbours in the same part, or NONE; fresh: the list of intervals
 * without values. */
struct subregions {
    __global double *low, *high, *error, *key;
    __global struct estimate *estimate;
    __global int *part, *left, *right, *fresh, *mark;
};

#define NONE (-1)

static struct subregions subregions_of(__global double *scratch, int capacity)
{
    size_t group = get_group_id(0), each = (size_t) capacity;
    __global double *at = scratch + group * each * REFINE_DOUBLES;
    __global int *number = (__global int *) (scratch + get_num_groups(0) * each * REFINE_DOUBLES);
    number += group * each * REFINE_INTS;
    struct subregions p = {
        at, at + each, at + 2 * each, at + 3 * each, (__global struct estimate *) (at + 4 * each),
        number, number + each, number + 2 * each, number + 3 * each, number + 4 * each
    };
    return p;
}

/* Returns the part that contains interval k. */
NOINLINE struct part part_around(struct subregions p, int k, struct range r, __global const double *breaks, int count)
{
    struct parts parts = parts_between(r.low, r.high, breaks, count);
    struct part v;
    for (int number = 0; parts_next(&parts, &v) && number < p.part[k]; number++) continue;
    return v;
}

static struct part subregion_at(struct subregions p, int k, struct range r, __global const double *breaks, int count)
{
    struct part v = part_around(p, k, r, breaks, count);
    v.low = p.low[k];
    v.high = p.high[k];
    return v;
}

/* Stores the initial intervals, lists all of them as new, and returns their number. */
static int begin_subregions(struct subregions p, struct range r, __global const double *breaks, int count,
                            int first_intervals)
{
    struct parts parts = parts_between(r.low, r.high, breaks, count);
    struct part whole;
    int number = 0, all = 0;
    for (; parts_next(&parts, &whole); number++) {
        int intervals = part_intervals(whole, first_intervals);
        for (int interval = (int) get_local_id(0); interval < intervals; interval += REFINE_ITEMS) {
            struct part v = interval_first(whole, interval, intervals);
            int k = all + interval;
            p.low[k] = v.low;
            p.high[k] = v.high;
            p.part[k] = number;
            p.left[k] = interval > 0 ? k - 1 : NONE;
            p.right[k] = interval < intervals - 1 ? k + 1 : NONE;
            p.fresh[k] = k;
        }
        all += intervals;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    return all;
}

/* Applies the rule to interval k, given the values of the integrand. */
NOINLINE void apply_rule(struct subregions p, int k, struct range r, __global const double *breaks, int count,
                         __local const double *f)
{
    struct part v = subregion_at(p, k, r, breaks, count);
    double values[GK_POINTS];
    struct estimate e;
    for (int q = 0; q < GK_POINTS; q++) values[q] = f[q];
    interval_estimates(&v, values, &e);
    p.estimate[k] = e;
}

/* Applies the rule to the new intervals, REFINE_RULES at a time: all work items compute values, then one work item sums
 * those of each interval. */
static void evaluate(const struct device_integrals *job, __global const double *column, POOL pool, TABLES table,
                     struct subregions p, struct range r, int fresh, double *x, __local double *f)
{
    int item = (int) get_local_id(0);
    int first = 0;
    do {
        int count = min(REFINE_RULES, fresh - first);
        for (int w = item; w < count * GK_POINTS; w += REFINE_ITEMS) {
            struct part v = subregion_at(p, p.fresh[first + w / GK_POINTS], r, column, job->breaks);
            x[0] = part_x(v, interval_t(v, w % GK_POINTS));
            f[w] = integrand(x, pool, table);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < count) apply_rule(p, p.fresh[first + item], r, column, job->breaks, f + item * GK_POINTS);
        barrier(CLK_LOCAL_MEM_FENCE);
        first += REFINE_RULES;
    } while (first < fresh);
    barrier(CLK_GLOBAL_MEM_FENCE);
}

/* Computes the errors, with the contributions of neighbours. */
static void add_joint_errors(struct subregions p, int count)
{
    for (int k = (int) get_local_id(0); k < count; k += REFINE_ITEMS) {
        double more = 0.0;
        if (p.left[k] != NONE) more += interval_joint(p.estimate[p.left[k]], p.estimate[k]);
        if (p.right[k] != NONE) more += interval_joint(p.estimate[k], p.estimate[p.right[k]]);
        p.error[k] = p.estimate[k].error + more * (0.5 * p.high[k] - 0.5 * p.low[k]);
        p.key[k] = part_is_narrow(p.low[k], p.high[k]) ? -1.0 : p.error[k] - p.estimate[k].noise;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}

static int width_class_of(struct subregions p, int k, struct range r, __global const double *breaks, int count)
{
    struct part whole = part_around(p, k, r, breaks, count), interval = whole;
    interval.low = p.low[k];
    interval.high = p.high[k];
    return interval_width_class(interval, whole.low, whole.high);
}

static struct region_sums accumulate_subregions(struct subregions p, int count, struct range r,
                                                __global const double *breaks, int break_count,
                                                __local struct region_sums *partial)
{
    struct region_sums sum = region_sums_empty();
    for (int k = (int) get_local_id(0); k < count; k += REFINE_ITEMS) {
        struct totals totals = { p.estimate[k].value, p.error[k], p.estimate[k].size };
        region_sums_add(&sum, totals, p.estimate[k].error, p.estimate[k].noise, p.key[k] < 0.0,
                        width_class_of(p, k, r, breaks, break_count));
    }
    return region_sums_all(sum, REFINE_ITEMS, partial);
}

/* Marks the intervals to be split (bisection.h): each work item compares its own intervals with all others.  (A search
 * for the least error would need barriers.) */
static void mark_by_comparison(struct subregions p, int count, double rest, int allowed)
{
    for (int k = (int) get_local_id(0); k < count; k += REFINE_ITEMS) {
        double key = p.key[k], below = 0.0;
        int larger = 0;
        for (int j = 0; j < count; j++) {
            double other = p.key[j];
            below += other >= 0.0 && other <= key ? other : 0.0;
            larger += other > key;
        }
        if (larger == 0) below = INFINITY;
        p.mark[k] = key >= 0.0 && bisections_include(below, rest, larger, allowed);
    }
}

/* Marks the intervals to be split in two simple cases: if all errors exceed `rest`, or if all but the largest add up to
 * at most `rest`.  Returns 0 in any other case. */
static int mark_simple_cases(struct subregions p, int count, struct region_sums all, double rest, int allowed)
{
    int is_each = all.smallest > rest && all.count <= allowed;
    int is_largest = allowed > 0 && bisections_only_largest(&all, rest);
    if (!is_each && !is_largest) return 0;
    double threshold = is_each ? 0.0 : all.largest;
    for (int k = (int) get_local_id(0); k < count; k += REFINE_ITEMS) p.mark[k] = p.key[k] >= threshold;
    return 1;
}

/* Marks the wide intervals. */
static void mark_wide(struct subregions p, int count, struct range r, __global const double *breaks, int break_count)
{
    for (int k = (int) get_local_id(0); k < count; k += REFINE_ITEMS)
        p.mark[k] = p.key[k] >= 0.0 && width_class_of(p, k, r, breaks, break_count) > 0;
}

/* Splits interval k at the point `at`; the upper part becomes interval `end`. */
static void split(struct subregions p, int k, int end, double at)
{
    p.low[end] = at;
    p.high[end] = p.high[k];
    p.high[k] = at;
    p.part[end] = p.part[k];
    p.left[end] = k;
    p.right[end] = p.right[k];
    p.estimate[end].split_share = p.estimate[k].split_share;
    if (p.right[k] != NONE) p.left[p.right[k]] = end;
    p.right[k] = end;
}

/* Splits at most `allowed` of the marked intervals, and marks the halves that are to be split, too.  Returns the number
 * of intervals split, or -1 if `capacity` is exceeded.  Right halves are appended. */
static int split_marked(struct subregions p, int count, int capacity, int uneven, int allowed, __local int *counts)
{
    int item = (int) get_local_id(0), marked = 0, all, twice = bisections_twice(allowed, count);
    for (int k = item; k < count; k += REFINE_ITEMS) marked += p.mark[k];
    int rank = count_before(marked, &all, counts);
    if (all > allowed) all = allowed;         /* equal errors may exceed it */
    int fits = count + all <= capacity;
    for (int k = item; k < count && rank < all && fits; k += REFINE_ITEMS) {
        if (!p.mark[k]) continue;
        struct part v = { p.low[k], p.high[k], 0.0, 0, 0 };
        split(p, k, count + rank, interval_split_point(v, p.estimate[k]));
        p.mark[k] = p.mark[count + rank] = twice && (uneven || p.estimate[k].is_singular);
        p.fresh[2 * rank] = k;
        p.fresh[2 * rank + 1] = count + rank;
        rank++;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    return fits ? all : -1;
}

/* Splits the new intervals that are marked.  Returns their number, or -1 if `capacity` is exceeded. */
static int split_marked_halves(struct subregions p, int count, int fresh, int capacity, __local int *counts)
{
    int item = (int) get_local_id(0), marked = 0, all;
    for (int v = item; v < fresh; v += REFINE_ITEMS) marked += p.mark[p.fresh[v]];
    int rank = count_before(marked, &all, counts);
    int fits = count + all <= capacity;
    for (int v = item; v < fresh && fits; v += REFINE_ITEMS) {
        int k = p.fresh[v];
        if (!p.mark[k]) continue;
        struct part v = { p.low[k], p.high[k], 0.0, 0, 0 };
        split(p, k, count + rank, interval_split_point(v, p.estimate[k]));
        p.fresh[fresh + rank] = count + rank;
        rank++;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    return fits ? all : -1;
}

__kernel __attribute__((reqd_work_group_size(REFINE_ITEMS, 1, 1))) void gk_refine(ARGUMENTS)
{
    __local double f[REFINE_RULES * GK_POINTS];
    __local struct region_sums sums[REFINE_ITEMS];
    __local int counts[REFINE_ITEMS];
    struct subregions p = subregions_of(scratch, job.capacity);
    double x[INPUTS];
    RETURN_VALUES
    int listed = list[0];

    for (int entry = (int) get_group_id(0); entry < listed; entry += (int) get_num_groups(0)) {
        int i = list[1 + entry] / 2, again = list[1 + entry] % 2, status = REFINEMENT_BISECTS;
        struct range r;
        double sign = range_of(&job, column, i, 0, &r.low, &r.high);
        set_parameters(&job, column, i, x);
        int count = begin_subregions(p, r, column, job.breaks, again ? GK_INTERVALS_ZERO : GK_INTERVALS), fresh = count;
        int rules = again ? count / GK_INTERVALS_ZERO * GK_INTERVALS : 0;  /* rules applied by gk_begin */
        struct region_sums sum = region_sums_empty();

        while (status == REFINEMENT_BISECTS) {
            evaluate(&job, column, pool, table, p, r, fresh, x, f);
            rules += fresh;
            add_joint_errors(p, count);
            sum = accumulate_subregions(p, count, r, column, job.breaks, sums);
            double tolerance = refinement_tolerance(job.rel_tol, job.abs_tol, sum.value, sum.size);
            double points = (double) rules * GK_POINTS;
            int allowed = bisections_allowed(job.max_eval, points, GK_POINTS);
            status = refinement_status(&sum, tolerance, allowed, 1, points > job.launch_eval);

            int open = status == REFINEMENT_BISECTS ? count : 0;
            double rest = bisections_rest(tolerance, sum.open, 0.0);
            int uneven = refinement_is_uneven(&sum, allowed), is_marked = 1;
            if (uneven) mark_wide(p, open, r, column, job.breaks);
            else is_marked = mark_simple_cases(p, open, sum, rest, allowed);
            mark_by_comparison(p, is_marked ? 0 : open, rest, allowed);
            int halved = split_marked(p, open, job.capacity, uneven, allowed, counts);
            if (open && halved <= 0) status = halved < 0 ? INTEGRAL_NOT_DONE : refinement_end(&sum, tolerance, allowed);
            count += halved;
            fresh = 2 * halved;
            int more = split_marked_halves(p, count, status < 0 ? fresh : 0, job.capacity, counts);
            if (more < 0) status = INTEGRAL_NOT_DONE;
            count += more;
            fresh += more;
        }
        if (get_local_id(0) == 0)
            store_result(&job, out, i, sign * sum.value, refinement_error(&sum), rules, status);
    }
}
