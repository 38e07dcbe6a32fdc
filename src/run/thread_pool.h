/* Runs the elements of a job on several threads, in blocks, until the time of a slice is used up. */
#ifndef STABLECL_RUN_THREAD_POOL_H
#define STABLECL_RUN_THREAD_POOL_H

#include "element.h"

/* One worker per thread; after thread_pool_reserve() the caller may also use workers[0]. */
struct thread_pool {
    struct worker *workers;
    int count;
};

/* Computes elements [from, to) of a job on one thread; returns whether NaNs were produced. */
typedef int (*range_function)(const void *job, struct worker *, size_t from, size_t to);

/* Smallest number of elements assigned at a time, so that assignment is inexpensive. */
#define BLOCK_LEAST 16

/* Allocates workers for this number of threads. */
int thread_pool_reserve(struct thread_pool *, int threads, struct status *);

/* Runs a slice of a job of n elements, all of which take about `seconds` on one thread, in blocks of at least
 * `least` elements. */
int thread_pool_run(struct thread_pool *, range_function, const void *job, size_t n, size_t least, double seconds,
                    struct slice *, struct status *);

/* Prepares the first `threads` workers for a kind of job by a function that returns 0 if memory is short. */
int thread_pool_prepare(struct thread_pool *, int threads, int (*prepare)(struct worker *), struct status *);

void thread_pool_free(struct thread_pool *);

#endif
