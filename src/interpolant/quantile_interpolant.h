/* Quantiles of one shape, drawn in advance as piecewise polynomials.
 *
 * x - c, with the centre c of the chart, over the probability q < 1/2 of either tail.
 * Binades of q are cut into 2^k equal pieces (interpolant/interpolant.h): x is smooth in q on
 * each of them, out to the power tails, and no logarithm is needed.
 */
#ifndef STABLECL_INTERPOLANT_QUANTILE_INTERPOLANT_H
#define STABLECL_INTERPOLANT_QUANTILE_INTERPOLANT_H

#include "build.h"

struct quantile_interpolant {
    struct interpolant_side side[2];    /* of the lower and the upper tail; pdf has x - c, the rest is NULL */
    size_t bytes;
};

/* For the law of a chart; NULL when memory is short.  What cannot be drawn
 * well enough has NaN for a first coefficient. */
struct quantile_interpolant *quantile_interpolant_new(struct shape_pool *, const struct interpolant *);
void quantile_interpolant_free(struct quantile_interpolant *);  /* NULL is fine */

#endif
