/* Piecewise polynomial interpolants of the quantiles of one shape.
 *
 * Interpolates x - c, where c is the centre of the interpolant of the density, as a function of the probability q <
 * 1/2 of either tail.  Binades of q are divided into 2^k equal pieces (interpolant/interpolant.h).  On each of them
 * x is a smooth function of q, even in the power-law tails, and no logarithm is needed.
 */
#ifndef STABLECL_INTERPOLANT_QUANTILE_INTERPOLANT_H
#define STABLECL_INTERPOLANT_QUANTILE_INTERPOLANT_H

#include "build.h"

struct quantile_interpolant {
    struct interpolant_side side[2];    /* lower tail, upper tail; pdf holds the coefficients of x - c, tail and
                                           upper are NULL */
    size_t bytes;
};

/* Returns the quantile interpolant for the shape of an interpolant; NULL if memory is short.  In pieces that
 * fail the accuracy check, the first coefficient is NaN. */
struct quantile_interpolant *quantile_interpolant_new(struct shape_pool *, const struct interpolant *);
void quantile_interpolant_free(struct quantile_interpolant *);  /* NULL is allowed */

/* Frees an interpolant with its quantile interpolant; NULL is allowed. */
void interpolant_free(struct interpolant *);

#endif
