/* A vectorisable power function x^y for x > 0 (see elementary.h).
 *
 * exp(y log x) multiplies the relative error of the logarithm by |y log x|, which can be up to 745.  The logarithm is
 * therefore a sum hi + lo: with x = 2^k (1 + f) and s = f/(2 + f),
 *
 *     log x = k log 2 + 2 s + 2/3 s^3 + s^5 p(s^2),
 *
 * where the terms up to s^3 are double-double and s^5 p(s^2), which is at most 2^-12 of the sum, is a double.  p is a
 * polynomial (data-raw/elementary-polynomials.py; relative error 7.2e-23 of the logarithm).  Exact products are
 * computed by Dekker's method (1971, doi:10.1007/BF01397083), since not all processors have fma.
 * Error: below 0.7 ulp; 1 unit in the last place of a subnormal result.
 *
 * Domain: normal x > 0, finite y.
 */
#ifndef STABLECL_SPECIAL_POWER_H
#define STABLECL_SPECIAL_POWER_H

#include "elementary.h"
#include "double_double.h"

/* Returns x truncated to its leading 26 bits. */
LANE double leading(double x)
{
    return double_from_bits(bits_of_double(x) & 0xFFFFFFFFF8000000ul);
}

/* Returns a b with relative error 2^-105, unless a partial product underflows. */
LANE struct double_double exact_product(double a, double b)
{
    double a_high = leading(a), a_low = a - a_high, b_high = leading(b), b_low = b - b_high;
    struct double_double p = { a * b, 0.0 };
    p.lo = ((a_high * b_high - p.hi) + (a_high * b_low + a_low * b_high)) + a_low * b_low;
    return p;
}

/* Returns (a.hi + a.lo) b with relative error of about 2^-103. */
LANE struct double_double longer_product(struct double_double a, double b)
{
    struct double_double p = exact_product(a.hi, b);
    p.lo += a.lo * b;
    return p;
}

/* Returns f/(2 + f). */
LANE struct double_double half_ratio(double f)
{
    double d = 2.0 + f, d_low = f - (d - 2.0), inverse = 1.0 / d;
    struct double_double s = { f * inverse, 0.0 }, back = exact_product(s.hi, d);
    s.lo = ((f - back.hi) - (back.lo + s.hi * d_low)) * inverse;
    return s;
}

/* Returns log(x) as a double-double number. */
LANE struct double_double log_longer(double x)
{
    struct log_parts p = log_split(x);
    struct double_double s = half_ratio(p.f), y = longer_product(s, s.hi);
    y.lo += s.hi * s.lo;
    struct double_double cube = longer_product(y, s.hi);
    cube.lo += y.hi * s.lo;
    struct double_double third = longer_product(cube, 2.0 / 3.0);
    third.lo += cube.hi * 3.7007434154171885e-17;  /* 2/3 minus its rounded value */

    double z = y.hi, z2 = z * z, z4 = z2 * z2;
    double low = (0.3999999999999997758 + z * 0.28571428571445057706)
               + z2 * (0.22222222217548803576 + z * 0.18181818868881178782);
    double high = (0.15384556964037718925 + z * 0.1333631399943940323)
                + z2 * (0.11674885062604271164 + z * 0.1198848000935739633);
    double fifth = s.hi * z2 * (low + z4 * high);

    struct double_double sum = two_sum(p.k * LN2_HIGH, 2.0 * s.hi), more = two_sum(sum.hi, third.hi);
    more.lo += sum.lo + ((2.0 * s.lo + third.lo) + (fifth + p.k * LN2_LOW));
    return two_quick(more.hi, more.lo);
}

/* Returns a mask for pick(): all ones if power_positive() is to be used, that is, if x and y lie in its domain and
 * y is not 2, for which x^y is a product. */
LANE uint64 power_domain(double x, double y)
{
    return when(x >= 0x1p-1022) & when(x < INFINITY) & when(fabs(y) < INFINITY) & when(y != 2.0);
}

/* Returns exp(x.hi + x.lo); the significand is rounded only once. */
LANE double exp_longer(struct double_double x)
{
    double cut = exp_cut(x.hi), low = pick(when(cut == x.hi), x.lo, 0.0);
    double rounder_n = exp_rounder_n(cut), n = rounder_n - ROUNDER;
    struct double_double r = two_sum(cut - n * LN2_HIGH, low - n * LN2_LOW), sum = two_quick(1.0, r.hi);
    return times_power_of_2(sum.hi + (sum.lo + (r.lo + exp_beyond_r(r.hi))), rounder_n);
}

/* Returns x^y. */
LANE double power_positive(double x, double y)
{
    return exp_longer(longer_product(log_longer(x), y));
}

#endif
