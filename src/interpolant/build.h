/* interpolant/build.h: the chart of one shape (interpolant/interpolant.h), laid from the exact path and checked
 * against it.
 */
#ifndef STABLECL_INTERPOLANT_BUILD_H
#define STABLECL_INTERPOLANT_BUILD_H

#include <stddef.h>
#include "interpolant.h"
#include "../special/double_double.h"
#include "../stable/shape_pool.h"

struct chart {
    double alpha, beta;
    double s;                           /* w = s + |x - centre| */
    int at_zeta;                        /* the centre is zeta; otherwise 0 */
    struct twofold centre[2];           /* for positions in S0, and for those that count from zeta */
    struct chart_side side[2];          /* right, left */
    struct inverse *inverse;            /* of the distribution function (quantile_interpolant.h); NULL: not laid */
    size_t bytes;
};

/* The chart of a law; NULL when memory is short.  Where the law cannot be drawn to
 * CHART_ERROR its sides end early, or hold nothing. */
struct chart *chart_new(struct crew *, double alpha, double beta);
void chart_free(struct chart *);        /* NULL is fine */

/* What a side points to. */
void chart_side_free(struct chart_side *);

/* x - centre. */
static inline double chart_distance(const struct chart *c, struct abscissa x)
{
    struct twofold at = { x.hi, x.lo };
    return two_add(at, two_neg(c->centre[x.shifted])).hi;
}

#endif
