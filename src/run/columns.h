/* The columns of a job: element i, and whether there is more than one. */
#ifndef STABLECL_RUN_COLUMNS_H
#define STABLECL_RUN_COLUMNS_H

#include "backend.h"

/* The same alpha and beta throughout? */
static inline int is_one_shape(const struct laws *l)
{
    return l->alpha.length == 1 && l->beta.length == 1;
}

static inline int is_one_law(const struct laws *l)
{
    return is_one_shape(l) && l->gamma.length == 1 && l->delta.length == 1;
}

/* Blocks (special/compensated_sum.h) that n elements make; the last may be a shorter one. */
static inline size_t blocks_of(size_t n)
{
    return (n + TOTAL_BLOCK - 1) / TOTAL_BLOCK;
}

#endif
