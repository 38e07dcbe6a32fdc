/* Evaluates the integrand at given points, one for each work item, for comparison with the CPU
 * (quadrature/integrand_programs.c).  `column` holds the inputs point by point. */
#include "integrand_kernel.h"

__kernel void integrand_values(const int n, __global const real *column, POOL pool, TABLES table,
                               __global real *out)
{
    int i = (int) get_global_id(0);
    real x[INPUTS];
    if (i >= n) return;
    for (int k = 0; k < INPUTS; k++) x[k] = column[i * INPUTS + k];
    out[i] = integrand(x, pool, table);
}
