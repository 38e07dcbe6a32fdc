/* One stable random variate from 128 random bits.
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
 * sums cancel next to the ends of V when beta is close to +-1.
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
 */
#ifndef STABLECL_STABLE_RANDOM_H
#define STABLECL_STABLE_RANDOM_H

#include "user_law.h"
#include "../special/elementary.h"
#include "../special/philox.h"

#define DRAW_HALF_PI  1.57079632679489661923
#define DRAW_NEAR_ONE 0.1
#define DRAW_LEAST_E  0x1p-60           /* replaces e = 0; no result changes */
#define DRAW_ENOUGH   2000.0            /* exp(2000) overflows even at the smallest scale */

/* The two random inputs: the angle, as a sign and a distance of 63 bits from the end or from the middle of its range,
 * and an exponential variate with small values resolved to 2^-65.  Neither is ever 0 or infinite. */
struct draw_input {
    double sign, t;
    uint64 middle;                      /* all ones: t is the distance V from the middle; 0: t is w */
    double sin_w, cos_w, exponential;
};

/* Returns all ones if the bit of the word is set, otherwise 0. */
LANE uint64 draw_mask(uint32 word, int bit)
{
    return 0u - (uint64)(word >> bit & 1u);
}

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

/* Returns -log u for a uniform u.  In the upper half of the unit interval the bits give x = 1 - u; from sqrt(1/2) on,
 * where u = 2^0 (1 + f), f is -x. */
LANE double draw_exponential(uint32 high, uint32 low)
{
    uint64 upper = draw_mask(high, 31);
    double x = 0.5 * draw_fraction(high ^ (uint32)upper, low ^ (uint32)upper);
    struct log_parts u = log_split(pick(upper, 1.0 - x, x));
    u.f = pick(negative(u.k), u.f, -x);
    return -log_joined(u);
}

/* Returns the random inputs made from a block of random bits. */
LANE struct draw_input draw_input_of(struct philox_block r)
{
    double sin_t, cos_t;
    struct draw_input in;

    in.sign = pick(draw_mask(r.word[0], 31), -1.0, 1.0);
    in.middle = draw_mask(r.word[0], 30);
    in.t = DRAW_HALF_PI * draw_fraction(r.word[0] ^ (uint32)in.middle, r.word[1] ^ (uint32)in.middle);
    sin_t = sin_cos_octant(in.t, &cos_t);
    in.sin_w = pick(in.middle, cos_t, sin_t);
    in.cos_w = pick(in.middle, sin_t, cos_t);
    in.exponential = draw_exponential(r.word[2], r.word[3]);
    return in;
}

/* Constants computed from alpha and beta. */
struct draw_law {
    double alpha, beta, e;              /* e = 1 - alpha, or DRAW_LEAST_E */
    double e_over_alpha, over_e;
    double sin_e, cos_e;                /* sine and cosine of pi e/2; the cosine is exactly 0 at alpha = 2 */
    double over_sin, e_over_sin;        /* 1/sin_e, e/sin_e */
    double c, sin_c, cos_c;             /* c is e or alpha; sine and cosine of pi c/2 */
    uint64 c_is_e;                      /* all ones if c is e, otherwise 0 */
    double sin_half, cos_half, level;   /* sine and cosine of pi e/4; level = 1/(2 cos_half) */
    double zeta;                        /* 0 at alpha = 1 */
};

