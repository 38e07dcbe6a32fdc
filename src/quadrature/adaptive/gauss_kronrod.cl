/* Gauss-Kronrod quadrature on a device (quadrature/adaptive/gauss_kronrod.h): the initial intervals.
 *
 * gk_begin applies the rule to the initial intervals of an integral for each work item.  Most integrals end here; the
 * others are put on a list, whose length is list[0], as 2 i, or as 2 i + 1 if all values were 0.  The kernel in
 * gauss_kronrod_refined.cl refines them, a program of its own, which is built only if an integral needs it.
 */
#include "../ranges_kernel.h"
#include "region_sums_kernel.h"

/* --- the rule -------------------------------------------------------------------- */

static struct estimate rule(struct part v, double *x, POOL pool, TABLES table)
{
    double f[GK_POINTS];
    struct estimate e;
    for (int j = 0; j < GK_POINTS; j++) {
        x[0] = part_x(v, interval_t(v, j));
        f[j] = integrand(x, pool, table);
    }
    interval_estimates(&v, f, &e);
    return e;
}

static struct totals joined(struct totals a, struct totals b)
{
    struct totals sum = { a.value + b.value, a.error + b.error, a.size + b.size };
    return sum;
}

/* Returns the sums over the initial intervals of a part, from left to right. */
static struct totals first_intervals_of(struct part whole, double *x, POOL pool, TABLES table)
{
    struct totals sum = { 0.0, 0.0, 0.0 };
    struct estimate before;
    double half_length = 0.0;
    int intervals = part_intervals(whole, GK_INTERVALS);
    for (int interval = 0; interval < intervals; interval++) {
        struct part v = interval_first(whole, interval, intervals);
        struct estimate e = rule(v, x, pool, table);
        struct totals totals = { e.value, e.error, e.size };
        if (interval > 0) totals.error += interval_joint(before, e) * (half_length + interval_half_length(v));
        sum = joined(sum, totals);
        before = e;
        half_length = interval_half_length(v);
    }
    return sum;
}

/* --- initial intervals ----------------------------------------------------------- */

__kernel void gk_begin(ARGUMENTS)
{
    int i = (int) get_global_id(0), rules = 0;
    double x[INPUTS], low, high;
    struct totals sum = { 0.0, 0.0, 0.0 };
    struct region_sums all = region_sums_empty();
    struct part whole;
    RETURN_VALUES
    if (i >= job.n) return;
    int status = status_before(&job, column, i);
    if (status != INTEGRAL_NOT_DONE) {
        store_trivial_result(&job, out, i, status);
        return;
    }
    double sign = range_of(&job, column, i, 0, &low, &high);
    set_parameters(&job, column, i, x);

    struct parts parts = parts_between(low, high, column, job.breaks);
    for (; parts_next(&parts, &whole); rules += part_intervals(whole, GK_INTERVALS))
        sum = joined(sum, first_intervals_of(whole, x, pool, table));
    region_sums_add(&all, sum, sum.error, 0.0, 0, 0);
    double tolerance = refinement_tolerance(job.rel_tol, job.abs_tol, sum.value, sum.size);
    int accepts_zero = refinement_accepts_zero(GK_INTERVALS, GK_INTERVALS_ZERO, GK_POINTS, job.max_eval);
    status = refinement_status(&all, tolerance, 1, accepts_zero, 0);
    int again = status == REFINEMENT_ZERO, is_done = status == INTEGRAL_CONVERGED;
    if (again && GK_INTERVALS_ZERO * GK_POINTS > job.launch_eval) status = INTEGRAL_NOT_DONE;
    if (status < 0) list[1 + atomic_inc(list)] = 2 * i + again;
    else store_result(&job, out, i, is_done ? sign * sum.value : NAN, is_done ? sum.error : NAN, rules, status);
}
