/* Sweeps through a box on a device. */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_LINE_SEARCH_DEVICE_H
#define STABLECL_QUADRATURE_MONTE_CARLO_LINE_SEARCH_DEVICE_H

#include "../integrals_device.h"

#ifdef STABLECL_OPENCL

/* The entry of the backend's contract, on one device; a slice is of points to set out from. */
int line_search_run(struct integrals *, struct gpu *, const struct line_search_job *, struct slice *, struct status *);

#endif
#endif
