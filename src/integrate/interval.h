/* integrate/interval.h: an interval among the pieces of adaptive quadrature. */
#ifndef STABLECL_INTERVAL_H
#define STABLECL_INTERVAL_H

#include "../core/parts.h"
#include "piece.h"

struct interval {
    struct piece piece;
    struct part part;
};

/* The two halves, so far without values. */
static inline void interval_halve(const struct interval *v, struct interval *left, struct interval *right)
{
    *left = *right = *v;
    left->part.high = right->part.low = 0.5 * v->part.low + 0.5 * v->part.high;
}

#endif
