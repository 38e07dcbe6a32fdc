/* run/thread_pool.h: a job over threads.
 *
 * A slice is worked off in blocks of consecutive elements, handed out in order
 * until its time is used up; whatever was handed out is finished, so the
 * elements done are those before the next block.
 */
#ifndef STABLECL_RUN_THREAD_POOL_H
#define STABLECL_RUN_THREAD_POOL_H

#include "element.h"

/* What each thread has; workers[0] is there for the caller, too, after team_staff(). */
struct team {
    struct worker *workers;
    int count;
};

/* Elements [from, to) of a job on one thread; returns whether NaNs were made. */
typedef int (*range_function)(const void *job, struct worker *, size_t from, size_t to);

/* Elements handed out at a time, at least: enough to make the hand-out cheap. */
#define BLOCK_LEAST 16

/* Enough workers for a number of threads. */
int team_staff(struct team *, int threads, struct status *);

/* A slice of a job of n elements, all of which take about `seconds` on one thread; at
 * least `least` at a time. */
int team_run(struct team *, range_function, const void *job, size_t n, size_t least, double seconds,
             struct slice *, struct status *);

/* Prepares the first `threads` workers for a kind of job by a function that returns 0 when memory is short. */
int team_prepare(struct team *, int threads, int (*prepare)(struct worker *), struct status *);

void team_free(struct team *);

#endif
