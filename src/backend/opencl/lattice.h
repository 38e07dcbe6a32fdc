/* backend/opencl/lattice.h: sums over points of lattices on a device. */
#ifndef STABLECL_OPENCL_LATTICE_H
#define STABLECL_OPENCL_LATTICE_H

#include "integrals.h"

#ifdef STABLECL_OPENCL

/* The entry of the backend's contract, on one device; a slice is of shares. */
int lattice_run(struct integrals *, struct gpu *, const struct lattice_job *, struct slice *, struct status *);

#endif
#endif
