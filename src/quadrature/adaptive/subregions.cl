/* Applies the rule of Genz and Malik to subregions of a box (quadrature/adaptive/genz_malik.c), several by each group.
 * The host decides which are bisected and when the integral is finished. */
#include "genz_malik_kernel.h"

static struct shape shape_at(__global const double *at)
{
    struct shape s;
    for (int axis = 0; axis < AXES; axis++) {
        s.centre[axis] = at[axis];
        s.half_width[axis] = at[AXES + axis];
    }
    return s;
}

__kernel __attribute__((reqd_work_group_size(REFINE_ITEMS, 1, 1))) void subregions_rule(
    const struct device_subregions job, __global const double *column, POOL pool, TABLES table,
    __global struct genz_malik_result *found)
{
    __local double f[TOGETHER * POINTS];
    __local struct region_sums partial[REFINE_ITEMS];
    int first = job.first + (int) get_group_id(0) * TOGETHER, count = min(TOGETHER, job.end - first), is_first;
    __global const double *at = column + job.parameters + first * 2 * AXES;
    double x[INPUTS];

    for (int k = AXES; k < INPUTS; k++) x[k] = column[k - AXES];
    for (int w = (int) get_local_id(0); w < count * POINTS; w += REFINE_ITEMS) {
        struct shape s = shape_at(at + w / POINTS * 2 * AXES);
        set_point(&s, job.is_half, w % POINTS, x);
        f[w] = integrand(x, pool, table);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    struct region_sums sum = box_sums(f, count, partial);
    int number = box_of_item(count, &is_first);
    if (!is_first) return;
    struct shape s = shape_at(at + number * 2 * AXES);
    found[first + number] = box_result(&sum, &s, f + number * POINTS, job.is_half);
}
