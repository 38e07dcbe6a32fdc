/* Runs one chunk of a batch on one device. */
#ifndef STABLECL_RUN_DEVICE_CHUNK_H
#define STABLECL_RUN_DEVICE_CHUNK_H

#include "pipeline.h"

/* Enqueues the copies of the inputs, the kernels and the copies of the results; does not wait for them. */
int chunk_issue(struct gpu *, struct lane *, const struct store *, const struct batch *, size_t first, int count,
                struct status *);

/* Waits for the chunk, runs further kernels for elements that the first could not complete, and writes the
 * results to the user's memory; the lane is then free. */
int chunk_complete(struct gpu *, struct lane *, struct store *, const struct batch *, int *nans, struct status *);

/* Waits for the commands in progress and frees the lane. */
void chunk_abandon(struct gpu *, struct lane *);

#endif
