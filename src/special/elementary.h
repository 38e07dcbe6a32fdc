/* Exponential, logarithm, sine, cosine and power without branches, tables or calls, so that compilers can vectorise
 * loops over them: for a restricted domain, for every double, at quadrature nodes; and last the power.
 *
 * Exponential: x = n ln 2 + r with |r| <= ln(2)/2, where ln 2 is split into two parts.  exp(r) - 1 is a polynomial of
 * degree 11 (made by data-raw/elementary-polynomials.py; relative error of exp 6.15e-18), and 2^n is formed from
 * exponent bits.
 * Error: below 1.5 ulp.
 *
 * Domain: |x| <= 2000 for exp_split, 0 <= x <= 700 for exp_minus; other arguments are not checked.
 */
#ifndef STABLECL_SPECIAL_ELEMENTARY_H
#define STABLECL_SPECIAL_ELEMENTARY_H

#include "dialect.h"

#ifdef SINGLE_PRECISION
#  include "single.h"
#else
#  include "double_double.h"

#define LANES 8

typedef uint64 lane_mask;               /* all ones or 0, for blend() */

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
LANE double double_from_bits(uint64 u) { return as_double(u); }
LANE uint64 bits_of_double(double d) { return as_ulong(d); }
#else
LANE double double_from_bits(uint64 u) { double d; memcpy(&d, &u, sizeof d); return d; }
LANE uint64 bits_of_double(double d) { uint64 u; memcpy(&u, &d, sizeof u); return u; }
#endif

/* Returns a if mask is all ones, b if mask is 0.  The C version works on the bits, because C compilers turn
 * a ? x + y : z into a branch. */
LANE double blend(uint64 mask, double a, double b)
{
#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
    return mask ? a : b;
#else
    return double_from_bits((bits_of_double(a) & mask) | (bits_of_double(b) & ~mask));
#endif
}

/* Returns a mask for blend(): all ones if the sign bit of x is set (also for -0), otherwise 0. */
LANE uint64 sign_mask(double x)
{
    return 0u - (bits_of_double(x) >> 63);
}

/* Returns a mask for blend() from the result of a comparison (0 or 1). */
LANE uint64 mask_of(int truth)
{
    return (uint64)0 - (uint64)truth;
}

/* Returns the sum of LANES partial sums, added in the same order regardless of the width of the vector registers. */
LANE double lanes_sum(const double *lane)
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
LANE double exp_remainder(double r)
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
    p.less_1 = r + exp_remainder(r);
    return p;
}

/* Returns exp(-x). */
LANE double exp_minus(double x)
{
    struct exp_parts p = exp_split(-x);
    return (1.0 + p.less_1) * power_of_2(p.rounder_n);
}

/* Logarithm: x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2); this decomposition is exact.  With s = f/(2 + f),
 *
 *     log(1 + f) = log((1 + s)/(1 - s)) = 2 s + s R(s^2) = f - s (f - R(s^2)),
 *
 * since 2 s = f - s f.  The rounding error of s thus enters only a term that is small compared with f.  R is a
 * polynomial (data-raw/elementary-polynomials.py; relative error of the logarithm 1.23e-18).  Error: below 1.2 ulp.
 *
 * Domain: normal x > 0.
 */

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
LANE double log_from_parts(struct log_parts p)
{
    double s = p.f / (2.0 + p.f), y = s * s, y2 = y * y, y4 = y2 * y2;
    double low = (0.66666666666667341552 + y * 0.39999999999416373902)
               + y2 * (0.2857142874201498604 + y * 0.22222198610842982603);
    double high = (0.18183562401864686224 + y * 0.15314098922048877734) + y2 * 0.14795474275090351023;
    double rest = s * (p.f - y * (low + y4 * high));
    return p.k * LN2_HIGH + (p.f - (rest - p.k * LN2_LOW));
}

/* Returns log(x) for normal x > 0. */
LANE double log_of_normal(double x)
{
    return log_from_parts(log_split(x));
}

/* Sine and cosine of an angle up to pi/4:
 *
 *     sin(x) = x + x y p(y),   cos(x) = 1 - (y/2 - y^2 q(y)),   y = x^2,
 *
 * where p and q are polynomials of degree 5 (data-raw/elementary-polynomials.py; relative errors 3.62e-18 and
 * 5.56e-20).  Error: below 1 ulp.
 *
 * Domain: |x| <= pi/4 (rounded up to a double).
 */

#define PI       3.14159265358979323846
#define PI_LO    1.2246467991473532e-16      /* pi - PI */
#define HALF_PI  1.57079632679489661923

