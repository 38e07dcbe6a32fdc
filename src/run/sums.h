/* Sums over blocks of elements (special/compensated_sum.h), on the CPU. */
#ifndef STABLECL_RUN_SUMS_H
#define STABLECL_RUN_SUMS_H

#include "element.h"
#include "job.h"

/* Returns the number of elements in block k of n elements. */
size_t block_length(size_t k, size_t n);

/* Returns the sum over block k with the weights of the job; `value` holds the terms and is overwritten. */
struct double_double block_total(const struct loglik_job *, size_t k, double *value);

/* Returns the sum over all blocks of a loglik_job, added in order. */
double blocks_total(const struct loglik_job *);

/* Adds the block sums in job->sum of an approximate_job to sum[APPROXIMATE_SUMS]. */
void blocks_sums(const struct approximate_job *, double *sum);

#endif
