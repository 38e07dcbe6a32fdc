/* Double-double arithmetic: twice the working precision, for subtractions that cancel and for long sums.
 *
 * A double-double number is an unevaluated sum hi + lo with |lo| <= ulp(hi)/2.  The error-free transformations are
 * those of Dekker (1971, doi:10.1007/BF01397083) and Knuth (TAOCP 2, 4.2.2); products use fma.  Names follow Hida, Li
 * and Bailey (2001, doi:10.1109/ARITH.2001.930115): dd_add(), dd_mul(), ...
 *
 * Relative error of each operation: a few units of 2^-104.  Floating-point contraction must be off.  In programs for
 * devices in single precision (dialect.h) these are pairs of floats, and the unit is 2^-46.
 */
#ifndef STABLECL_SPECIAL_DOUBLE_DOUBLE_H
#define STABLECL_SPECIAL_DOUBLE_DOUBLE_H

#include "dialect.h"

struct double_double { real hi, lo; };

/* Returns a + b exactly; requires |a| >= |b| or a == 0. */
FN struct double_double quick_two_sum(real a, real b)
{
    struct double_double r;
    r.hi = a + b;
    r.lo = b - (r.hi - a);
    return r;
}

/* Returns a + b exactly. */
FN struct double_double two_sum(real a, real b)
{
    struct double_double r;
    r.hi = a + b;
    real bb = r.hi - a;
    r.lo = (a - (r.hi - bb)) + (b - bb);
    return r;
}

/* Returns a b exactly, unless it underflows. */
FN struct double_double two_prod(real a, real b)
{
    struct double_double r;
    r.hi = a * b;
    r.lo = fma(a, b, -r.hi);
    return r;
}

FN struct double_double dd_add(struct double_double a, struct double_double b)
{
    struct double_double s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
    s = quick_two_sum(s.hi, s.lo + t.hi);
    return quick_two_sum(s.hi, s.lo + t.lo);
}

/* Returns a + b; requires |a| >= |b|. */
FN struct double_double dd_add_ordered(struct double_double a, struct double_double b)
{
    struct double_double s = quick_two_sum(a.hi, b.hi);
    return quick_two_sum(s.hi, s.lo + (a.lo + b.lo));
}

FN struct double_double dd_mul(struct double_double a, struct double_double b)
{
    struct double_double p = two_prod(a.hi, b.hi);
    p.lo += a.hi * b.lo + a.lo * b.hi;
    return quick_two_sum(p.hi, p.lo);
}

FN struct double_double dd_div(struct double_double a, struct double_double b)
{
    real q1 = a.hi / b.hi;
    struct double_double q = { -q1, 0.0 };
    struct double_double r = dd_add(a, dd_mul(b, q));
    real q2 = r.hi / b.hi;
    q.hi = -q2;
    r = dd_add(r, dd_mul(b, q));
    return dd_add(quick_two_sum(q1, q2), quick_two_sum(r.hi / b.hi, 0.0));
}

FN struct double_double dd_neg(struct double_double a)
{
    struct double_double r = { -a.hi, -a.lo };
    return r;
}

/* Sums of many numbers whose result does not depend on the number of threads or on the device.
 *
 * A column is split into blocks of SUM_BLOCK elements.  Within a block, partial sum k of PARTIAL_SUMS adds the
 * elements k, k + PARTIAL_SUMS, ... in this order.  The partial sums are then added pairwise, number k to number k + h,
 * where h is half the number of remaining partial sums, and the sums of the blocks are added in order.  Each addition
 * stores its rounding error in a second number (Neumaier 1974, doi:10.1002/zamm.19740540106).  The error of a sum of n
 * terms is therefore half an ulp of the sum plus n eps^2 times the sum of the absolute values.  Floating-point
 * contraction must be off.
 *
 * In detail: let u be the unit roundoff, A the sum of the absolute values of the terms, and N the largest number of
 * additions, one after the other, through which a term passes.  The errors of the additions of hi are known exactly;
 * those that are number k on their path sum to at most u A, so that |lo| is at most k u A there.  The two additions to
 * lo have errors of at most u |lo| each, which sum to (N u)^2 A up to terms of higher order.  This bounds the error of
 * hi + lo.  For a block of elements that are the sums of a pair of floats and of a float, u = 2^-24 and N = 40 (two
 * additions for each of 16 elements, and 8 of partial sums): 6e-12 A.
 *
 * Infinite terms give the same result as ordinary addition.
 */
#define SUM_BLOCK 4096
#define PARTIAL_SUMS 256

/* Returns the sum of two compensated sums: lo accumulates the errors of a, of b and of this addition. */
FN struct double_double compensated_merge(struct double_double a, struct double_double b)
{
    struct double_double s = two_sum(a.hi, b.hi);
    s.lo += a.lo + b.lo;
    if (!isfinite(s.hi)) s.lo = 0.0;
    return s;
}

/* Returns the compensated sum a with a term added. */
FN struct double_double compensated_add(struct double_double a, real term)
{
    struct double_double b = { term, 0.0 };
    return compensated_merge(a, b);
}

/* Returns weight * value; 0 if weight is 0, even if value is not finite. */
FN real weighted_term(real weight, real value)
{
    return weight == 0.0 ? 0.0 : weight * value;
}

#endif
