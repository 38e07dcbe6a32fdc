/* Computes sums over the points of lattices on a device. */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_LATTICE_DEVICE_H
#define STABLECL_QUADRATURE_MONTE_CARLO_LATTICE_DEVICE_H

#include "../integrand_jobs.h"
#include "lattice_points.h"

/* Points of `shifts` lattices in each part (quadrature/monte_carlo/lattice_points.h).  shift: AXES_MOST words
 * for each lattice.  Outputs: share: the sums over each share of 2^share_bits points, ordered by lattice and
 * then by part; histogram, if not NULL: the sum of v^2 over all points of one lattice, in each bin of each axis. */
#define AXES_MOST 12
struct lattice_job {
    struct box_job box;
    int parts, shifts, share_bits;
    struct lattice_part part[LATTICE_PARTS];
    const uint32 *shift;
    struct lattice_sums *share;
    double *histogram;
};

#ifdef STABLECL_OPENCL

struct gpu;
struct integrals;

/* Computes a slice of a job on one device; a slice consists of shares. */
int lattice_run(struct integrals *, struct gpu *, const struct lattice_job *, struct slice *, struct status *);

#endif
#endif
