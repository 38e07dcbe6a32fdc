/* Sketches (interpolant/tensor_approximation.h) in the form in which devices read them.
 *
 * The current one is laid out for run/device/approximate.cl, and `version` tells each device when to renew its copy.
 */
#ifndef STABLECL_RUN_DEVICE_APPROXIMATION_COPY_H
#define STABLECL_RUN_DEVICE_APPROXIMATION_COPY_H

#include "../../interpolant/tensor_approximation.h"
#include "../backend.h"
#include "shared.h"

struct approximation_copy {
    struct approximation approximation;
    unsigned version;                   /* grows with every change; 0: none yet */
    double alpha, beta;                 /* of the current one */
    struct device_approximation head;
    unsigned char *data;                /* what the kernel reads, `size` bytes */
    size_t size;
};

/* Are the job's sums read off a sketch?  Then head and data are those of its law. */
int approximation_copy_serves(struct approximation_copy *, const struct approximate_job *);

void approximation_copy_free(struct approximation_copy *);

#endif
