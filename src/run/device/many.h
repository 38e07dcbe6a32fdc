/* Sums over many samples on devices. */
#ifndef STABLECL_RUN_DEVICE_MANY_H
#define STABLECL_RUN_DEVICE_MANY_H

#include "../backend.h"
#include "gpu.h"

/* Requests from slice->first on, as many as make a slice, shared out among devices that have the samples. */
int many_run(struct gpu *, int count, const struct tables_copy *, const struct many_job *, struct slice *,
             struct status *);

#endif
