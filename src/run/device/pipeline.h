/* Processes a batch in chunks, on all devices in use.
 *
 * Each device has several lanes: while the chunk of one lane is computed, that of another is copied to the device
 * and that of a third is copied back.  All lanes take their chunks from one queue, so that faster devices process
 * more of them.
 */
#ifndef STABLECL_RUN_DEVICE_PIPELINE_H
#define STABLECL_RUN_DEVICE_PIPELINE_H

#include "../job.h"
#include "gpu.h"

/* A job in terms of kernels and columns. */
struct batch {
    size_t n;
    enum gpu_kernel kernel, own;        /* `own` computes the elements that `kernel` leaves as STATE_OWN */
    const struct interpolant_copy *interpolant_copy;        /* used if the kernel is EVAL_INTERPOLANT */
    const struct approximation_copy *approximation_copy;    /* used if it is APPROXIMATE_SUMS_OF_BLOCKS */
    struct column column[COLUMNS];      /* x or p, alpha, beta, gamma, delta, weight; length 0: none */
    struct device_job job;              /* n and first are set for each chunk */
    double *out[OUTPUTS];               /* in the order of write_values() */
    int outs;
    double *sum;                        /* block sums (special/double_double.h) instead of `out`; NULL: none */
    size_t sums;                        /* sums per block */
    struct left *left;                  /* receives the elements that the host evaluates */
    unsigned long data;                 /* number under which x is kept; 0: not kept */
};

struct pipeline {
    struct gpu *gpus;
    int count;
    struct store *store;
    unsigned long turn;                 /* chunks issued so far */
};

/* Processes the batch from slice->first on for about slice->seconds. */
int pipeline_run(struct pipeline *, const struct batch *, struct slice *, struct status *);

#endif
