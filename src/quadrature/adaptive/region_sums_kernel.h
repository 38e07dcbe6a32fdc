/* Sums over subregions, or over the points of a box, that the work items of a group form together, always in the same
 * order. */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_REGION_SUMS_KERNEL_H
#define STABLECL_QUADRATURE_ADAPTIVE_REGION_SUMS_KERNEL_H

#include "bisection.h"
#include "../integrand_kernel.h"

/* Returns the joint sums of `share` neighbouring work items to each of them; share is a power of 2. */
static struct region_sums region_sums_all(struct region_sums sum, int share, __local struct region_sums *partial)
{
    REDUCE_GROUP(sum, share, partial, region_sums_joined);
    return sum;
}

#endif
