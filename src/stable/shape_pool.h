/* The exact path of one law on several threads, for laying a chart.
 *
 * A chart whose exact values hardly share panels, as for alpha -> 1 and beta -> 0, takes tens of
 * milliseconds.  Its binades do not depend on each other, so that the threads meet once, at the end: where other
 * programs keep the processors busy each meeting costs a time slice.
 */
#ifndef STABLECL_STABLE_SHAPE_POOL_H
#define STABLECL_STABLE_SHAPE_POOL_H

#include "shape.h"

#define SHAPE_POOL_MAX 16

struct shape_pool {
    struct shape *shape[SHAPE_POOL_MAX];  /* each thread has one, with panels of its own; NULL: not hired yet */
    int count;                          /* threads that may be used */
};

/* Use no more threads than that, and fewer if memory is short.  0 if it is too short for one.  The
 * struct begins as zeros. */
int shape_pool_reserve(struct shape_pool *, int threads);
void shape_pool_free(struct shape_pool *);

/* Make a law current. */
void shape_pool_set(struct shape_pool *, double alpha, double beta);

/* Tasks from..to - 1, begun in that order; by all threads if together, else by the first. */
typedef void (*shape_pool_task)(void *job, struct shape *, int k);
void shape_pool_run(struct shape_pool *, shape_pool_task, void *job, int from, int to, int together);

#endif
