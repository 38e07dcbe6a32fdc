/* The interpolant of one shape (interpolant/interpolant.h), built from exact values and checked against them.
 */
#ifndef STABLECL_INTERPOLANT_BUILD_H
#define STABLECL_INTERPOLANT_BUILD_H

#include <stddef.h>
#include "interpolant.h"
#include "../special/double_double.h"
#include "../stable/shape.h"

struct quantile_interpolant;

struct interpolant {
    double alpha, beta;
    double s;                           /* w = s + |x - centre| */
    int at_zeta;                        /* 1: the centre is zeta; 0: the centre is 0 */
    struct double_double centre[2];     /* for S0 arguments, and for arguments relative to zeta */
    struct interpolant_side side[2];    /* right, left */
    /* quantile interpolant (quantile_interpolant.h); NULL: not built */
    struct quantile_interpolant *quantile_interpolant;
    size_t bytes;
};

/* Returns the interpolant of the standard distribution with these parameters; NULL if memory is short.  Where
 * the accuracy INTERPOLANT_ERROR cannot be reached, the sides end early or are empty. */
struct interpolant *interpolant_new(struct shape_pool *, double alpha, double beta);

/* Frees the arrays of a side. */
void interpolant_side_free(struct interpolant_side *);

/* Returns x - centre. */
static inline double interpolant_distance(const struct interpolant *c, struct abscissa x)
{
    struct double_double at = { x.hi, x.lo };
    return two_add(at, two_neg(c->centre[x.shifted])).hi;
}

#endif
