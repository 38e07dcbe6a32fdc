/* core/draw.h: one stable random number from 128 random bits.
 *
 * Chambers, Mallows and Stuck (1976) <doi:10.1080/01621459.1976.10480344>
 * transform a uniform angle V in (-pi/2, pi/2) and a standard exponential W.
 * With e = 1 - alpha and zeta = -beta tan(pi alpha/2) = -beta / tan(pi e/2), the
 * standard S1 variate (position minus zeta) is
 *
 *     X1 = A exp(d),   d = (e/alpha) log Z,
 *     A  = (sin(alpha V) - zeta cos(alpha V)) / cos V,
 *     Z  = (cos(e V) - zeta sin(e V)) / (W cos V),
 *
 * in which all powers of 1 + zeta^2 have cancelled.  Two things spoil it in
 * this form: zeta is infinite at alpha = 1, and the sums cancel next to the
 * ends of V when beta is close to +-1.
 *
 * Ends.  X(V; beta) = -X(-V; -beta), so let V >= 0, b the skewness after this
 * reflection and w = pi/2 - V the distance from the end, which is what is
 * drawn.  Splitting b = -1 + (1 + b) leaves sums of terms of one sign:
 *
 *     cos(eV) - zeta sin(eV) = S(w) + (1 + b) c S(V),
 *     A = (-sin(alpha w) + (1 + b) c cos(alpha V)) / (sin(pi e/2) sin w),
 *
 * where S(a) = sin(e a)/sin(pi e/2), which is 2a/pi at e = 0, and
 * c = cos(pi e/2) = sin(pi/2 min(alpha, 2 - alpha)), `cos_e` below.
 *
 * alpha -> 1.  The S0 variate is X0 = X1 + zeta = (A + zeta) + A (exp(d) - 1).
 * A + zeta stays bounded once the large parts are taken together,
 *
 *     A + zeta = cos(w) S(w)/sin(w) - 2 sin(e (pi/2 + w)/2) S(V/2)
 *                + 2 (1 + b) c sin((1 + alpha) V/2) S(V/2) / sin(w),
 *
 * and A (exp(d) - 1) = (e A) (log Z / alpha) (exp(d) - 1)/d, where e A needs only
 * e/sin(pi e/2), which is 2/pi at e = 0.  Every term is smooth in e through 0,
 * and e = 0 itself is the textbook formula for alpha = 1.
 *
 * This is the path near alpha = 1, |e| < 0.1, where S1 is X0 - zeta.  Elsewhere X0
 * is X1 + zeta, with an error of some eps/e on the scale of 1 + |X0|.
 *
 * Sines and cosines.  All angles above are sums of V, w and multiples of e pi/4, so
 * two pairs serve for all of them: those of w and alpha w, or near alpha = 1 those
 * of w and e w/2, with which, and h = S(w/2),
 *
 *     S(V/2) = cos(e w/2) / (2 cos(e pi/4)) - cos(e pi/4) h,
 *     2 sin(e (pi/2 + w)/2) S(V/2) = 2 (sin(e pi/4) + sin(e w/2)) (1/(2 cos(e pi/4)) - h)
 *
 * are again smooth through e = 0; their absolute error is that of V.
 *
 * Domain: 0 < alpha <= 2, -1 <= beta <= 1.  exp(d) is never formed alone, so a
 * result is finite whenever it is representable.
 */
#ifndef STABLECL_DRAW_H
#define STABLECL_DRAW_H

#include "philox.h"

#define DRAW_HALF_PI  1.57079632679489661923
#define DRAW_NEAR_ONE 0.1

/* X1 = a exp(d) */
struct draw { double a, d; };

/* The two inputs: a signed distance of the angle from the end of its range,
 * with 63 bits, and an exponential variate whose small values are resolved to
 * 2^-65.  Neither can be 0 or infinite. */
struct draw_input { double sign, w, sin_w, cos_w, exponential; };

FN uint64 draw_word(uint32 high, uint32 low)
{
    return ((uint64)high << 32) | low;
}

/* (m + 1/2) 2^-63 for the last 63 bits m of a word. */
FN double draw_fraction(uint64 word)
{
    return ((double)(int64)(word & 0x7FFFFFFFFFFFFFFFul) + 0.5) * 0x1p-63;
}

/* -log u.  In the upper half of the unit interval x = 1 - u is what is known, and
 * the logarithm of the rounded u is corrected by (u + x - 1)/u. */
FN double draw_exponential(uint64 level)
{
    int upper = (int)(level >> 63);
    double x = 0.5 * draw_fraction(upper ? ~level : level);
    double u = upper ? 1.0 - x : x;
    double rounding = upper ? (u - 1.0) + x : 0.0;
    return rounding / u - log(u);
}

FN struct draw_input draw_input_at(struct philox_key key, uint64 i)
{
    struct philox_block r = philox_at(key, i);
    uint64 angle = draw_word(r.word[0], r.word[1]);
    struct draw_input in;

    in.sign = (angle >> 63) ? -1.0 : 1.0;
    in.w = DRAW_HALF_PI * draw_fraction(angle);
    in.sin_w = sin(in.w);
    in.cos_w = cos(in.w);
    in.exponential = draw_exponential(draw_word(r.word[2], r.word[3]));
    return in;
}

