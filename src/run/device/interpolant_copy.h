/* run/device/interpolant_copy.h: charts in the form in which devices read them.
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

struct atlas {
    struct charts charts;
    struct crew crew;                   /* that lays them */
    unsigned version;                   /* grows with every change; 0: none yet */
    double alpha, beta;                 /* of the current one */
    struct sheet head;
    unsigned char *data;                /* what the kernel reads, `size` bytes */
    size_t size;
};

/* Is the job one for a chart?  Then head and data are those of its law.  Memory that is too
 * short for a chart is no failure. */
int atlas_serves(struct atlas *, const struct eval_job *);

void atlas_free(struct atlas *);

#endif
