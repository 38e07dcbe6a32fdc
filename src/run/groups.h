/* Elements of a job with many shapes, those of one shape together.
 *
 * Vectors of alpha and beta often repeat few pairs: a factor's levels, recycled values.
 * What is laid for a shape then serves all of its elements, and large groups are
 * jobs of one shape.
 */
#ifndef STABLECL_RUN_GROUPS_H
#define STABLECL_RUN_GROUPS_H

#include "backend.h"

/* Elements of a group that is a job of its own. */
#define GROUP_LARGE 2000

struct groups {
    size_t *order;                      /* elements, group after group, large groups first */
    size_t *first;                      /* where group k begins in order; first[count] = n */
    size_t count, large;                /* groups, and how many of them are large */
};

/* The groups of n elements.  count = 0 where most elements have a shape of their own. */
int groups_find(struct groups *, const struct laws *, size_t n, poll_function, struct status *);
void groups_free(struct groups *);

#endif
