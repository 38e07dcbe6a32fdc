/* Access to the columns of a job: element i, and whether a column is constant. */
#ifndef STABLECL_RUN_COLUMNS_H
#define STABLECL_RUN_COLUMNS_H

#include "job.h"

/* TRUE if all elements have the same alpha and beta. */
static inline int is_one_shape(const struct laws *l)
{
    return l->alpha.length == 1 && l->beta.length == 1;
}

static inline int is_one_law(const struct laws *l)
{
    return is_one_shape(l) && l->gamma.length == 1 && l->delta.length == 1;
}

/* Returns the number of blocks (special/compensated_sum.h) for n elements; the last may be shorter. */
static inline size_t blocks_of(size_t n)
{
    return (n + TOTAL_BLOCK - 1) / TOTAL_BLOCK;
}

#endif
