/* integrate/interval.h: an interval among the pieces of adaptive quadrature. */
#ifndef STABLECL_INTERVAL_H
#define STABLECL_INTERVAL_H

#include "../core/parts.h"
#include "piece.h"

struct interval {
    struct piece piece;
    struct part part;
};

/* What is below t and beyond, so far without values. */
static inline void interval_part(const struct interval *v, double t, struct interval *left, struct interval *right)
{
    *left = *right = *v;
    left->part.high = right->part.low = t;
}

#endif
