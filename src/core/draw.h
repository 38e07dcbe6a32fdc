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
 * Domain: 0 < alpha <= 2, -1 <= beta <= 1.  exp(d) is never formed alone, so a
 * result is finite whenever it is representable.
 */
#ifndef STABLECL_DRAW_H
#define STABLECL_DRAW_H

#include "philox.h"

#define DRAW_HALF_PI 1.57079632679489661923

/* A variate in the three pieces its users need: X1 = a exp(d); X0 is X1 + zeta
 * summed so that nothing is lost near alpha = 1. */
struct draw { double a, d, x0; };

/* The two inputs: a signed distance of the angle from the end of its range,
 * with 63 bits, and an exponential variate whose small values are resolved to
 * 2^-65.  Neither can be 0 or infinite. */
struct draw_input { double sign, w, exponential; };

FN uint64 draw_word(uint32 high, uint32 low)
{
    return ((uint64)high << 32) | low;
}

FN struct draw_input draw_input_at(struct philox_key key, uint64 i)
{
    struct philox_block r = philox_at(key, i);
    uint64 angle = draw_word(r.word[0], r.word[1]);
    uint64 level = draw_word(r.word[2], r.word[3]);
    struct draw_input in;

    in.sign = (angle >> 63) ? -1.0 : 1.0;
    in.w = DRAW_HALF_PI * (((double)(angle & 0x7FFFFFFFFFFFFFFFul) + 0.5) * 0x1p-63);
    if (level >> 63)
        in.exponential = -log1p(-((double)(~level) + 0.5) * 0x1p-64);
    else
        in.exponential = -log(((double)level + 0.5) * 0x1p-64);
    return in;
}

/* What the formulas need of alpha alone. */
struct draw_shape {
    double alpha, e;            /* e = 1 - alpha */
    double sin_e, cos_e;        /* of pi e/2; the cosine is exactly 0 at alpha = 2 */
    double e_over_sin;          /* 2/pi at e = 0 */
};

FN struct draw_shape draw_shape_of(double alpha)
{
    struct draw_shape s;
    s.alpha = alpha;
    s.e = 1.0 - alpha;
    s.sin_e = sin(DRAW_HALF_PI * s.e);
    s.cos_e = sin(DRAW_HALF_PI * (alpha < 1.0 ? alpha : 2.0 - alpha));
    s.e_over_sin = s.e == 0.0 ? 1.0 / DRAW_HALF_PI : s.e / s.sin_e;
    return s;
}

/* S(a) above; the quotient keeps full relative precision for any e but 0. */
FN double draw_ratio(const struct draw_shape *s, double a)
{
    return s->e == 0.0 ? a / DRAW_HALF_PI : sin(s->e * a) / s->sin_e;
}

/* A + zeta, from w, V, 1 + b and S(w). */
FN double draw_centre(const struct draw_shape *s, double w, double v, double skew,
                      double near_end, double sin_w)
{
    double half = draw_ratio(s, 0.5 * v);
    return (cos(w) * near_end
            + 2.0 * skew * s->cos_e * sin(0.5 * (1.0 + s->alpha) * v) * half) / sin_w
           - 2.0 * sin(0.5 * s->e * (DRAW_HALF_PI + w)) * half;
}

/* The variate for skewness b and angle pi/2 - w >= 0. */
FN struct draw draw_reflected(const struct draw_shape *s, double b, double w,
                              double exponential)
{
    double v = DRAW_HALF_PI - w, skew = 1.0 + b, sin_w = sin(w);
    double near_end = draw_ratio(s, w);
    double log_z = log((near_end + skew * s->cos_e * draw_ratio(s, v)) / (exponential * sin_w));
    double ea = s->e_over_sin * (skew * s->cos_e * cos(s->alpha * v) - sin(s->alpha * w)) / sin_w;

    struct draw x;
    x.d = s->e / s->alpha * log_z;
    x.a = s->e == 0.0 ? 0.0 : ea / s->e;        /* X1 is not defined at alpha = 1 */
    if (fabs(x.d) > 1.0) {
        x.x0 = x.a * exp(x.d) - b * s->cos_e / s->sin_e;
        return x;
    }
    double slope = x.d == 0.0 ? 1.0 : expm1(x.d) / x.d;
    x.x0 = draw_centre(s, w, v, skew, near_end, sin_w) + ea * (log_z / s->alpha) * slope;
    return x;
}

/* gamma a exp(d) without an overflow on the way. */
FN double draw_scaled(struct draw x, double gamma)
{
    if (fabs(x.d) < 600.0 && gamma < 0x1p100) return gamma * (x.a * exp(x.d));
    double half = exp(0.5 * x.d);
    return (gamma * x.a * half) * half;
}

/* Element i of the stream of a key, in S0 (shifted = 0) or S1 (shifted = 1); at
 * alpha = 1 both are S0. */
FN double draw_at(const struct draw_shape *s, double beta, double gamma, double delta,
                  int shifted, struct philox_key key, uint64 i)
{
    struct draw_input in = draw_input_at(key, i);
    struct draw x = draw_reflected(s, in.sign * beta, in.w, in.exponential);
    x.a *= in.sign;
    x.x0 *= in.sign;

    if (shifted && s->e != 0.0) return draw_scaled(x, gamma) + delta;
    if (fabs(x.d) < 600.0)      return gamma * x.x0 + delta;
    return draw_scaled(x, gamma) + (delta - gamma * beta * s->cos_e / s->sin_e);
}

#endif
