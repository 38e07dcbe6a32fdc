/* Where a law is evaluated.
 *
 * A stable law with alpha < 1 lives on the scale of log|x - zeta| next to its
 * shift point zeta, so the position must reach the core with more than working
 * precision: as an unevaluated sum hi + lo.  In the S1 parametrisation the
 * user's x already is the distance from zeta, which is then never formed by a
 * subtraction.
 */
#ifndef STABLECL_STABLE_ARGUMENT_H
#define STABLECL_STABLE_ARGUMENT_H

#include "../special/dialect.h"

struct abscissa {
    double hi, lo;   /* position = hi + lo, |lo| <= ulp(hi)/2 */
    int    shifted;  /* 0: x of the standard S0 law; 1: x - zeta (S1); at alpha = 1 both are x */
};

#endif
