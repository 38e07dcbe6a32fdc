/* The variates X0 and X1 of the standard distribution from 128 random bits; random.h applies location and scale.
 *
 * Chambers, Mallows and Stuck (1976) <doi:10.1080/01621459.1976.10480344> transform a uniform angle V in (-pi/2, pi/2)
 * and a standard exponential W.  With e = 1 - alpha and zeta = -beta tan(pi alpha/2) = -beta / tan(pi e/2), the
 * standard S1 variate (the distance from zeta) is
 *
 *     X1 = A exp(d),   d = (e/alpha) log Z,
 *     A  = (sin(alpha V) - zeta cos(alpha V)) / cos V,
 *     Z  = (cos(e V) - zeta sin(e V)) / (W cos V),
 *
 * where all powers of 1 + zeta^2 have cancelled.  This form has two defects: zeta is infinite at alpha = 1, and the
 * sums cancel near the ends of V when beta is close to +-1.
 *
 * Ends.  As X(V; beta) = -X(-V; -beta), assume V >= 0.  Let b be the skewness after this reflection, and w = pi/2 - V
 * the distance from the end, which is the quantity drawn.  Splitting b = -1 + (1 + b) leaves sums of terms of one sign:
 *
 *     cos(eV) - zeta sin(eV) = S(w) + (1 + b) c S(V),
 *     A = (-sin(alpha w) + (1 + b) c cos(alpha V)) / (sin(pi e/2) sin w),
 *
 * where S(a) = sin(e a)/sin(pi e/2), which is 2a/pi at e = 0, and
 * c = cos(pi e/2) = sin(pi/2 min(alpha, 2 - alpha)), `cos_e` below.
 *
 * alpha -> 1.  The S0 variate is X0 = X1 + zeta = (A + zeta) + A (exp(d) - 1).  A + zeta remains bounded if its large
 * parts are combined,
 *
 *     A + zeta = cos(w) S(w)/sin(w) - 2 sin(e (pi/2 + w)/2) S(V/2)
 *                + 2 (1 + b) c sin((1 + alpha) V/2) S(V/2) / sin(w),
 *
 * and A (exp(d) - 1) = (e A) (log Z / alpha) (exp(d) - 1)/d, where e A needs only e/sin(pi e/2), which is 2/pi at
 * e = 0.  Every term is smooth in e at 0, and e = 0 gives the textbook formula for alpha = 1.
 *
 * These formulas are used near alpha = 1, for |e| < 0.1, where S1 is computed as X0 - zeta.  Elsewhere X0 is computed
 * as X1 + zeta, with an error of a few eps/e relative to 1 + |X0|.
 *
 * Sines and cosines.  The random bits give the smaller of w and V exactly, t <= pi/4, and which of the two it is.  The
 * sine and cosine of t are those of w, or the cosine and sine of w.  All other angles are sums of w, V and multiples of
 * e w and e pi/2, so that one more pair suffices.  Away from alpha = 1 this is the pair of c w, where now c is e, or
 * alpha if alpha is below 1/2.  As |c| <= 1 and c w is c t or c pi/2 - c t, no angle exceeds pi/4; as 1 - c >= 1/2, the
 * sine of (1 - c) w = w - c w, which is the other one of alpha w and e w, is computed without cancellation.  Near
 * alpha = 1 it is the pair of e w/2.  With it and h = S(w/2),
 *
 *     S(V/2) = cos(e w/2) / (2 cos(e pi/4)) - cos(e pi/4) h,
 *     2 sin(e (pi/2 + w)/2) S(V/2) = 2 (sin(e pi/4) + sin(e w/2)) (1/(2 cos(e pi/4)) - h)
 *
 * are again smooth at e = 0; their absolute error is that of V.
 *
 * The code does not branch on the random bits, so that loops over elements vectorise, and an element has the same
 * value, bit for bit, in such a loop and by itself.
 *
 * Domain: 0 < alpha <= 2, -1 <= beta <= 1.  exp(d) is never computed separately, so that a result is finite whenever it
 * is representable.  The relative error of X1 is a few eps (|d| + 1/alpha), except near the angle where X1 changes
 * sign.
 *
 * These functions are compiled in double precision, for CPU and devices, and in single precision, for devices alone.
 */
#ifndef STABLECL_STABLE_VARIATE_H
#define STABLECL_STABLE_VARIATE_H

#include "../special/elementary.h"
#include "../special/philox.h"

#define DRAW_HALF_PI  1.57079632679489661923

