/* A job of many shapes in parts, as the groups of its elements want it. */
#ifndef STABLECL_RUN_GROUPED_H
#define STABLECL_RUN_GROUPED_H

#include "groups.h"

/* What the jobs of values and of quantiles have in common. */
struct columns {
    size_t n;
    struct column x;                    /* or probabilities */
    struct laws laws;
    double *out[4];                     /* NULL: not wanted */
};

/* Does the job `like` this one with other columns. */
typedef int (*part_function)(const void *like, const struct columns *, poll_function, int *nans, struct status *);

/* Does the whole job: in parts if that is worth while, at once if not. */
int grouped_run(const void *job, const struct columns *, part_function, poll_function, int *nans, struct status *);

#endif
