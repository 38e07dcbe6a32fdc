/* stable/shape_pool.h: the exact path of one law on several threads, for laying a chart.
 *
 * A chart whose exact values hardly share panels, as for alpha -> 1 and beta -> 0, takes tens of
 * milliseconds.  Its binades do not depend on each other, so that the threads meet once, at the end: where other
 * programs keep the processors busy each meeting costs a time slice.
 */
#ifndef STABLECL_STABLE_SHAPE_POOL_H
#define STABLECL_STABLE_SHAPE_POOL_H

#include "shape.h"

#define CREW 16

struct crew {
    struct shape *shape[CREW];          /* each thread has one, with panels of its own; NULL: not hired yet */
    int count;                          /* threads that may be used */
};

/* Use no more threads than that, and fewer if memory is short.  0 if it is too short for one.  The
 * struct begins as zeros. */
int crew_hire(struct crew *, int threads);
void crew_free(struct crew *);

/* Make a law current. */
void crew_set(struct crew *, double alpha, double beta);

/* Tasks from..to - 1, begun in that order; by all threads if together, else by the first. */
typedef void (*crew_task)(void *job, struct shape *, int k);
void crew_work(struct crew *, crew_task, void *job, int from, int to, int together);

#endif
