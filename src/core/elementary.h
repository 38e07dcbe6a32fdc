/* core/elementary.h: exp and expm1 of what a panel sums, in a form that a
 * compiler can spread over vector lanes: no branch, no table, no call.
 *
 * exp(-x), 0 <= x <= 700: x = n ln 2 + r with |r| <= ln(2)/2 in two-part reduction,
 * exp(-r) by a polynomial of degree 11 (made by data-raw/exp-polynomial.py; relative
 * error 6.15e-18), 2^-n by exponent bits.  Below 1.5 ulp; no care is taken outside that range.
 */
#ifndef STABLECL_ELEMENTARY_H
#define STABLECL_ELEMENTARY_H

#include "dialect.h"

#define LANES 8

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
FN double double_from_bits(uint64 u) { return as_double(u); }
FN uint64 bits_of_double(double d) { return as_ulong(d); }
#else
FN double double_from_bits(uint64 u) { double d; memcpy(&d, &u, sizeof d); return d; }
FN uint64 bits_of_double(double d) { uint64 u; memcpy(&u, &d, sizeof u); return u; }
#endif

FN double exp_minus(double x)
{
    const double magic = 6755399441055744.0;               /* 1.5 * 2^52: rounds to an integer */
    const double ln2_hi = 6.93147180369123816490e-01, ln2_lo = 1.90821492927058770002e-10;
    double k = x * -1.44269504088896338700 + magic, n = k - magic;
    double r = (-x - n * ln2_hi) - n * ln2_lo, r2 = r * r, r4 = r2 * r2;
    double a = (0.041666666666612419536 + r * 0.0083333333333913353143)
             + r2 * (0.0013888888923737592912 + r * 0.00019841269645127642356);
    double b = (2.4801512196550525875e-5 + r * 2.7557515978983338051e-6)
             + r2 * (2.762388964525670292e-7 + r * 2.5009839901906596599e-8);
    double p = a + r4 * b;
    double e = 1.0 + (r + (r2 * (0.5 + r * (1.0 / 6)) + r4 * p));
    double scale = double_from_bits((bits_of_double(k) + 1023) << 52);
    return e * scale;
}

#endif
