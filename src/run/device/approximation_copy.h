/* Tensor approximations (interpolant/tensor_approximation.h) in the format that devices read.
 *
 * The current approximation is stored in the format of run/device/approximate.cl; a device renews its copy when
 * `version` changes.
 */
#ifndef STABLECL_RUN_DEVICE_APPROXIMATION_COPY_H
#define STABLECL_RUN_DEVICE_APPROXIMATION_COPY_H

#include "../../interpolant/tensor_approximation.h"
#include "../job.h"
#include "shared.h"

struct approximation_copy {
    struct approximation approximation;
    unsigned version;                   /* incremented with every change; 0: none yet */
    double alpha, beta;                 /* of the current approximation */
    struct device_approximation head;
    unsigned char *data;                /* input of the kernel, `size` bytes */
    size_t size;
};

/* TRUE if the sums of the job are computed from a tensor approximation; head and data are then those of its law. */
int approximation_copy_serves(struct approximation_copy *, const struct approximate_job *);

void approximation_copy_free(struct approximation_copy *);

#endif
