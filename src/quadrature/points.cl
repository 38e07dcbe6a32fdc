/* Evaluates all components of the integrand at points that the CPU chooses, one for each work item (struct
 * device_points). */
#include "integrand_kernel.h"

__kernel __attribute__((reqd_work_group_size(BOX_ITEMS, 1, 1))) void values_at_points(
    const struct device_points job, __global const double *column, POOL pool, TABLES table, __global double *out)
{
    int i = job.first + (int) get_global_id(0);
    double x[INPUTS], y[COMPONENTS];

    if (i >= job.end) return;
    for (int k = AXES; k < INPUTS; k++) x[k] = column[k - AXES];
    for (int k = 0; k < AXES; k++) x[k] = column[job.parameters + k * job.count + i];
#if COMPONENTS > 1
    integrand_components(x, pool, table, y);
#else
    y[0] = integrand(x, pool, table);
#endif
    for (int c = 0; c < COMPONENTS; c++) out[i * COMPONENTS + c] = y[c];
}
