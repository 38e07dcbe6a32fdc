/* Evaluates the integrand at given points, one for each work item. */
#include "integrand_kernel.h"

/* For comparison with the CPU (quadrature/integrand_programs.c); `column` holds the inputs point by point. */
__kernel void integrand_values(const int n, __global const double *column, POOL pool, TABLES table,
                               __global double *out)
{
    int i = (int) get_global_id(0);
    double x[INPUTS];
    if (i >= n) return;
    for (int k = 0; k < INPUTS; k++) x[k] = column[i * INPUTS + k];
    out[i] = integrand(x, pool, table);
}

/* All components of the integrand (struct device_points). */
__kernel __attribute__((reqd_work_group_size(BOX_LANES, 1, 1))) void values_at_points(
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
