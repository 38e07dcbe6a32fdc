/* The argument of a standard stable distribution.
 *
 * Next to its shift point zeta, a stable distribution with alpha < 1 varies on the scale of log|x - zeta|.  The
 * argument is therefore passed with more than working precision, as an unevaluated sum hi + lo.  In the S1
 * parametrisation the user's x already is the distance from zeta, and no subtraction is needed.
 */
#ifndef STABLECL_STABLE_ARGUMENT_H
#define STABLECL_STABLE_ARGUMENT_H

#include "../special/dialect.h"

struct abscissa {
    double hi, lo;   /* argument = hi + lo, |lo| <= ulp(hi)/2 */
    int    shifted;  /* 0: x of the standard S0 law; 1: x - zeta (S1); at alpha = 1 both equal x */
};

#endif
