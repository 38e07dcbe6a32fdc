/* One chunk of a batch on one device. */
#ifndef STABLECL_RUN_DEVICE_CHUNK_H
#define STABLECL_RUN_DEVICE_CHUNK_H

#include "pipeline.h"

/* Copies the inputs, runs the kernel, copies back; returns when all is enqueued. */
int chunk_issue(struct gpu *, struct lane *, const struct store *, const struct batch *, size_t first, int count,
                struct status *);

/* Waits for the chunk, sees to the elements that the kernel could not do, and
 * writes the results to the user's memory; the lane is then free. */
int chunk_complete(struct gpu *, struct lane *, struct store *, const struct batch *, int *nans, struct status *);

/* Waits for whatever is in flight, and frees the lane. */
void chunk_abandon(struct gpu *, struct lane *);

#endif
