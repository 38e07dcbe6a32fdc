/* Computes log densities of one law and their derivatives from its tensor approximation
 * (interpolant/approximation.h).  Elements outside the approximation are evaluated by point_eval() and
 * point_score(). */
#ifndef STABLECL_RUN_APPROXIMATE_H
#define STABLECL_RUN_APPROXIMATE_H

#include "../interpolant/tensor_approximation.h"
#include "element.h"

/* Allocate what the ranges need in a worker, unless present; return 0 if memory is short.  The batch is too large for
 * the stack of a thread. */
int approximate_prepare(struct worker *);
int logliks_prepare(struct worker *);

/* Computes blocks [from, to) of JOB_APPROXIMATE. */
int approximate_range(const void *evaluation, struct worker *, size_t from, size_t to);

/* Computes laws [from, to) of JOB_LOGLIKS; each law is evaluated by one thread. */
int logliks_range(const void *evaluation, struct worker *, size_t from, size_t to);

#endif