FN struct draw_law draw_law_of(double alpha, double beta)
{
    int small = alpha < 0.5;
    struct draw_law s;
    s.alpha = alpha;
    s.beta = beta;
    s.e = alpha == 1.0 ? DRAW_LEAST_E : 1.0 - alpha;
    s.e_over_alpha = s.e / alpha;
    s.over_e = 1.0 / s.e;
    s.sin_e = sin(DRAW_HALF_PI * s.e);
    s.cos_e = sin(DRAW_HALF_PI * (alpha < 1.0 ? alpha : 2.0 - alpha));
    s.over_sin = 1.0 / s.sin_e;
    s.e_over_sin = s.e / s.sin_e;
    s.c = small ? alpha : s.e;
    s.sin_c = small ? s.cos_e : s.sin_e;
    s.cos_c = small ? s.sin_e : s.cos_e;
    s.c_is_e = small ? 0u : ~(uint64)0u;
    s.sin_half = sin(0.5 * DRAW_HALF_PI * s.e);
    s.cos_half = cos(0.5 * DRAW_HALF_PI * s.e);
    s.level = 0.5 / s.cos_half;
    s.zeta = alpha == 1.0 ? 0.0 : -beta * s.cos_e * s.over_sin;
    return s;
}

FN int draw_is_near_one(const struct draw_law *s)
{
    return fabs(s->e) < DRAW_NEAR_ONE;
}

/* X1 = a exp(d) */
struct draw { double a, d; };

/* Returns the variate X1 for skewness -1 + skew and angle pi/2 - w >= 0, away from alpha = 1. */
LANE struct draw draw_x1(const struct draw_law *s, const struct draw_input *in, double skew)
{
    double cos_t, sin_t = sin_cos_octant(s->c * in->t, &cos_t);
    double sin_c = pick(in->middle, s->sin_c * cos_t - s->cos_c * sin_t, sin_t);        /* of c w */
    double cos_c = pick(in->middle, s->cos_c * cos_t + s->sin_c * sin_t, cos_t);
    double sin_o = in->sin_w * cos_c - in->cos_w * sin_c;                         /* of (1 - c) w */
    double cos_o = in->cos_w * cos_c + in->sin_w * sin_c;
    double sin_a = pick(s->c_is_e, sin_o, sin_c), cos_a = pick(s->c_is_e, cos_o, cos_c);  /* of alpha w */
    double sin_e = pick(s->c_is_e, sin_c, sin_o), cos_e = pick(s->c_is_e, cos_c, cos_o);  /* of e w */
    double k = skew * s->cos_e, over = 1.0 / (in->sin_w * in->exponential);
    double near_end = sin_e * s->over_sin;                                                /* S(w) */
    double far_end = cos_e - s->cos_e * near_end;                                         /* S(V) */

    struct draw x;
    x.d = s->e_over_alpha * log_normal((near_end + k * far_end) * over);
    x.a = (k * (s->sin_e * cos_a + s->cos_e * sin_a) - sin_a) * s->over_sin * (over * in->exponential);
    return x;
}

/* Returns the variate X0 for the same arguments, near alpha = 1. */
LANE double draw_x0(const struct draw_law *s, const struct draw_input *in, double skew)
{
    double sin_w = in->sin_w, cos_w = in->cos_w;
    double w = pick(in->middle, DRAW_HALF_PI - in->t, in->t);
    double cos_h, sin_h = sin_cos_octant(0.5 * s->e * w, &cos_h);
    double k = skew * s->cos_e, over = 1.0 / (sin_w * in->exponential);
    double over_sin_w = over * in->exponential;
    double h = sin_h * s->over_sin;
    double s_half = cos_h * s->level - s->cos_half * h;                       /* S(V/2) */
    double sin_v = s_half * s->sin_e;                                         /* of e V/2 */
    double cos_v = s->cos_half * cos_h + s->sin_half * sin_h;
    double near_end = 2.0 * h * cos_h;
    double log_z = log_normal((near_end + 2.0 * k * s_half * cos_v) * over);
    struct exp_parts p = exp_split(s->e_over_alpha * log_z);
    double scale = power_of_2(p.rounder_n), expm1_d = p.less_1 * scale + (scale - 1.0);

    double far_cos = sin_w * (1.0 - 2.0 * sin_v * sin_v) + 2.0 * cos_w * sin_v * cos_v;
    double near_sin = sin_w * (1.0 - 2.0 * sin_h * sin_h) - 2.0 * cos_w * sin_h * cos_h;
    double ea = s->e_over_sin * (k * far_cos - near_sin) * over_sin_w;
    double sum_sin = cos_w * cos_v - sin_w * sin_v;                         /* (1 + alpha) V/2 */
    double centre = (cos_w * near_end + 2.0 * k * sum_sin * s_half) * over_sin_w
                    - 2.0 * (s->sin_half + sin_h) * (s->level - h);
    return centre + ea * (expm1_d * s->over_e);
}

