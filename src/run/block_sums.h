/* Sums over blocks of elements (special/compensated_sum.h), on the CPU. */
#ifndef STABLECL_RUN_BLOCK_SUMS_H
#define STABLECL_RUN_BLOCK_SUMS_H

#include "backend.h"

/* Elements of block number k of n. */
size_t block_length(size_t k, size_t n);

/* The sum over block number k, whose values are given, with the job's weights. */
struct double_double block_total(const struct loglik_job *, size_t k, double *value);

/* The sum over all blocks of a loglik_job, in order. */
double blocks_total(const struct loglik_job *);

/* Those of a approximate_job, whose job->sum holds the sums of each block, to sum[APPROXIMATE_SUMS]. */
void blocks_sums(const struct approximate_job *, double *sum);

#endif
