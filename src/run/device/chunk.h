/* Runs one chunk of a batch on one device. */
#ifndef STABLECL_RUN_DEVICE_CHUNK_H
#define STABLECL_RUN_DEVICE_CHUNK_H

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
    double *sum;                        /* block sums (special/compensated_sum.h) instead of `out`; NULL: none */
    size_t sums;                        /* sums per block */
    struct left *left;                  /* receives the elements that the host evaluates */
    unsigned long data;                 /* number under which x is kept; 0: not kept */
};

/* Enqueues the copies of the inputs, the kernels and the copies of the results; does not wait for them. */
int chunk_issue(struct gpu *, struct lane *, const struct store *, const struct batch *, size_t first, int count,
                struct status *);

/* Waits for the chunk, runs further kernels for elements that the first could not complete, and writes the
 * results to the user's memory; the lane is then free. */
int chunk_complete(struct gpu *, struct lane *, struct store *, const struct batch *, int *nans, struct status *);

/* Waits for the commands in progress and frees the lane. */
void chunk_abandon(struct gpu *, struct lane *);

#endif
