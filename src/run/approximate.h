/* Computes log densities of one law and their derivatives from its tensor approximation
 * (interpolant/approximation.h).  Elements outside the approximation are evaluated by point_eval() and
 * point_score(). */
#ifndef STABLECL_RUN_APPROXIMATE_H
#define STABLECL_RUN_APPROXIMATE_H

#include "../interpolant/tensor_approximation.h"
#include "element.h"

/* An approximate_job and the tensor approximation of (alpha, |beta|), or NULL if its law has none. */
struct approximated_job {
    const struct approximate_job *job;
    struct user_law law;
    struct approximation *approximation;  /* with all pieces built if several threads use it */
};

/* Allocates the batch of a worker unless it has one, since it is too large for the stack of a thread; returns 0
 * if memory is short. */
int approximate_prepare(struct worker *);

/* Computes blocks [from, to) of an approximated_job; workers must have scorers and batches. */
int approximate_range(const void *approximated_job, struct worker *, size_t from, size_t to);

/* Computes laws [from, to) of a logliks_job; each law is evaluated by one thread. */
int logliks_range(const void *logliks_job, struct worker *, size_t from, size_t to);

#endif
