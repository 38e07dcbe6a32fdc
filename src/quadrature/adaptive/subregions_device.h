/* Rules for pieces of a box on a device. */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_SUBREGIONS_DEVICE_H
#define STABLECL_QUADRATURE_ADAPTIVE_SUBREGIONS_DEVICE_H

#include "../integrals_device.h"

#ifdef STABLECL_OPENCL

/* The entry of the backend's contract, on one device; a slice is of pieces. */
int subregions_run(struct integrals *, struct gpu *, const struct subregions_job *, struct slice *, struct status *);

#endif
#endif
