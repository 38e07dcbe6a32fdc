/* Sums over the elements of a sample on the CPU, in blocks (special/double_double.h); and log densities of one law
 * with their derivatives from its tensor approximation (interpolant/approximation.h).  Elements outside the
 * approximation are evaluated by point_eval() and point_score(). */
#ifndef STABLECL_RUN_SUMS_H
#define STABLECL_RUN_SUMS_H

#include "../interpolant/tensor_approximation.h"
#include "element.h"
#include "job.h"

/* Returns the number of elements in block k of n elements. */
size_t block_length(size_t k, size_t n);

/* Returns the sum over block k with the weights of the job; `value` holds the terms and is overwritten. */
struct double_double block_total(const struct element_job *, size_t k, double *value);

/* Adds the sums of all blocks in order: one sum of JOB_LOGLIK, APPROXIMATE_SUMS of JOB_APPROXIMATE. */
void blocks_total(const struct element_job *, double *sum);

/* Allocate what the ranges need in a worker, unless present; return 0 if memory is short.  The batch is too large for
 * the stack of a thread. */
int approximate_prepare(struct worker *);
int logliks_prepare(struct worker *);

/* Computes blocks [from, to) of JOB_APPROXIMATE. */
int approximate_range(const void *evaluation, struct worker *, size_t from, size_t to);

/* Computes laws [from, to) of JOB_LOGLIKS; each law is evaluated by one thread. */
int logliks_range(const void *evaluation, struct worker *, size_t from, size_t to);

#endif
