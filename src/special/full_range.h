/* Vectorisable exp and log of any double, and sine and cosine for |x| <= ANGLE_MOST (see exponential.h).
 *
 * exp: the argument is clamped to [-746, 710], outside of which the result is 0 or infinite.  2^n is multiplied in as
 * two factors, so that subnormal results are correct.  log: subnormal arguments are multiplied by 2^54; the results
 * for nonpositive, infinite and NaN arguments are selected afterwards.  Error: below 2 ulp (1 unit in the last place
 * of a subnormal result).
 *
 * Sine and cosine: x = n pi/2 + r, where pi/2 is split into three parts (Cody and Waite 1980, Software Manual for the
 * Elementary Functions).  The first two parts have 33 bits, so that their products with n are exact for |n| < 2^20.
 * Error: below 2 ulp.
 */
#ifndef STABLECL_SPECIAL_FULL_RANGE_H
#define STABLECL_SPECIAL_FULL_RANGE_H

#include "sine_cosine.h"
#include "logarithm.h"

/* Clamps x to an interval outside of which exp(x) is 0 or infinite. */
LANE double exp_cut(double x)
{
    double cut = pick(when(x > 710.0), 710.0, x);
    return pick(when(cut < -746.0), -746.0, cut);
}

/* Returns x 2^n from rounder_n = n + ROUNDER, |n| <= 2044. */
LANE double times_power_of_2(double x, double rounder_n)
{
    double n = rounder_n - ROUNDER, first = 0.5 * n + ROUNDER, other = n - (first - ROUNDER) + ROUNDER;
    return x * power_of_2(first) * power_of_2(other);
}

LANE double exp_any(double x)
{
    struct exp_parts p = exp_split(exp_cut(x));
    return times_power_of_2(1.0 + p.less_1, p.rounder_n);
}

LANE double log_any(double x)
{
    uint64 tiny = when(x < 0x1p-1022);
    struct log_parts p = log_split(pick(tiny, x * 0x1p54, x));
    p.k += pick(tiny, -54.0, 0.0);
    double y = pick(when(x < INFINITY), log_joined(p), x);              /* log(Inf) = Inf, log(NaN) = NaN */
    y = pick(when(x > 0.0), y, -INFINITY);
    return pick(when(x >= 0.0), y, NAN);
}

#define ANGLE_MOST   1e6
#define HALF_PI_1    1.57079632673412561417e+00
#define HALF_PI_2    6.07710050630396597660e-11
#define HALF_PI_3    2.02226624879595063154e-21

/* Returns sin(x + quarter pi/2) for |x| <= ANGLE_MOST; quarter is 0 (sine) or 1 (cosine). */
LANE double sin_near(double x, uint64 quarter)
{
    double rounder_n = x * 0.63661977236758134308 + ROUNDER, n = rounder_n - ROUNDER;
    double r = ((x - n * HALF_PI_1) - n * HALF_PI_2) - n * HALF_PI_3, c, s = sin_cos_octant(r, &c);
    uint64 turn = bits_of_double(rounder_n) + quarter;
    double y = pick(0u - (turn & 1), c, s);
    return double_from_bits(bits_of_double(y) ^ ((turn & 2) << 62));
}

#endif
