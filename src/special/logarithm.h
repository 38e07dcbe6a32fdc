/* A vectorisable logarithm (see exponential.h).
 *
 * x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2); this decomposition is exact.  With s = f/(2 + f),
 *
 *     log(1 + f) = log((1 + s)/(1 - s)) = 2 s + s R(s^2) = f - s (f - R(s^2)),
 *
 * since 2 s = f - s f.  The rounding error of s thus enters only a term that is small compared with f.  R is a
 * polynomial (data-raw/elementary-polynomials.py; relative error of the logarithm 1.23e-18).  Error: below 1.2 ulp.
 *
 * Domain: normal x > 0.
 */
#ifndef STABLECL_SPECIAL_LOGARITHM_H
#define STABLECL_SPECIAL_LOGARITHM_H

#include "exponential.h"

struct log_parts { double k, f; };

LANE struct log_parts log_split(double x)
{
    const uint64 one = 0x3FF0000000000000ul, root_half = 0x3FE6A09E667F3BCDul;
    const uint64 two_52 = 0x4330000000000000ul;
    uint64 bits = bits_of_double(x);
    uint64 biased = (bits + (one - root_half)) >> 52;               /* k + 1023 */
    struct log_parts p;
    p.k = double_from_bits(two_52 | biased) - (0x1p52 + 1023.0);
    p.f = double_from_bits(bits + one - (biased << 52)) - 1.0;
    return p;
}

/* Returns k log 2 + log(1 + f). */
LANE double log_joined(struct log_parts p)
{
    double s = p.f / (2.0 + p.f), y = s * s, y2 = y * y, y4 = y2 * y2;
    double low = (0.66666666666667341552 + y * 0.39999999999416373902)
               + y2 * (0.2857142874201498604 + y * 0.22222198610842982603);
    double high = (0.18183562401864686224 + y * 0.15314098922048877734) + y2 * 0.14795474275090351023;
    double rest = s * (p.f - y * (low + y4 * high));
    return p.k * LN2_HIGH + (p.f - (rest - p.k * LN2_LOW));
}

/* Returns log(x) for normal x > 0. */
LANE double log_normal(double x)
{
    return log_joined(log_split(x));
}

#endif
