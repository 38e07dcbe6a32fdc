/* Iterations of stratified sampling on a device. */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_STRATA_DEVICE_H
#define STABLECL_QUADRATURE_MONTE_CARLO_STRATA_DEVICE_H

#include "../integrals_device.h"

#ifdef STABLECL_OPENCL

/* The entry of the backend's contract, on one device; a slice is of shares. */
int strata_run(struct integrals *, struct gpu *, const struct strata_job *, struct slice *, struct status *);

#endif
#endif
