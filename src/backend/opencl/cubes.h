/* backend/opencl/cubes.h: iterations of stratified sampling on a device. */
#ifndef STABLECL_OPENCL_CUBES_H
#define STABLECL_OPENCL_CUBES_H

#include "integrals.h"

#ifdef STABLECL_OPENCL

/* The entry of the backend's contract, on one device; a slice is of shares. */
int cubes_run(struct integrals *, struct gpu *, const struct cubes_job *, struct slice *, struct status *);

#endif
#endif