/* Returns sin(x) and stores cos(x) in *cosine. */
LANE double sin_cos_octant(double x, double *cosine)
{
    double y = x * x, y2 = y * y, y4 = y2 * y2;
    double p = (-0.16666666666666630729 + y * 0.0083333333333221185847)
             + y2 * (-0.00019841269829589538556 + y * 2.7557313621386377275e-6)
             + y4 * (-2.5050747763025382166e-8 + y * 1.5896230169777625801e-10);
    double q = (0.041666666666666592922 + y * -0.0013888888888873056418)
             + y2 * (0.000024801587288851708541 + y * -2.7557314179297889627e-7)
             + y4 * (2.0875700842131547539e-9 + y * -1.1358536529546201267e-11);
    *cosine = 1.0 - (0.5 * y - y2 * q);
    return x + x * (y * p);
}

/* exp and log of any double, and sine and cosine for |x| <= ANGLE_MAX.
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

/* Clamps x to an interval outside of which exp(x) is 0 or infinite. */
LANE double exp_clamp(double x)
{
    double cut = blend(mask_of(x > 710.0), 710.0, x);
    return blend(mask_of(cut < -746.0), -746.0, cut);
}

/* Returns x 2^n from rounder_n = n + ROUNDER, |n| <= 2044. */
LANE double times_power_of_2(double x, double rounder_n)
{
    double n = rounder_n - ROUNDER, first = 0.5 * n + ROUNDER, other = n - (first - ROUNDER) + ROUNDER;
    return x * power_of_2(first) * power_of_2(other);
}

LANE double exp_any(double x)
{
    struct exp_parts p = exp_split(exp_clamp(x));
    return times_power_of_2(1.0 + p.less_1, p.rounder_n);
}

LANE double log_any(double x)
{
    uint64 tiny = mask_of(x < 0x1p-1022);
    struct log_parts p = log_split(blend(tiny, x * 0x1p54, x));
    p.k += blend(tiny, -54.0, 0.0);
    double y = blend(mask_of(x < INFINITY), log_from_parts(p), x);          /* log(Inf) = Inf, log(NaN) = NaN */
    y = blend(mask_of(x > 0.0), y, -INFINITY);
    return blend(mask_of(x >= 0.0), y, NAN);
}

#define ANGLE_MAX    1e6
#define HALF_PI_1    1.57079632673412561417e+00
#define HALF_PI_2    6.07710050630396597660e-11
#define HALF_PI_3    2.02226624879595063154e-21

/* Returns sin(x + quarter pi/2) for |x| <= ANGLE_MAX; quarter is 0 (sine) or 1 (cosine). */
LANE double sin_near(double x, uint64 quarter)
{
    double rounder_n = x * 0.63661977236758134308 + ROUNDER, n = rounder_n - ROUNDER;
    double r = ((x - n * HALF_PI_1) - n * HALF_PI_2) - n * HALF_PI_3, c, s = sin_cos_octant(r, &c);
    uint64 turn = bits_of_double(rounder_n) + quarter;
    double y = blend(0u - (turn & 1), c, s);
    return double_from_bits(bits_of_double(y) ^ ((turn & 2) << 62));
}

/* The functions at NODES quadrature nodes at once.  A device processes one node per thread and uses its built-in
 * functions; C code uses the vectorisable functions above.  There NODES is two vectors of 512 bits: the operations of
 * one node depend on each other, so that a single vector waits for their results (densities took 1.4 times as long).
 *
 * log1p(x) = log(u) x/(u - 1), where u is 1 + x rounded; the quotient compensates for the rounding of u (Goldberg
 * 1991, doi:10.1145/103162.103163, theorem 4).  Error: below 4 ulp.
 * Sine and cosine: x = n pi/2 + r, n = 0 or 1, where pi/2 is split into two parts.  Error: below 2 ulp.
 *
 * Domain: any x for node_exp and node_log, x > -1 for node_log1p, 0 <= x <= pi/2 (rounded up) for sine and cosine.
 */

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__) || defined(STABLECL_ONE_NODE)
#define NODES 1                 /* nodes processed together */
#define LOCAL_COPY(type, name, from) const type *name = (from)
LANE double node_exp(double x) { return exp(x); }
LANE double node_log(double x) { return log(x); }
LANE double node_log1p(double x) { return log1p(x); }
LANE double node_sin(double x) { return sin(x); }
LANE double node_sin_cos(double x, double *cosine) { return sincos(x, cosine); }
#else
#define NODES (2 * LANES)
/* A local copy tells the compiler that stores through other pointers do not change the object. */
#define LOCAL_COPY(type, name, from) const type name##_copy = *(from), *name = &name##_copy
LANE double node_exp(double x) { return exp_any(x); }
LANE double node_log(double x) { return log_any(x); }

