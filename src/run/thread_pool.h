/* A job over threads.
 *
 * A slice is worked off in blocks of consecutive elements, handed out in order
 * until its time is used up; whatever was handed out is finished, so the
 * elements done are those before the next block.
 */
#ifndef STABLECL_RUN_THREAD_POOL_H
#define STABLECL_RUN_THREAD_POOL_H

#include "element.h"

/* What each thread has; workers[0] is there for the caller, too, after thread_pool_reserve(). */
struct thread_pool {
    struct worker *workers;
    int count;
};

/* Elements [from, to) of a job on one thread; returns whether NaNs were made. */
typedef int (*range_function)(const void *job, struct worker *, size_t from, size_t to);

/* Elements handed out at a time, at least: enough to make the hand-out cheap. */
#define BLOCK_LEAST 16

/* Enough workers for a number of threads. */
int thread_pool_reserve(struct thread_pool *, int threads, struct status *);

/* A slice of a job of n elements, all of which take about `seconds` on one thread; at
 * least `least` at a time. */
int thread_pool_run(struct thread_pool *, range_function, const void *job, size_t n, size_t least, double seconds,
                    struct slice *, struct status *);

/* Prepares the first `threads` workers for a kind of job by a function that returns 0 when memory is short. */
int thread_pool_prepare(struct thread_pool *, int threads, int (*prepare)(struct worker *), struct status *);

void thread_pool_free(struct thread_pool *);

#endif
