/* Advances steppers of SCAQ (quadrature/published/scaq.h) along their ranges, each by four neighbouring work items, of
 * which three evaluate the points of an interval.  All four keep the state of the stepper.  A launch ends after
 * `rounds` intervals of each stepper; the host launches the kernel again with those that have not finished.
 */
#include "../integrand_kernel.h"
#include "scaq.h"

#define TOGETHER (BOX_ITEMS / SCAQ_ITEMS)

/* Returns to all work items of the group whether any of them needs further values. */
static int is_any_left(int is_left, __local int *any)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) *any = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_left) *any = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    return *any;
}

__kernel __attribute__((reqd_work_group_size(BOX_ITEMS, 1, 1))) void scaq_steppers(
    const struct device_steppers job, __global const struct scaq *from, POOL pool, TABLES table,
    __global struct scaq *to)
{
    __local double f[BOX_ITEMS];
    __local int any;
    int item = (int) get_local_id(0), q = item % SCAQ_ITEMS;
    int number = job.first + (int) get_group_id(0) * TOGETHER + item / SCAQ_ITEMS, is_used = number < job.end;
    __global const double *parameter = (__global const double *) (from + job.count);
    struct cut_rule rule = cut_rule_of(&job.option.cut, 0.0, 0.0, INFINITY);
    struct scaq w = from[is_used ? number : job.first];
    double x[INPUTS], near[SCAQ_POINTS];

    for (int k = 1; k < INPUTS; k++) x[k] = parameter[(k - 1) * job.count + (is_used ? number : job.first)];
    for (int round = 0; round < job.rounds && is_any_left(is_used && !w.stepper.is_finished, &any); round++) {
        int is_left = is_used && !w.stepper.is_finished;
        if (is_left && q < SCAQ_POINTS) {
            x[0] = scaq_point(&w, q);
            f[item] = integrand(x, pool, table);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int p = 0; p < SCAQ_POINTS; p++) near[p] = f[item - q + p];
        if (is_left) {
            w.stepper.evaluations += SCAQ_POINTS;
            scaq_step(&w, &rule, near);
        }
    }
    if (is_used && q == 0) to[number] = w;
}
