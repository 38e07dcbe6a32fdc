/* Adds the partial sums of the work-items of a group with their rounding errors (special/double_double.h). */
#ifndef STABLECL_RUN_DEVICE_PARTIAL_SUMS_KERNEL_H
#define STABLECL_RUN_DEVICE_PARTIAL_SUMS_KERNEL_H

#include "../../special/double_double.h"

/* Returns the sum over all work-items to work-item 0. */
static struct double_double add_partial_sums(struct double_double sum, __local struct double_double *partial)
{
    int item = (int) get_local_id(0);
    partial[item] = sum;
    for (int stride = PARTIAL_SUMS / 2; stride > 0; stride /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item >= stride) continue;
        sum = compensated_merge(sum, partial[item + stride]);
        partial[item] = sum;
    }
    return sum;
}

#endif
