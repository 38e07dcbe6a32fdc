/* Evaluates all components of an integrand at points, one for each work item (struct device_points). */
#include "../integrand_kernel.h"

__kernel __attribute__((reqd_work_group_size(BOX_LANES, 1, 1))) void components_at_points(
    const struct device_points job, __global const double *column, POOL pool, TABLES table, __global double *out)
{
    int i = job.first + (int) get_global_id(0);
    double x[INPUTS], y[COMPONENTS];

    if (i >= job.end) return;
    for (int k = AXES; k < INPUTS; k++) x[k] = column[k - AXES];
    for (int k = 0; k < AXES; k++) x[k] = column[job.parameters + k * job.count + i];
    integrand_components(x, pool, table, y);
    for (int c = 0; c < COMPONENTS; c++) out[i * COMPONENTS + c] = y[c];
}
