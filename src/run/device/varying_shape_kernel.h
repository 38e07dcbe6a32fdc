/* Elements that each have their own (alpha, beta), and elements for which no node set applies.
 *
 * One work-item per element computes the nodes and adds their terms as they are generated.  Large chunks are sorted
 * first (order.cl).
 */
#ifndef STABLECL_RUN_DEVICE_VARYING_SHAPE_KERNEL_H
#define STABLECL_RUN_DEVICE_VARYING_SHAPE_KERNEL_H

#include "../../special/called.h"
#include "arguments_kernel.h"
#include "../../stable/streamed_sum.h"

/* TRUE if this kernel must skip element i. */
static int is_skipped(const struct device_job *job, int i, __global const uchar *state)
{
    return i >= job->n || (job->only_no_cell && state[i] != STATE_NO_CELL);
}

#endif
