/* Splits a job by shape.
 *
 * Vectors of alpha and beta often repeat a few pairs, as with the levels of a factor or recycled values.  Elements are
 * therefore grouped by shape.  Each large group is a part with one shape, which may use an interpolant, and the small
 * groups are one part, in which elements of one shape are neighbours and use the same node sets.
 */
#ifndef STABLECL_RUN_GROUPS_H
#define STABLECL_RUN_GROUPS_H

#include "job.h"

/* The parts of a job.  Jobs that are not worth splitting have one part, for which no memory is allocated. */
struct parts {
    const struct element_job *whole;
    size_t count;                       /* number of parts */
    size_t groups, large;               /* number of groups, and of large groups; groups = 0: the job is not split, and
                                           the members below are not set */
    size_t *order;                      /* indices of the elements by group, large groups first */
    size_t *first;                      /* start of group k in `order`; first[groups] = n */
    struct element_job job;             /* with its columns in this order, and memory for its outputs */
    double *memory[5 + OUTPUTS];          /* memory of columns and outputs */
    int allocated;
};

/* Splits jobs of values and quantiles if enough of their elements share shapes.  After a failure nothing needs to be
 * released. */
int parts_find(struct parts *, const struct element_job *, poll_function, struct status *);

/* Returns part number k: the job itself, or *part, which is set. */
const struct element_job *parts_job(const struct parts *, size_t k, struct element_job *part);

/* Copies the results to the outputs of the job, if all parts are complete, and releases the memory. */
void parts_end(struct parts *, int is_complete);

#endif
