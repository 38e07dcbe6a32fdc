/* Computes sums over many samples on devices. */
#ifndef STABLECL_RUN_DEVICE_MANY_H
#define STABLECL_RUN_DEVICE_MANY_H

#include "../job.h"
#include "gpu.h"

/* Computes as many requests from slice->first on as make a slice, distributed over the devices, which must hold
 * the samples. */
int many_run(struct gpu *, int count, const struct tables_copy *, const struct many_job *, struct slice *,
             struct status *);

#endif
