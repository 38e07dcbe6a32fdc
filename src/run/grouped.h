/* Runs a job with many shapes split by shape, so that elements of one shape are evaluated together. */
#ifndef STABLECL_RUN_GROUPED_H
#define STABLECL_RUN_GROUPED_H

#include "groups.h"

/* The common part of jobs that compute values or quantiles. */
struct columns {
    size_t n;
    struct column x;                    /* arguments, or probabilities */
    struct laws laws;
    double *out[4];                     /* NULL: not wanted */
};

/* Runs the job `like` on these columns instead of its own. */
typedef int (*part_function)(const void *like, const struct columns *, poll_function, int *nans, struct status *);

/* Runs the whole job, split by shape if enough elements share shapes. */
int grouped_run(const void *job, const struct columns *, part_function, poll_function, int *nans, struct status *);

#endif
