/* Log densities of one law and their derivatives, from its sketch (interpolant/approximation.h).
 * What the sketch does not hold goes to point_eval() and point_score(). */
#ifndef STABLECL_RUN_APPROXIMATE_H
#define STABLECL_RUN_APPROXIMATE_H

#include "../interpolant/tensor_approximation.h"
#include "element.h"

/* A approximate_job whose law has a sketch or none (NULL): of (alpha, |beta|). */
struct approximated_job {
    const struct approximate_job *job;
    struct user_law law;
    struct approximation *approximation;  /* whole, if several threads read it */
};

/* Gives a worker its batch if it has none, which is too large for the stack of a thread; 0: memory is short. */
int approximate_prepare(struct worker *);

/* Blocks [from, to) of a approximated_job; workers have scorers and batches. */
int approximate_range(const void *approximated_job, struct worker *, size_t from, size_t to);

#endif