LANE double node_log1p(double x)
{
    double u = 1.0 + x, less = u - 1.0;
    return blend(mask_of(less == 0.0), x, log_any(u) * (x / less));
}

LANE double node_sin_cos(double x, double *cosine)
{
    uint64 steep = mask_of(x > 0.25 * PI);
    double c, s = sin_cos_octant(blend(steep, (x - HALF_PI) - 0.5 * PI_LO, x), &c);
    *cosine = blend(steep, -s, c);
    return blend(steep, c, s);
}

LANE double node_sin(double x)
{
    double c;
    return node_sin_cos(x, &c);
}
#endif

/* The power x^y for x > 0.
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

/* Returns x truncated to its leading 26 bits. */
LANE double leading_bits(double x)
{
    return double_from_bits(bits_of_double(x) & 0xFFFFFFFFF8000000ul);
}

/* Returns a b with relative error 2^-105, unless a partial product underflows. */
LANE struct double_double exact_product(double a, double b)
{
    double a_high = leading_bits(a), a_low = a - a_high, b_high = leading_bits(b), b_low = b - b_high;
    struct double_double p = { a * b, 0.0 };
    p.lo = ((a_high * b_high - p.hi) + (a_high * b_low + a_low * b_high)) + a_low * b_low;
    return p;
}

/* Returns (a.hi + a.lo) b with relative error of about 2^-103. */
LANE struct double_double dd_mul_double(struct double_double a, double b)
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

/* Returns p(z). */
LANE double log_remainder(double z)
{
    double z2 = z * z, z4 = z2 * z2;
    double low = (0.3999999999999997758 + z * 0.28571428571445057706)
               + z2 * (0.22222222217548803576 + z * 0.18181818868881178782);
    double high = (0.15384556964037718925 + z * 0.1333631399943940323)
                + z2 * (0.11674885062604271164 + z * 0.1198848000935739633);
    return low + z4 * high;
}

/* Returns log(x) as a double-double number. */
LANE struct double_double dd_log(double x)
{
    struct log_parts p = log_split(x);
    struct double_double s = half_ratio(p.f), y = dd_mul_double(s, s.hi);
    y.lo += s.hi * s.lo;
    struct double_double cube = dd_mul_double(y, s.hi);
    cube.lo += y.hi * s.lo;
    struct double_double third = dd_mul_double(cube, 2.0 / 3.0);
    third.lo += cube.hi * 3.7007434154171885e-17;  /* 2/3 minus its rounded value */

    double fifth = s.hi * (y.hi * y.hi) * log_remainder(y.hi);
    struct double_double sum = two_sum(p.k * LN2_HIGH, 2.0 * s.hi), more = two_sum(sum.hi, third.hi);
    more.lo += sum.lo + ((2.0 * s.lo + third.lo) + (fifth + p.k * LN2_LOW));
    return quick_two_sum(more.hi, more.lo);
}

/* Returns log(x) with an error below 2^-58, in half the time: only k log 2 and 2 s are double-double numbers.  The
 * other terms are at most 0.0035, and their relative errors at most 8 times 2^-53. */
LANE struct double_double dd_log_fast(double x)
{
    struct log_parts p = log_split(x);
    struct double_double s = half_ratio(p.f), sum = two_sum(p.k * LN2_HIGH, 2.0 * s.hi);
    double z = s.hi * s.hi, cube = s.hi * z * (2.0 / 3.0 + z * log_remainder(z));
    return quick_two_sum(sum.hi, sum.lo + (2.0 * s.lo + (cube + p.k * LN2_LOW)));
}

/* Returns a mask for blend(): all ones if power_positive() is to be used, that is, if x and y lie in its domain and
 * y is not 2, for which x^y is a product. */
LANE uint64 power_domain(double x, double y)
{
    return mask_of(x >= 0x1p-1022) & mask_of(x < INFINITY) & mask_of(fabs(y) < INFINITY) & mask_of(y != 2.0);
}

/* Returns exp(x.hi + x.lo); the significand is rounded only once. */
LANE double dd_exp(struct double_double x)
{
    double cut = exp_clamp(x.hi), low = blend(mask_of(cut == x.hi), x.lo, 0.0);
    double rounder_n = exp_rounder_n(cut), n = rounder_n - ROUNDER;
    struct double_double r = two_sum(cut - n * LN2_HIGH, low - n * LN2_LOW), sum = quick_two_sum(1.0, r.hi);
    return times_power_of_2(sum.hi + (sum.lo + (r.lo + exp_remainder(r.hi))), rounder_n);
}

/* Returns x^y. */
LANE double power_positive(double x, double y)
{
    return dd_exp(dd_mul_double(dd_log(x), y));
}

#endif

#endif
