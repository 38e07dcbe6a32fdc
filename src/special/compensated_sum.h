/* Sums of very many numbers whose result does not depend on who adds them.
 *
 * A column is cut into blocks of TOTAL_BLOCK elements.  In a block, lane k of TOTAL_LANES adds the
 * elements k, k + TOTAL_LANES, ... in their order; lanes are joined in pairs, k with k + half of
 * those left, and the blocks' sums in their order.  Each addition keeps its rounding error in a
 * second number (Neumaier 1974, doi:10.1002/zamm.19740540106), so that the error of a sum of n terms is
 * half an ulp of it and n eps^2 of the sum of their sizes.  Contraction must be off.
 *
 * Infinite terms give what plain addition gives.
 */
#ifndef STABLECL_SPECIAL_COMPENSATED_SUM_H
#define STABLECL_SPECIAL_COMPENSATED_SUM_H

#include "double_double.h"

#define TOTAL_BLOCK 4096
#define TOTAL_LANES 256

/* a + b; the errors of both and that of this addition are carried in lo. */
FN struct double_double total_join(struct double_double a, struct double_double b)
{
    struct double_double s = two_sum(a.hi, b.hi);
    s.lo += a.lo + b.lo;
    if (!isfinite(s.hi)) s.lo = 0.0;
    return s;
}

FN struct double_double total_take(struct double_double a, double term)
{
    struct double_double b = { term, 0.0 };
    return total_join(a, b);
}

/* A term with a weight; weight 0 leaves it out, whatever it is. */
FN double total_term(double weight, double value)
{
    return weight == 0.0 ? 0.0 : weight * value;
}

#endif
