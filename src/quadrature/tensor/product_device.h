/* Sums over points of products of rules on a device. */
#ifndef STABLECL_QUADRATURE_TENSOR_PRODUCT_DEVICE_H
#define STABLECL_QUADRATURE_TENSOR_PRODUCT_DEVICE_H

#include "../integrals_device.h"

#ifdef STABLECL_OPENCL

/* The entry of the backend's contract, on one device; a slice is of shares. */
int product_run(struct integrals *, struct gpu *, const struct product_job *, struct slice *, struct status *);

#endif
#endif