/* The two random inputs: the angle, as a sign and a distance of 63 bits from the end or from the middle of its range,
 * and an exponential variate with small values resolved to 2^-65.  Neither is ever 0 or infinite. */
struct draw_input {
    real sign, t;
    lane_mask middle;                   /* all ones: t is the distance V from the middle; 0: t is w */
    real sin_w, cos_w, exponential;
#ifdef SINGLE_PRECISION
    real to_zero;                       /* alpha (V - V_0), see draw_factor() */
#endif
};

/* Returns all ones if the bit of the word is set, otherwise 0. */
LANE lane_mask draw_mask(uint32 word, int bit)
{
    return (lane_mask)0 - (lane_mask)(word >> bit & 1u);
}

#ifdef SINGLE_PRECISION
/* Returns (m + 1/2) 2^-63 rounded to single precision, where m is the low 63 bits of the two words. */
LANE real draw_fraction(uint32 high, uint32 low)
{
    return ((real)((uint64)(high & 0x7FFFFFFFu) << 32 | low) + 0.5) * 0x1p-63;
}
#else
/* Returns the word as a double, formed by way of the low bits of 2^52. */
LANE double draw_number(uint32 word)
{
    return double_from_bits(0x4330000000000000ul | word) - 0x1p52;
}

/* Returns (m + 1/2) 2^-63, where m is the low 63 bits of the two words. */
LANE double draw_fraction(uint32 high, uint32 low)
{
    return (draw_number(high & 0x7FFFFFFFu) * 0x1p32 + (draw_number(low) + 0.5)) * 0x1p-63;
}
#endif

/* Returns -log u for a uniform u.  In the upper half of the unit interval the bits give x = 1 - u; from sqrt(1/2) on,
 * where u = 2^0 (1 + f), f is -x. */
LANE real draw_exponential(uint32 high, uint32 low)
{
    lane_mask upper = draw_mask(high, 31);
    real x = 0.5 * draw_fraction(high ^ (uint32)upper, low ^ (uint32)upper);
    struct log_parts u = log_split(blend(upper, 1.0 - x, x));
    u.f = blend(sign_mask(u.k), u.f, -x);
    return -log_from_parts(u);
}

/* Returns the random inputs made from a block of random bits. */
LANE struct draw_input draw_input_of(struct philox_block r)
{
    real sin_t, cos_t;
    struct draw_input in;

    in.sign = blend(draw_mask(r.word[0], 31), -1.0, 1.0);
    in.middle = draw_mask(r.word[0], 30);
    in.t = DRAW_HALF_PI * draw_fraction(r.word[0] ^ (uint32)in.middle, r.word[1] ^ (uint32)in.middle);
    sin_t = sin_cos_octant(in.t, &cos_t);
    in.sin_w = blend(in.middle, cos_t, sin_t);
    in.cos_w = blend(in.middle, sin_t, cos_t);
    in.exponential = draw_exponential(r.word[2], r.word[3]);
    return in;
}

/* Constants computed from alpha and beta (random.h), and whether c is e (all ones) or alpha (0):
 *
 *     alpha, beta, e               e = 1 - alpha, or DRAW_E_MIN
 *     e_over_alpha, inv_e         e/alpha, 1/e
 *     sin_e, cos_e                 sine and cosine of pi e/2; the cosine is exactly 0 at alpha = 2
 *     inv_sin, e_over_sin         1/sin_e, e/sin_e
 *     c, sin_c, cos_c              c is e or alpha; sine and cosine of pi c/2
 *     sin_half, cos_half, level    sine and cosine of pi e/4; level = 1/(2 cos_half)
 *     zeta                         0 at alpha = 1 */
#define DRAW_CONSTANTS(X) \
    X(alpha) X(beta) X(e) X(e_over_alpha) X(inv_e) X(sin_e) X(cos_e) X(inv_sin) X(e_over_sin)   \
    X(c) X(sin_c) X(cos_c) X(sin_half) X(cos_half) X(level) X(zeta)

#define DRAW_MEMBER(name) real name;
struct draw_law {
    DRAW_CONSTANTS(DRAW_MEMBER)
    lane_mask c_is_e;
#ifdef SINGLE_PRECISION
    real power_high, power_low;         /* e/alpha; the first has 12 bits */
    real factor;                        /* of draw_factor() */
#endif
};
#undef DRAW_MEMBER

/* X1 = a z^(e/alpha) */
struct draw { real a, z; };

