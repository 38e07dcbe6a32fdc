/* backend/opencl/order.h: elements of a chunk, each with its own shape, so that neighbours are alike.
 *
 * The work items of a group wait for the slowest of them.  Of a million random shapes, the
 * slowest of 32 has 2.2 times the nodes of the average if they are sorted by alpha and x,
 * and 1.3 times if also by beta, as the side of x sees it.
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
int order_alike(struct order *, const struct column *x, const struct column *alpha, const struct column *beta,
                size_t first, size_t count, struct status *);
void order_free(struct order *);

#endif
