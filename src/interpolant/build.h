/* The chart of one shape (interpolant/interpolant.h), laid from the exact path and checked
 * against it.
 */
#ifndef STABLECL_INTERPOLANT_BUILD_H
#define STABLECL_INTERPOLANT_BUILD_H

#include <stddef.h>
#include "interpolant.h"
#include "../special/double_double.h"
#include "../stable/shape_pool.h"

struct interpolant {
    double alpha, beta;
    double s;                           /* w = s + |x - centre| */
    int at_zeta;                        /* the centre is zeta; otherwise 0 */
    struct double_double centre[2];     /* for positions in S0, and for those that count from zeta */
    struct interpolant_side side[2];    /* right, left */
    /* of the distribution function (quantile_interpolant.h); NULL: not laid */
    struct quantile_interpolant *quantile_interpolant;
    size_t bytes;
};

/* The chart of a law; NULL when memory is short.  Where the law cannot be drawn to
 * INTERPOLANT_ERROR its sides end early, or hold nothing. */
struct interpolant *interpolant_new(struct shape_pool *, double alpha, double beta);
void interpolant_free(struct interpolant *);  /* NULL is fine */

/* What a side points to. */
void interpolant_side_free(struct interpolant_side *);

/* x - centre. */
static inline double interpolant_distance(const struct interpolant *c, struct abscissa x)
{
    struct double_double at = { x.hi, x.lo };
    return two_add(at, two_neg(c->centre[x.shifted])).hi;
}

#endif
