/* backend/opencl/order.h: elements of a chunk, each with its own shape, so that neighbours are alike.
 *
 * The work items of a group wait for the slowest of them: sorted by alpha, then by
 * the side and size of x, a million random shapes take half the time of an unsorted
 * million (H100).
 */
#ifndef STABLECL_OPENCL_ORDER_H
#define STABLECL_OPENCL_ORDER_H

#include "../backend.h"

/* index[j] is the number in the chunk (first + 0, first + 1, ...) of what comes j-th. */
void order_alike(const struct column *x, const struct column *alpha, size_t first, size_t count, int *index);

#endif
