/* The boxes of cubature on the CPU (genz_malik.c), and the comparison with their neighbours (box_neighbours.c). */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_BOX_H
#define STABLECL_QUADRATURE_ADAPTIVE_BOX_H

#include "subregion.h"

/* axis: along which it is to be bisected; depth: number of bisections of the range that led to it; compared: number of
 * boxes of the integral when it was compared with its neighbours, 0 before; at: the centre along each axis, then half
 * the widths. */
struct box {
    struct subregion subregion;
    int dim, axis, depth, compared;
    double at[];
};

static inline size_t box_bytes(int dim)
{
    return sizeof(struct box) + 2 * (size_t)dim * sizeof(double);
}

static inline struct box *box_at(void *subregions, int dim, size_t k)
{
    return (struct box *)(void *)((char *)subregions + k * box_bytes(dim));
}

/* Raises the errors of boxes that may contain a feature sampled only in narrower neighbours (box_neighbours.c), as
 * raise_errors() of struct subdivision. */
int boxes_raise_errors(struct region_store *, size_t from, size_t to, double tolerance, int is_last);

#endif