/* Returns gamma a exp(d), with the power of 2 as three factors, none of which overflows. */
LANE double draw_scaled(struct draw x, double gamma)
{
    double above = pick(negative(x.d + DRAW_ENOUGH), -DRAW_ENOUGH, x.d);
    struct exp_parts p = exp_split(pick(negative(DRAW_ENOUGH - above), DRAW_ENOUGH, above));
    double n = p.rounder_n - ROUNDER, rounder_third = n * (1.0 / 3) + ROUNDER;
    double third = power_of_2(rounder_third);
    double rest = power_of_2((n - 2.0 * (rounder_third - ROUNDER)) + ROUNDER);
    return ((x.a * (1.0 + p.less_1) * third) * gamma) * third * rest;
}

/* Location and scale: the result is unit (gamma exp(log_factor) X + centre).  log_factor is not used near alpha = 1. */
struct draw_frame { double gamma, centre, unit, log_factor; };

/* Returns location and scale for S0 (shifted = 0) or S1 (shifted = 1) with gamma and delta; at alpha = 1 both are S0.
 * unit prevents the overflow of terms whose sum is representable. */
FN struct draw_frame draw_frame_of(const struct draw_law *s, double gamma, double delta, int shifted)
{
    struct draw_frame p;
    p.unit = gamma > 0x1p1000 ? 0x1p10 : 1.0;
    p.gamma = gamma / p.unit;
    p.log_factor = 0.0;
    p.centre = delta / p.unit;
    if (draw_is_near_one(s) && shifted) p.centre -= p.gamma * s->zeta;
    if (!draw_is_near_one(s) && !shifted) p.centre += p.gamma * s->zeta;
    return p;
}

/* Returns the variate made from a block of random bits, near alpha = 1. */
LANE double draw_near_one(const struct draw_law *s, const struct draw_frame *p, struct philox_block r)
{
    struct draw_input in = draw_input_of(r);
    double x = in.sign * draw_x0(s, &in, 1.0 + in.sign * s->beta);
    return (p->gamma * x + p->centre) * p->unit;
}

/* Returns the variate made from a block of random bits, away from alpha = 1. */
LANE double draw_off_one(const struct draw_law *s, const struct draw_frame *p, struct philox_block r)
{
    struct draw_input in = draw_input_of(r);
    struct draw x = draw_x1(s, &in, 1.0 + in.sign * s->beta);
    x.a *= in.sign;
    x.d += p->log_factor;
    return (draw_scaled(x, p->gamma) + p->centre) * p->unit;
}

/* Returns element i of the stream of a key. */
FN double draw_at(const struct draw_law *s, const struct draw_frame *p, struct philox_key key, uint64 i)
{
    struct philox_block r = philox_at(key, i);
    return draw_is_near_one(s) ? draw_near_one(s, p, r) : draw_off_one(s, p, r);
}

/* --- location and scale of random variates of the user's distribution --- */

FN struct draw_frame user_draw_frame(const struct draw_law *s, const struct user_law *l, const struct frame *f)
{
    if (!user_is_vast(f)) return draw_frame_of(s, f->gamma, l->delta - f->gamma * f->shift, f->shifted);
    struct draw_frame p = draw_frame_of(s, l->gamma, l->delta, f->shifted);
    p.log_factor = f->log_gamma - log(l->gamma);
    return p;
}

#endif
