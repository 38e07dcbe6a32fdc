/* backend/cpu/blocks.h: sums over blocks of elements (core/total.h), on the CPU. */
#ifndef STABLECL_BLOCKS_H
#define STABLECL_BLOCKS_H

#include "../backend.h"

/* Elements of block number k of n. */
size_t block_length(size_t k, size_t n);

/* The sum over block number k, whose values are given, with the job's weights. */
struct twofold block_total(const struct loglik_job *, size_t k, double *value);

#endif
