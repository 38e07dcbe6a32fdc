/* Adds up, in blocks, the values that other kernels have written to `out` (special/compensated_sum.h).  One
 * work-group per block, one work-item per lane. */
#include "arguments_kernel.h"
#include "rows_kernel.h"

__kernel __attribute__((reqd_work_group_size(TOTAL_LANES, 1, 1))) void sum_blocks(ARGUMENTS)
{
    __local struct double_double lanes[TOTAL_LANES];
    int k = (int) get_local_id(0), block = (int) get_group_id(0);
    struct double_double sum = { 0.0, 0.0 };

    for (int j = k; j < TOTAL_BLOCK; j += TOTAL_LANES) {
        int i = block * TOTAL_BLOCK + j;
        if (i < job.n) sum = total_take(sum, job.is_weighted ? total_term(weight[i * job.stride[5]], out[i]) : out[i]);
    }
    sum = join_lanes(sum, lanes);
    if (k > 0) return;
    sums[2 * block] = sum.hi;
    sums[2 * block + 1] = sum.lo;
}
