/* Adds log densities, scores and their products as in JOB_APPROXIMATE (job.h) over the lanes of a group. */
#ifndef STABLECL_RUN_DEVICE_ROWS_KERNEL_H
#define STABLECL_RUN_DEVICE_ROWS_KERNEL_H

#include "../../interpolant/approximation.h"
#include "lanes_kernel.h"

static void add_row(const double *row, double w, int only_value, double *sum)
{
    int k = APPROXIMATE_COLUMNS;
    sum[0] += w * row[0];
    if (only_value) return;
    for (int c = 1; c < APPROXIMATE_COLUMNS; c++) sum[c] += w * row[c];
    for (int c = 1; c < APPROXIMATE_COLUMNS; c++)
        for (int d = 1; d <= c; d++) sum[k++] += w * row[c] * row[d];
}

/* Adds the sums of all lanes of a group in pairs; those of derivatives only if they are wanted. */
static void reduce_rows(const double *sum, int only_value, __local double *lanes, __global double *joined)
{
    int lane = (int) get_local_id(0);
    for (int c = 0; c < (only_value ? 1 : APPROXIMATE_SUMS); c++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        lanes[lane] = sum[c];
        for (int apart = SUM_LANES / 2; apart > 0; apart /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (lane < apart) lanes[lane] += lanes[lane + apart];
        }
        if (lane == 0) joined[c] = lanes[0];
    }
}

#endif
