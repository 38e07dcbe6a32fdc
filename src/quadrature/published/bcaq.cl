/* BCAQ (quadrature/published/bcaq.h).
 *
 * A work group computes one integral after the other.  Each work item evaluates neighbouring intervals of a region; the
 * sums of neighbouring work items are added in pairs.  All work items then receive the sums of the region, from which
 * they determine the next region.
 */
#include "../ranges_kernel.h"
#include "bcaq.h"

/* Computes the sums of intervals `from` to `to` - 1 of a region. */
static struct cut_sum sum_intervals(const struct part *p, const struct region *r, int from, int to, double *x,
                                    POOL pool, TABLES table)
{
    struct cut_sum sum = CUT_SUM_EMPTY;
    double f[3] = { 0.0, 0.0, 0.0 };
    for (int q = 2 * to; from < to && q >= 2 * from; q--) {
        x[0] = part_x(*p, region_point(r, q));
        double value = integrand(x, pool, table);
        if (q == 2 * to) f[2] = value;
        else if (q % 2) f[1] = value;
        else {
            f[0] = value;
            region_add_interval(&sum, p, r, q / 2, f);
            f[2] = value;
        }
    }
    return sum;
}

/* Returns the sums of the current region to all work items. */
static struct cut_sum sum_region(const struct bcaq *c, double *x, POOL pool, TABLES table,
                                 __local struct cut_sum *partial)
{
    struct region r = region_between(c->low, c->upper, c->rule.cells);
    int item = (int) get_local_id(0), cells = (int) r.cells, each = (cells + REFINE_ITEMS - 1) / REFINE_ITEMS;
    int from = min(item * each, cells), to = min(from + each, cells);
    struct cut_sum sum = sum_intervals(&c->part, &r, from, to, x, pool, table);

    partial[item] = sum;
    for (int stride = 1; stride < REFINE_ITEMS; stride *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item % (2 * stride) == 0) {
            struct cut_sum upper = partial[item + stride];
            cut_add_lower(&upper, &sum);
            partial[item] = sum = upper;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = partial[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

__kernel __attribute__((reqd_work_group_size(REFINE_ITEMS, 1, 1))) void blockcut(ARGUMENTS)
{
    __local struct cut_sum partial[REFINE_ITEMS];
    __local int number;
    struct cut_rule rule = cut_rule_of(&job.option.cut, job.rel_tol, job.abs_tol, job.max_eval);
    double x[INPUTS], low, high, maximum = fmin((double) PACKED_MAX, job.launch_eval);
    struct bcaq c;
    int i;

    RETURN_VALUES
    while ((i = next_integral(list, &number)) < job.n) {
        double sign = range_of(&job, column, i, 0, &low, &high);
        int status = status_before(&job, column, i), is_trivial = status != INTEGRAL_NOT_DONE;
        set_parameters(&job, column, i, x);
        bcaq_begin(&c, rule, parts_between(low, high, column, job.breaks), (uint64) job.first + (uint64) i);
        while (!is_trivial && c.status == INTEGRAL_NOT_DONE && c.evaluations <= maximum) {
            struct cut_sum s = sum_region(&c, x, pool, table, partial);
            bcaq_advance(&c, &s);
        }
        if (c.evaluations > maximum) c.status = INTEGRAL_NOT_DONE;
        if (get_local_id(0) == 0 && is_trivial) store_trivial_result(&job, out, i, status);
        else if (get_local_id(0) == 0)
            store_result(&job, out, i, sign * c.sum.value, c.sum.error,
                         c.status == INTEGRAL_NOT_DONE ? 0 : (uint) c.evaluations, c.status);
    }
}
