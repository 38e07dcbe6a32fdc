/* Processes a batch in chunks, on all devices in use.
 *
 * Each device has several lanes: while the chunk of one lane is computed, that of another is copied to the device
 * and that of a third is copied back.  All lanes take their chunks from one queue, so that faster devices process
 * more of them.
 */
#ifndef STABLECL_RUN_DEVICE_PIPELINE_H
#define STABLECL_RUN_DEVICE_PIPELINE_H

#include "../job.h"
#include "chunk.h"

struct pipeline {
    struct gpu *gpus;
    int count;
    struct store *store;
    unsigned long turn;                 /* chunks issued so far */
};

/* Processes the batch from slice->first on for about slice->seconds. */
int pipeline_run(struct pipeline *, const struct batch *, struct slice *, struct status *);

#endif
