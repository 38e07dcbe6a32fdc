/* Charts in the form in which devices read them.
 *
 * The charts themselves live in host memory, like those of the CPU; the current one is laid out
 * for run/device/interpolant.cl, and `version` tells each device when to renew its copy.
 */
#ifndef STABLECL_RUN_DEVICE_INTERPOLANT_COPY_H
#define STABLECL_RUN_DEVICE_INTERPOLANT_COPY_H

#include "../../base/status.h"
#include "../../interpolant/cache.h"
#include "../backend.h"
#include "shared.h"

struct interpolant_copy {
    struct interpolants interpolants;
    struct shape_pool shape_pool;       /* that lays them */
    unsigned version;                   /* grows with every change; 0: none yet */
    double alpha, beta;                 /* of the current one */
    struct packed head;
    unsigned char *data;                /* what the kernel reads, `size` bytes */
    size_t size;
};

/* Is the job one for a chart?  Then head and data are those of its law.  Memory that is too
 * short for a chart is no failure. */
int interpolant_copy_serves(struct interpolant_copy *, const struct eval_job *);

void interpolant_copy_free(struct interpolant_copy *);

#endif
