/* Values at the points of lattices, for kernels of either precision. */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_LATTICE_KERNEL_H
#define STABLECL_QUADRATURE_MONTE_CARLO_LATTICE_KERNEL_H

#include "unit_cube_kernel.h"

/* Returns the weighted value at point k, and its weight in *weight.  1 - t has the phase ~phase: no digits cancel. */
static real lattice_value(const struct device_box *box, const struct lattice_part *part, uint k,
                          __global const uint *shift, real *weight, __global const real *column, POOL pool,
                          TABLES table)
{
    real y[AXES];
    *weight = 1.0;
    for (int axis = 0; axis < AXES; axis++) {
        uint phase = lattice_phase(k, lattice_generator[axis], part->m, shift[axis]);
        struct periodic p = periodic(part->periodic, unit_share(phase), unit_share(~phase));
        y[axis] = p.t;
        *weight *= p.weight;
    }
    return value_at(box, y, weight, column, pool, table);
}

/* Returns the part that contains a share. */
static struct lattice_part part_of(const struct device_lattice *job, int share)
{
    struct lattice_part part = job->part[0];
    for (int k = 1; k < LATTICE_PARTS; k++)
        if (k < job->parts && share >= job->part[k].share) part = job->part[k];
    return part;
}

#endif
