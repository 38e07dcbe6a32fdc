/* Evaluates the integrand at a point of the unit cube, after the importance map
 * (quadrature/monte_carlo/importance_map.h). */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_UNIT_CUBE_KERNEL_H
#define STABLECL_QUADRATURE_MONTE_CARLO_UNIT_CUBE_KERNEL_H

#include "../integrand_kernel.h"

/* Returns low + width share.  In single precision, results that round to an end of the interval are moved into it,
 * because the integrand may be singular there. */
static real within(real low, real width, real share)
{
    real x = low + width * share;
#ifdef SINGLE_PRECISION
    x = fmin(fmax(x, nextafter(low, (real) INFINITY)), nextafter(low + width, (real) -INFINITY));
#endif
    return x;
}

/* Returns the integrand at y times the weight and the scale.  Multiplies *weight by the slope of the importance map
 * first.  A value with weight 0 counts as 0. */
static real value_at(const struct device_box *box, const real *y, real *weight, __global const real *column, POOL pool,
                     TABLES table)
{
    __global const real *low = column + box->parameters, *width = low + AXES, *node = width + AXES;
    real x[INPUTS];

    for (int k = 0; k < AXES; k++) {
        real share = y[k];
        if (box->mapped) {
            struct mapped w = importance_map(node + k * MAP_DOUBLES, share, map_bin(share));
            share = w.x;
            *weight *= w.slope;
        }
        x[k] = within(low[k], width[k], share);
    }
    for (int k = AXES; k < INPUTS; k++) x[k] = column[k - AXES];
    return *weight == 0.0 ? 0.0 : integrand(x, pool, table) * *weight * ldexp((real) 1.0, box->exponent);
}

#endif
