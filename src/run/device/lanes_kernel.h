/* Adds the sums of the lanes of a group with their rounding errors (special/double_double.h). */
#ifndef STABLECL_RUN_DEVICE_LANES_KERNEL_H
#define STABLECL_RUN_DEVICE_LANES_KERNEL_H

#include "../../special/double_double.h"

/* Returns the sum over all lanes in lane 0. */
static struct double_double reduce_lanes(struct double_double sum, __local struct double_double *lanes)
{
    int lane = (int) get_local_id(0);
    lanes[lane] = sum;
    for (int apart = SUM_LANES / 2; apart > 0; apart /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane >= apart) continue;
        sum = compensated_merge(sum, lanes[lane + apart]);
        lanes[lane] = sum;
    }
    return sum;
}

#endif
