/* Sums of many numbers whose result does not depend on the number of threads or on the device.
 *
 * A column is split into blocks of TOTAL_BLOCK elements.  Within a block, lane k of TOTAL_LANES adds the elements
 * k, k + TOTAL_LANES, ... in this order.  The lanes are then added pairwise, lane k to lane k + h, where h is half the
 * number of remaining lanes, and the sums of the blocks are added in order.  Each addition stores its rounding error
 * in a second number (Neumaier 1974, doi:10.1002/zamm.19740540106).  The error of a sum of n terms is therefore half
 * an ulp of the sum plus n eps^2 times the sum of the absolute values.  Floating-point contraction must be off.
 *
 * Infinite terms give the same result as ordinary addition.
 */
#ifndef STABLECL_SPECIAL_COMPENSATED_SUM_H
#define STABLECL_SPECIAL_COMPENSATED_SUM_H

#include "double_double.h"

#define TOTAL_BLOCK 4096
#define TOTAL_LANES 256

/* Returns a + b; lo accumulates the errors of a, of b and of this addition. */
FN struct double_double total_join(struct double_double a, struct double_double b)
{
    struct double_double s = two_sum(a.hi, b.hi);
    s.lo += a.lo + b.lo;
    if (!isfinite(s.hi)) s.lo = 0.0;
    return s;
}

/* Returns a + term. */
FN struct double_double total_take(struct double_double a, double term)
{
    struct double_double b = { term, 0.0 };
    return total_join(a, b);
}

/* Returns weight * value; 0 if weight is 0, even if value is not finite. */
FN double total_term(double weight, double value)
{
    return weight == 0.0 ? 0.0 : weight * value;
}

#endif
