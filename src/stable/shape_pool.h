/* Direct evaluation of one distribution on several threads, for building an interpolant.
 *
 * An interpolant whose values share few node sets, as for alpha -> 1 and beta -> 0, takes tens of milliseconds to
 * build.  Its binades are independent, so that the threads synchronise only once, at the end: on busy processors, each
 * synchronisation costs a time slice.
 */
#ifndef STABLECL_STABLE_SHAPE_POOL_H
#define STABLECL_STABLE_SHAPE_POOL_H

#include "shape.h"

#define SHAPE_POOL_MAX 16

struct shape_pool {
    struct shape *shape[SHAPE_POOL_MAX];  /* one for each thread, with its own node sets; NULL: not allocated */
    int count;                          /* number of threads that may be used */
};

/* Allocates shapes for at most `threads` threads, fewer if memory is short.  Returns 0 if memory is too short for one.
 * The struct must be zero-initialised. */
int shape_pool_reserve(struct shape_pool *, int threads);
void shape_pool_free(struct shape_pool *);

/* Makes a distribution current in all shapes. */
void shape_pool_set(struct shape_pool *, double alpha, double beta);

/* Runs the tasks from..to - 1, started in this order, on all threads if together, otherwise on the calling thread. */
typedef void shape_pool_task(void *job, struct shape *, int k);
void shape_pool_run(struct shape_pool *, shape_pool_task *, void *job, int from, int to, int together);

#endif
