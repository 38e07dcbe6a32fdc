/* Interpolants in the format that devices read.
 *
 * The interpolants themselves are kept in host memory, like those of the CPU backend.  The current one is stored in
 * the format of run/device/interpolant.cl; a device renews its copy when `version` changes.
 */
#ifndef STABLECL_RUN_DEVICE_INTERPOLANT_COPY_H
#define STABLECL_RUN_DEVICE_INTERPOLANT_COPY_H

#include "../../base/status.h"
#include "../../interpolant/cache.h"
#include "../job.h"
#include "shared.h"

struct interpolant_copy {
    struct interpolants interpolants;
    struct shape_pool shape_pool;       /* builds the interpolants */
    unsigned version;                   /* incremented with every change; 0: none yet */
    double alpha, beta;                 /* of the current interpolant */
    struct packed head;
    unsigned char *data;                /* input of the kernel, `size` bytes */
    size_t size;
};

/* TRUE if the job is evaluated by an interpolant; head and data are then those of its law.  A lack of memory for
 * an interpolant is not a failure. */
int interpolant_copy_serves(struct interpolant_copy *, const struct eval_job *);

void interpolant_copy_free(struct interpolant_copy *);

#endif
