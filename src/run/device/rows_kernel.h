/* Adds log densities, scores and their products as in JOB_APPROXIMATE (job.h) over the work-items of a group. */
#ifndef STABLECL_RUN_DEVICE_ROWS_KERNEL_H
#define STABLECL_RUN_DEVICE_ROWS_KERNEL_H

#include "../../interpolant/approximation.h"
#include "partial_sums_kernel.h"

static void add_row(const double *row, double w, int only_value, double *sum)
{
    int k = APPROXIMATE_COLUMNS;
    sum[0] += w * row[0];
    if (only_value) return;
    for (int c = 1; c < APPROXIMATE_COLUMNS; c++) sum[c] += w * row[c];
    for (int c = 1; c < APPROXIMATE_COLUMNS; c++)
        for (int d = 1; d <= c; d++) sum[k++] += w * row[c] * row[d];
}

/* Adds the sums of all work-items of a group in pairs; those of derivatives only if they are required. */
static void reduce_rows(const double *sum, int only_value, __local double *partial, __global double *joined)
{
    int item = (int) get_local_id(0);
    for (int c = 0; c < (only_value ? 1 : APPROXIMATE_SUMS); c++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        partial[item] = sum[c];
        for (int stride = PARTIAL_SUMS / 2; stride > 0; stride /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (item < stride) partial[item] += partial[item + stride];
        }
        if (item == 0) joined[c] = partial[0];
    }
}

#endif
