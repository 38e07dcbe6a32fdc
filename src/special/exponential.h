/* The exponential function without branches, tables or calls, so that compilers can vectorise loops over it.
 *
 * x = n ln 2 + r with |r| <= ln(2)/2, where ln 2 is split into two parts.  exp(r) - 1 is a polynomial of degree 11
 * (made by data-raw/elementary-polynomials.py; relative error of exp 6.15e-18), and 2^n is formed from exponent bits.
 * Error: below 1.5 ulp.
 *
 * Domain: |x| <= 2000 for exp_split, 0 <= x <= 700 for exp_minus; other arguments are not checked.
 */
#ifndef STABLECL_SPECIAL_EXPONENTIAL_H
#define STABLECL_SPECIAL_EXPONENTIAL_H

#include "dialect.h"

#define LANES 8

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
LANE double double_from_bits(uint64 u) { return as_double(u); }
LANE uint64 bits_of_double(double d) { return as_ulong(d); }
#else
LANE double double_from_bits(uint64 u) { double d; memcpy(&d, &u, sizeof d); return d; }
LANE uint64 bits_of_double(double d) { uint64 u; memcpy(&u, &d, sizeof u); return u; }
#endif

/* Returns a if mask is all ones, b if mask is 0.  The C version works on the bits, because C compilers turn
 * a ? x + y : z into a branch. */
LANE double pick(uint64 mask, double a, double b)
{
#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
    return mask ? a : b;
#else
    return double_from_bits((bits_of_double(a) & mask) | (bits_of_double(b) & ~mask));
#endif
}

/* Returns a mask for pick(): all ones if the sign bit of x is set (also for -0), otherwise 0. */
LANE uint64 negative(double x)
{
    return 0u - (bits_of_double(x) >> 63);
}

/* Returns a mask for pick() from the result of a comparison (0 or 1). */
LANE uint64 when(int truth)
{
    return (uint64)0 - (uint64)truth;
}

/* Returns the sum of LANES partial sums, added in the same order whatever the width of the vector registers. */
LANE double lanes_joined(const double *lane)
{
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* 1.5 * 2^52: adding it to x rounds x to an integer n, which the low bits of n + ROUNDER hold. */
#define ROUNDER 6755399441055744.0

#define LN2_HIGH 6.93147180369123816490e-01
#define LN2_LOW  1.90821492927058770002e-10

/* Returns 2^n from rounder_n = n + ROUNDER, |n| <= 1022. */
LANE double power_of_2(double rounder_n)
{
    return double_from_bits((bits_of_double(rounder_n) + 1023) << 52);
}

/* Returns n + ROUNDER, where n is x/ln 2 rounded to an integer. */
LANE double exp_rounder_n(double x)
{
    return x * 1.44269504088896338700 + ROUNDER;
}

/* Returns exp(r) - 1 - r. */
LANE double exp_beyond_r(double r)
{
    double r2 = r * r, r4 = r2 * r2;
    double a = (0.041666666666612419536 + r * 0.0083333333333913353143)
             + r2 * (0.0013888888923737592912 + r * 0.00019841269645127642356);
    double b = (2.4801512196550525875e-5 + r * 2.7557515978983338051e-6)
             + r2 * (2.762388964525670292e-7 + r * 2.5009839901906596599e-8);
    return r2 * (0.5 + r * (1.0 / 6)) + r4 * (a + r4 * b);
}

/* exp(x) = (1 + less_1) 2^n */
struct exp_parts { double less_1, rounder_n; };

LANE struct exp_parts exp_split(double x)
{
    struct exp_parts p;
    p.rounder_n = exp_rounder_n(x);
    double n = p.rounder_n - ROUNDER, r = (x - n * LN2_HIGH) - n * LN2_LOW;
    p.less_1 = r + exp_beyond_r(r);
    return p;
}

/* Returns exp(-x). */
LANE double exp_minus(double x)
{
    struct exp_parts p = exp_split(-x);
    return (1.0 + p.less_1) * power_of_2(p.rounder_n);
}

#endif
