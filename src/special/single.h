/* The functions of elementary.h that elementary operations of integrands and random variates use, in single precision.
 * Only programs for devices include this file.
 *
 * Elementary operations of integrands use OpenCL's own functions.  Random variates use those below, whose errors do not
 * depend on the driver: below 1.5 ulp (1 ulp is at most 1.2e-7).  The polynomials are Taylor series that end where the
 * next term is below 5e-9 of the value.
 */
#ifndef STABLECL_SPECIAL_SINGLE_H
#define STABLECL_SPECIAL_SINGLE_H

#include "dialect.h"

#define PI         3.14159265358979323846
#define ANGLE_MAX 1e6

typedef int lane_mask;                  /* all ones or 0 */

LANE lane_mask mask_of(int truth) { return -truth; }
LANE real blend(lane_mask mask, real a, real b) { return mask ? a : b; }
LANE real exp_any(real x) { return exp(x); }
LANE real log_any(real x) { return log(x); }

/* Returns sin(x + quarter pi/2); quarter is 0 or 1. */
LANE real sin_near(real x, int quarter) { return quarter ? cos(x) : sin(x); }

/* --- as in elementary.h ------------------------------------------------------------------------ */

LANE lane_mask sign_mask(real x) { return as_int((float)x) >> 31; }

#define ROUNDER  12582912.0             /* 1.5 * 2^23 */
#define LN2_HIGH 0.693359375            /* 9 bits: products with an integer below 2^15 are exact */
#define LN2_LOW  -2.12194440054690583e-4

/* Returns 2^n from rounder_n = n + ROUNDER, |n| <= 126. */
LANE real power_of_2(real rounder_n)
{
    return as_float((as_uint((float)rounder_n) + 127u) << 23);
}

/* exp(x) = (1 + less_1) 2^n */
struct exp_parts { real less_1, rounder_n; };

/* Returns exp(r) - 1 for |r| <= log(2)/2. */
LANE real exp_less_1(real r)
{
    real high = 1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720 + r * (1.0 / 5040)));
    return r + r * r * (0.5 + r * (1.0 / 6 + r * high));
}

LANE struct exp_parts exp_split(real x)
{
    struct exp_parts p;
    p.rounder_n = x * 1.44269504088896338700 + ROUNDER;
    real n = p.rounder_n - ROUNDER;
    p.less_1 = exp_less_1((x - n * LN2_HIGH) - n * LN2_LOW);
    return p;
}

/* x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2) */
struct log_parts { real k, f; };

LANE struct log_parts log_split(real x)
{
    const uint one = 0x3F800000u, root_half = 0x3F3504F3u;
    uint bits = as_uint((float)x), biased = (bits + (one - root_half)) >> 23;        /* k + 127 */
    struct log_parts p;
    p.k = (real)((int)biased - 127);
    p.f = as_float(bits + one - (biased << 23)) - 1.0;
    return p;
}

/* Returns log(1 + f) - f = -s (f - R(s^2)), where s = f/(2 + f). */
LANE real log1p_remainder(real f)
{
    real s = f / (2.0 + f), y = s * s;
    return s * (y * (2.0 / 3 + y * (2.0 / 5 + y * (2.0 / 7 + y * (2.0 / 9)))) - f);
}

/* Returns k log 2 + log(1 + f). */
LANE real log_from_parts(struct log_parts p)
{
    return p.k * LN2_HIGH + (p.f + (log1p_remainder(p.f) + p.k * LN2_LOW));
}

LANE real log_of_normal(real x)
{
    return log_from_parts(log_split(x));
}

/* Returns z^(high + low) for normal z > 0, where high has at most 12 bits and high + low is below 2^11.  Its relative
 * error is 2 ulp (1 + |high|), while that of exp(high log z) would also be proportional to |log z|: with
 * z = 2^k (1 + f), the product of high and k is exact, and its integer part is split off. */
LANE struct exp_parts power_split(real z, real high, real low)
{
    struct log_parts p = log_split(z);
    real whole = high * p.k, rest = low * p.k + (high + low) * ((p.f + log1p_remainder(p.f)) * 1.44269504088896338700);
    real n = rint(whole + rest), r = (whole - n) + rest;
    struct exp_parts q = { exp_less_1(r * LN2_HIGH + r * LN2_LOW), n + ROUNDER };
    return q;
}

/* Returns sin(x) and stores cos(x) in *cosine, for |x| <= pi/4. */
LANE real sin_cos_octant(real x, real *cosine)
{
    real y = x * x;
    real p = -1.0 / 6 + y * (1.0 / 120 + y * (-1.0 / 5040 + y * (1.0 / 362880)));
    real q = 1.0 / 24 + y * (-1.0 / 720 + y * (1.0 / 40320 + y * (-1.0 / 3628800)));
    *cosine = 1.0 - (0.5 * y - y * y * q);
    return x + x * (y * p);
}

#endif
