/* integrate/interval.h: an interval (core/interval.h) among the pieces of adaptive quadrature. */
#ifndef STABLECL_INTERVAL_H
#define STABLECL_INTERVAL_H

#include "../core/interval.h"
#include "piece.h"

struct interval {
    struct piece piece;                 /* size: A */
    struct part part;
};

/* The GK_POINTS abscissas. */
void interval_points(const struct interval *, double *x);

/* Value, error and size from the values there. */
void interval_sum(struct interval *, const double *f);

/* The two halves, so far without values. */
void interval_halve(const struct interval *, struct interval *left, struct interval *right);

#endif
