/* run/approximate.h: log densities of one law and their derivatives, from its sketch (interpolant/approximation.h).
 * What the sketch does not hold goes to point_eval() and point_score(). */
#ifndef STABLECL_RUN_APPROXIMATE_H
#define STABLECL_RUN_APPROXIMATE_H

#include "../interpolant/tensor_approximation.h"
#include "element.h"

/* A quick_job whose law has a sketch or none (NULL): of (alpha, |beta|). */
struct sketched_job {
    const struct quick_job *job;
    struct user_law law;
    struct sketch *sketch;              /* whole, if several threads read it */
};

/* Gives a worker its batch if it has none, which is too large for the stack of a thread; 0: memory is short. */
int quick_prepare(struct worker *);

/* Blocks [from, to) of a sketched_job; workers have scorers and batches. */
int quick_range(const void *sketched_job, struct worker *, size_t from, size_t to);

#endif
