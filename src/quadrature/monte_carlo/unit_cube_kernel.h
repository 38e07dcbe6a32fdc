/* The integrand at a point of the unit cube, through the grid (quadrature/monte_carlo/importance_map.h). */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_UNIT_CUBE_KERNEL_H
#define STABLECL_QUADRATURE_MONTE_CARLO_UNIT_CUBE_KERNEL_H

#include "../integrand_kernel.h"
#include "../../run/device/group_kernel.h"

/* Times the weight, which that of the grid is put to, and the scale.  Where the weight is 0 the value does not
 * count. */
static double value_at(const struct device_box *box, const double *y, double *weight, __global const double *column,
                       SLOTS slot, TABLES table)
{
    __global const double *node = column + box->parameters;
    double x[INPUTS];

    for (int k = 0; k < AXES; k++) {
        double share = y[k];
        if (box->mapped) {
            struct mapped w = importance_map(node + k * MAP_ROOM, share, map_bin(share));
            share = w.x;
            *weight *= w.slope;
        }
        x[k] = box->low[k] + box->width[k] * share;
    }
    for (int k = AXES; k < INPUTS; k++) x[k] = column[k - AXES];
    return *weight == 0.0 ? 0.0 : integrand(x, slot, table) * *weight * box->scale;
}

#endif
