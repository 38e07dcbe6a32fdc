/* backend/opencl/order.h: elements of a chunk, each with its own shape, so that neighbours are alike.
 *
 * The work items of a group wait for the slowest of them: sorted by alpha, then by
 * the side and size of x, a million random shapes take half the time of an unsorted
 * million (H100).
 */
#ifndef STABLECL_OPENCL_ORDER_H
#define STABLECL_OPENCL_ORDER_H

#include "../backend.h"

/* Room for the order of some elements. */
struct order {
    int *index;                         /* number in the chunk of what comes j-th */
    unsigned short *bin;
    size_t room;
};

/* Elements first, ..., first + count - 1. */
int order_alike(struct order *, const struct column *x, const struct column *alpha, size_t first, size_t count,
                struct status *);
void order_free(struct order *);

#endif
