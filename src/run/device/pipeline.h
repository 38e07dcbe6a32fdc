/* A batch in chunks, over all devices in use.
 *
 * Each device has several lanes; while one lane's chunk is computed, another's is
 * copied in and a third one's copied out.  All lanes take their chunks from one
 * queue, so that a faster device takes more of them.
 */
#ifndef STABLECL_RUN_DEVICE_PIPELINE_H
#define STABLECL_RUN_DEVICE_PIPELINE_H

#include "../backend.h"
#include "gpu.h"

/* A job in the terms of the kernels. */
struct batch {
    size_t n;
    enum gpu_kernel kernel, own;        /* `own` does what `kernel` leaves as STATE_OWN */
    const struct interpolant_copy *interpolant_copy;  /* its chart is in use if the kernel is EVAL_INTERPOLANT */
    /* its sketch is in use if the kernel is APPROXIMATE_SUMS_OF_BLOCKS */
    const struct approximation_copy *approximation_copy;
    struct column column[COLUMNS];      /* x or p, alpha, beta, gamma, delta, weight; length 0: none */
    struct device_job job;              /* n and first are set per chunk */
    double *out[4];                     /* in the order of write_values() */
    int outs;
    double *sum;  /* sums instead of `out`, for each block (special/compensated_sum.h); NULL: none */
    size_t sums;                        /* so many of a block */
    struct left *left;                  /* elements that the host has to see to */
    unsigned long data;                 /* number under which x is kept; 0: it is not */
};

struct pipeline {
    struct gpu *gpus;
    int count;
    struct store *store;
    unsigned long turn;                 /* chunks issued so far */
};

/* Work off the batch from slice->first on, for some slice->seconds. */
int pipeline_run(struct pipeline *, const struct batch *, struct slice *, struct status *);

#endif
