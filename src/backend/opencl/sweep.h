/* backend/opencl/sweep.h: sweeps through a box on a device. */
#ifndef STABLECL_OPENCL_SWEEP_H
#define STABLECL_OPENCL_SWEEP_H

#include "integrals.h"

#ifdef STABLECL_OPENCL

/* The entry of the backend's contract, on one device; a slice is of points to set out from. */
int sweep_run(struct integrals *, struct gpu *, const struct sweep_job *, struct slice *, struct status *);

#endif
#endif
