/* Runs the elements of a job on several threads, in blocks, until the time of a slice is used up. */
#ifndef STABLECL_RUN_WORKERS_H
#define STABLECL_RUN_WORKERS_H

#include "element.h"

/* One worker per thread; after workers_reserve() the caller may also use workers[0]. */
struct workers {
    struct worker *workers;
    int count;
};

/* Computes elements [from, to) of a job on one thread; returns whether NaNs were produced. */
typedef int (*range_function)(const void *job, struct worker *, size_t from, size_t to);

/* Smallest number of elements assigned at a time, so that assignment is inexpensive. */
#define BLOCK_LEAST 16

/* Allocates workers for this number of threads. */
int workers_reserve(struct workers *, int threads, struct status *);

/* Runs a slice of a job of n elements, all of which take about `seconds` on one thread, in blocks of at least
 * `least` elements. */
int workers_run(struct workers *, range_function, const void *job, size_t n, size_t least, double seconds,
                struct slice *, struct status *);

/* Prepares the first `threads` workers for a kind of job by a function that returns 0 if memory is short. */
int workers_prepare(struct workers *, int threads, int (*prepare)(struct worker *), struct status *);

void workers_free(struct workers *);

#endif