/* Returns A cos V, or e A cos V, from its value as a difference.  A vanishes at V_0 = atan(zeta)/alpha, and a single
 * precision angle is not precise enough near V_0.  There
 *
 *     A cos V = sin(alpha (V - V_0)) / cos(alpha V_0),
 *
 * where the caller, which has all bits of V, supplies the angle alpha (V - V_0) and the factor of its sine. */
LANE real draw_factor(const struct draw_law *s, const struct draw_input *in, real difference)
{
#ifdef SINGLE_PRECISION
    real c;
    return fabs(in->to_zero) < 0.5 * DRAW_HALF_PI ? s->factor * sin_cos_octant(in->to_zero, &c) : difference;
#else
    (void)s;
    (void)in;
    return difference;
#endif
}

/* Returns z^(e/alpha). */
LANE struct exp_parts draw_power(const struct draw_law *s, real z)
{
#ifdef SINGLE_PRECISION
    return power_split(z, s->power_high, s->power_low);
#else
    return exp_split(s->e_over_alpha * log_of_normal(z));
#endif
}

/* Returns the variate X1 for skewness -1 + skew and angle pi/2 - w >= 0, away from alpha = 1. */
LANE struct draw draw_x1(const struct draw_law *s, const struct draw_input *in, real skew)
{
    real cos_t, sin_t = sin_cos_octant(s->c * in->t, &cos_t);
    real sin_c = blend(in->middle, s->sin_c * cos_t - s->cos_c * sin_t, sin_t);        /* of c w */
    real cos_c = blend(in->middle, s->cos_c * cos_t + s->sin_c * sin_t, cos_t);
    real sin_o = in->sin_w * cos_c - in->cos_w * sin_c;                         /* of (1 - c) w */
    real cos_o = in->cos_w * cos_c + in->sin_w * sin_c;
    real sin_a = blend(s->c_is_e, sin_o, sin_c), cos_a = blend(s->c_is_e, cos_o, cos_c);  /* of alpha w */
    real sin_e = blend(s->c_is_e, sin_c, sin_o), cos_e = blend(s->c_is_e, cos_c, cos_o);  /* of e w */
    real k = skew * s->cos_e, over = 1.0 / (in->sin_w * in->exponential);
    real near_end = sin_e * s->inv_sin;                                                 /* S(w) */
    real far_end = cos_e - s->cos_e * near_end;                                         /* S(V) */

    struct draw x;
    x.z = (near_end + k * far_end) * over;
    x.a = draw_factor(s, in, (k * (s->sin_e * cos_a + s->cos_e * sin_a) - sin_a) * s->inv_sin) *
          (over * in->exponential);
    return x;
}

/* Returns the variate X0 for the same arguments, near alpha = 1. */
LANE real draw_x0(const struct draw_law *s, const struct draw_input *in, real skew)
{
    real sin_w = in->sin_w, cos_w = in->cos_w;
    real w = blend(in->middle, DRAW_HALF_PI - in->t, in->t);
    real cos_h, sin_h = sin_cos_octant(0.5 * s->e * w, &cos_h);
    real k = skew * s->cos_e, over = 1.0 / (sin_w * in->exponential);
    real over_sin_w = over * in->exponential;
    real h = sin_h * s->inv_sin;
    real s_half = cos_h * s->level - s->cos_half * h;                       /* S(V/2) */
    real sin_v = s_half * s->sin_e;                                         /* of e V/2 */
    real cos_v = s->cos_half * cos_h + s->sin_half * sin_h;
    real near_end = 2.0 * h * cos_h;
    struct exp_parts p = draw_power(s, (near_end + 2.0 * k * s_half * cos_v) * over);
    real scale = power_of_2(p.rounder_n), expm1_d = p.less_1 * scale + (scale - 1.0);

    real far_cos = sin_w * (1.0 - 2.0 * sin_v * sin_v) + 2.0 * cos_w * sin_v * cos_v;
    real near_sin = sin_w * (1.0 - 2.0 * sin_h * sin_h) - 2.0 * cos_w * sin_h * cos_h;
    real ea = draw_factor(s, in, s->e_over_sin * (k * far_cos - near_sin)) * over_sin_w;
    real sum_sin = cos_w * cos_v - sin_w * sin_v;                         /* (1 + alpha) V/2 */
    real centre = (cos_w * near_end + 2.0 * k * sum_sin * s_half) * over_sin_w
                    - 2.0 * (s->sin_half + sin_h) * (s->level - h);
    return centre + ea * (expm1_d * s->inv_e);
}

#endif
