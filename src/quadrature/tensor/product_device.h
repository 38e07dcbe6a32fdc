/* Computes sums over points of products of rules on a device. */
#ifndef STABLECL_QUADRATURE_TENSOR_PRODUCT_DEVICE_H
#define STABLECL_QUADRATURE_TENSOR_PRODUCT_DEVICE_H

#include "../integrand_jobs.h"
#include "product_points.h"

/* Product rules (quadrature/tensor/product_points.h).  Output: the sums of shares first, ..., first + shares -
 * 1, each of 2^share_bits points or the remaining points of a part.  rule: for each part the rules of its axes. */
struct product_job {
    struct box_job box;
    int parts, share_bits;
    struct product_part part[PRODUCT_PARTS];
    const struct product_rule *rule;
    size_t first;
    struct product_sums *share;
};

#ifdef STABLECL_OPENCL

struct gpu;
struct integrals;

/* Computes a slice of a job on one device; a slice consists of shares. */
int product_run(struct integrals *, struct gpu *, const struct product_job *, struct slice *, struct status *);

#endif
#endif