/* What the formulas need of alpha and beta. */
struct draw_law {
    double alpha, beta, e;              /* e = 1 - alpha */
    double e_over_alpha;
    double sin_e, cos_e;                /* of pi e/2; the cosine is exactly 0 at alpha = 2 */
    double over_sin, e_over_sin;        /* 1/sin_e, e/sin_e: 0 and 2/pi at e = 0 */
    double sin_half, cos_half, level;   /* of pi e/4; level = 1/(2 cos_half) */
    double zeta;                        /* 0 at e = 0 */
};

FN struct draw_law draw_law_of(double alpha, double beta)
{
    struct draw_law s;
    s.alpha = alpha;
    s.beta = beta;
    s.e = 1.0 - alpha;
    s.e_over_alpha = s.e / alpha;
    s.sin_e = sin(DRAW_HALF_PI * s.e);
    s.cos_e = sin(DRAW_HALF_PI * (alpha < 1.0 ? alpha : 2.0 - alpha));
    s.over_sin = s.e == 0.0 ? 0.0 : 1.0 / s.sin_e;
    s.e_over_sin = s.e == 0.0 ? 1.0 / DRAW_HALF_PI : s.e / s.sin_e;
    s.sin_half = sin(0.5 * DRAW_HALF_PI * s.e);
    s.cos_half = cos(0.5 * DRAW_HALF_PI * s.e);
    s.level = 0.5 / s.cos_half;
    s.zeta = -beta * s.cos_e * s.over_sin;
    return s;
}

/* The variate X1 for skewness -1 + skew and angle pi/2 - w >= 0, off alpha = 1. */
FN struct draw draw_x1(const struct draw_law *s, const struct draw_input *in, double skew)
{
    double sin_a = sin(s->alpha * in->w), cos_a = cos(s->alpha * in->w);
    double k = skew * s->cos_e, over_sin_w = 1.0 / in->sin_w;
    double near_end = (in->sin_w * cos_a - in->cos_w * sin_a) * s->over_sin;        /* S(w) */
    double far_end = (in->cos_w * cos_a + in->sin_w * sin_a) - s->cos_e * near_end; /* S(V) */
    double z = (near_end + k * far_end) * over_sin_w / in->exponential;

    struct draw x;
    x.d = s->e_over_alpha * log(z);
    x.a = (k * (s->sin_e * cos_a + s->cos_e * sin_a) - sin_a) * s->over_sin * over_sin_w;
    return x;
}

/* The variate X0 for the same, near alpha = 1. */
FN double draw_x0(const struct draw_law *s, const struct draw_input *in, double skew)
{
    double sin_w = in->sin_w, cos_w = in->cos_w;
    double sin_h = sin(0.5 * s->e * in->w), cos_h = cos(0.5 * s->e * in->w);
    double k = skew * s->cos_e, over_sin_w = 1.0 / sin_w;
    double h = s->e == 0.0 ? 0.5 * in->w / DRAW_HALF_PI : sin_h * s->over_sin;
    double s_half = cos_h * s->level - s->cos_half * h;                       /* S(V/2) */
    double sin_v = s_half * s->sin_e;                                         /* of e V/2 */
    double cos_v = s->cos_half * cos_h + s->sin_half * sin_h;
    double near_end = 2.0 * h * cos_h;
    double log_z = log((near_end + 2.0 * k * s_half * cos_v) * over_sin_w / in->exponential);
    double d = s->e_over_alpha * log_z;

    double far_cos = sin_w * (1.0 - 2.0 * sin_v * sin_v) + 2.0 * cos_w * sin_v * cos_v;
    double near_sin = sin_w * (1.0 - 2.0 * sin_h * sin_h) - 2.0 * cos_w * sin_h * cos_h;
    double ea = s->e_over_sin * (k * far_cos - near_sin) * over_sin_w;
    double sum_sin = cos_w * cos_v - sin_w * sin_v;                         /* (1 + alpha) V/2 */
    double centre = (cos_w * near_end + 2.0 * k * sum_sin * s_half) * over_sin_w
                    - 2.0 * (s->sin_half + sin_h) * (s->level - h);
    return centre + ea * (log_z / s->alpha) * (d == 0.0 ? 1.0 : expm1(d) / d);
}

/* gamma a exp(d) without an overflow on the way. */
FN double draw_scaled(struct draw x, double gamma)
{
    if (fabs(x.d) < 600.0 && gamma < 0x1p100) return gamma * (x.a * exp(x.d));
    double root = exp(0.5 * x.d);
    return (gamma * x.a * root) * root;
}

/* Element i of the stream of a key, in S0 (shifted = 0) or S1 (shifted = 1); at
 * alpha = 1 both are S0. */
FN double draw_at(const struct draw_law *s, double gamma, double delta, int shifted,
                  struct philox_key key, uint64 i)
{
    struct draw_input in = draw_input_at(key, i);
    double skew = 1.0 + in.sign * s->beta;

    if (fabs(s->e) < DRAW_NEAR_ONE)
        return in.sign * gamma * draw_x0(s, &in, skew)
             + (shifted ? delta - gamma * s->zeta : delta);
    struct draw x = draw_x1(s, &in, skew);
    x.a *= in.sign;
    if (shifted) return draw_scaled(x, gamma) + delta;
    if (fabs(x.d) < 600.0) return gamma * (x.a * exp(x.d) + s->zeta) + delta;
    return draw_scaled(x, gamma) + (delta + gamma * s->zeta);
}

#endif
