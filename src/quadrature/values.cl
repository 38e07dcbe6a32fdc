/* The integrand at points that are given, a work item for each, for a comparison with
 * the processor (quadrature/integrand_programs.c).  `column`: the inputs of a point side by side. */
#include "integrand_kernel.h"

__kernel void integrand_values(const int n, __global const double *column, SLOTS slot, TABLES table,
                               __global double *out)
{
    int i = (int) get_global_id(0);
    double x[INPUTS];
    if (i >= n) return;
    for (int k = 0; k < INPUTS; k++) x[k] = column[i * INPUTS + k];
    out[i] = integrand(x, slot, table);
}
