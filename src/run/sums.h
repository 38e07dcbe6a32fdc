/* Sums over blocks of elements (special/compensated_sum.h), on the CPU. */
#ifndef STABLECL_RUN_SUMS_H
#define STABLECL_RUN_SUMS_H

#include "element.h"
#include "job.h"

/* Returns the number of elements in block k of n elements. */
size_t block_length(size_t k, size_t n);

/* Returns the sum over block k with the weights of the job; `value` holds the terms and is overwritten. */
struct double_double block_total(const struct element_job *, size_t k, double *value);

/* Adds the sums of all blocks in order: one sum of JOB_LOGLIK, APPROXIMATE_SUMS of JOB_APPROXIMATE. */
void blocks_total(const struct element_job *, double *sum);

#endif
