/* Evaluates the integrand at a point of the unit cube, after the importance map
 * (quadrature/monte_carlo/importance_map.h). */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_UNIT_CUBE_KERNEL_H
#define STABLECL_QUADRATURE_MONTE_CARLO_UNIT_CUBE_KERNEL_H

#include "../integrand_kernel.h"

/* Returns the integrand at y times the weight and the scale.  Multiplies *weight by the slope of the importance map
 * first.  A value with weight 0 counts as 0. */
static double value_at(const struct device_box *box, const double *y, double *weight, __global const double *column,
                       POOL pool, TABLES table)
{
    __global const double *low = column + box->parameters, *width = low + AXES, *node = width + AXES;
    double x[INPUTS];

    for (int k = 0; k < AXES; k++) {
        double share = y[k];
        if (box->mapped) {
            struct mapped w = importance_map(node + k * MAP_ROOM, share, map_bin(share));
            share = w.x;
            *weight *= w.slope;
        }
        x[k] = low[k] + width[k] * share;
    }
    for (int k = AXES; k < INPUTS; k++) x[k] = column[k - AXES];
    return *weight == 0.0 ? 0.0 : integrand(x, pool, table) * *weight * box->scale;
}

#endif
