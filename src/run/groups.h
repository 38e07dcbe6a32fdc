/* Groups the elements of a job by shape.
 *
 * Vectors of alpha and beta often repeat a few pairs, as with the levels of a factor or recycled values.  All
 * elements of a group use the same node sets, and large groups are jobs with one shape.
 */
#ifndef STABLECL_RUN_GROUPS_H
#define STABLECL_RUN_GROUPS_H

#include "job.h"

/* Smallest size of a group that is run as a separate job. */
#define GROUP_LARGE 2000

struct groups {
    size_t *order;                      /* indices of the elements by group, large groups first */
    size_t *first;                      /* start of group k in `order`; first[count] = n */
    size_t count, large;                /* number of groups, and of large groups */
};

/* Groups n elements; count = 0 if most elements have different shapes. */
int groups_find(struct groups *, const struct laws *, size_t n, poll_function, struct status *);
void groups_free(struct groups *);

/* --- jobs split by shape --- */

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
