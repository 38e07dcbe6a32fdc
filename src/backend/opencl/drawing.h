/* backend/opencl/drawing.h: sketches (interpolant/tensor_approximation.h) in the form in which devices read them.
 *
 * The current one is laid out for kernels/quick.cl, and `version` tells each device when to renew its copy.
 */
#ifndef STABLECL_OPENCL_DRAWING_H
#define STABLECL_OPENCL_DRAWING_H

#include "../../interpolant/tensor_approximation.h"
#include "../backend.h"
#include "kernels/shared.h"

struct drawing {
    struct sketch sketch;
    unsigned version;                   /* grows with every change; 0: none yet */
    double alpha, beta;                 /* of the current one */
    struct device_sketch head;
    unsigned char *data;                /* what the kernel reads, `size` bytes */
    size_t size;
};

/* Are the job's sums read off a sketch?  Then head and data are those of its law. */
int drawing_serves(struct drawing *, const struct quick_job *);

void drawing_free(struct drawing *);

#endif
