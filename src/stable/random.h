/* Random variates of the user's distribution: the constants of a shape, and location and scale of the variates of
 * variate.h. */
#ifndef STABLECL_STABLE_RANDOM_H
#define STABLECL_STABLE_RANDOM_H

#include "user_law.h"
#include "variate.h"

#define DRAW_NEAR_ONE 0.1
#define DRAW_E_MIN    0x1p-60           /* replaces e = 0; no result changes */
#define DRAW_EXPONENT_MAX 2000.0        /* exp(2000) overflows even at the smallest scale */

FN struct draw_law draw_law_of(double alpha, double beta)
{
    int small = alpha < 0.5;
    struct draw_law s;
    s.alpha = alpha;
    s.beta = beta;
    s.e = alpha == 1.0 ? DRAW_E_MIN : 1.0 - alpha;
    s.e_over_alpha = s.e / alpha;
    s.inv_e = 1.0 / s.e;
    s.sin_e = sin(DRAW_HALF_PI * s.e);
    s.cos_e = sin(DRAW_HALF_PI * (alpha < 1.0 ? alpha : 2.0 - alpha));
    s.inv_sin = 1.0 / s.sin_e;
    s.e_over_sin = s.e / s.sin_e;
    s.c = small ? alpha : s.e;
    s.sin_c = small ? s.cos_e : s.sin_e;
    s.cos_c = small ? s.sin_e : s.cos_e;
    s.c_is_e = small ? 0u : ~(uint64)0u;
    s.sin_half = sin(0.5 * DRAW_HALF_PI * s.e);
    s.cos_half = cos(0.5 * DRAW_HALF_PI * s.e);
    s.level = 0.5 / s.cos_half;
    s.zeta = alpha == 1.0 ? 0.0 : -beta * s.cos_e * s.inv_sin;
    return s;
}

FN int draw_is_near_one(const struct draw_law *s)
{
    return fabs(s->e) < DRAW_NEAR_ONE;
}

/* Returns gamma a exp(d), with the power of 2 as three factors, none of which overflows. */
LANE double draw_scaled(double a, double d, double gamma)
{
    double above = blend(sign_mask(d + DRAW_EXPONENT_MAX), -DRAW_EXPONENT_MAX, d);
    struct exp_parts p = exp_split(blend(sign_mask(DRAW_EXPONENT_MAX - above), DRAW_EXPONENT_MAX, above));
    double n = p.rounder_n - ROUNDER, rounder_third = n * (1.0 / 3) + ROUNDER;
    double third = power_of_2(rounder_third);
    double rest = power_of_2((n - 2.0 * (rounder_third - ROUNDER)) + ROUNDER);
    return ((a * (1.0 + p.less_1) * third) * gamma) * third * rest;
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
LANE double draw_general(const struct draw_law *s, const struct draw_frame *p, struct philox_block r)
{
    struct draw_input in = draw_input_of(r);
    struct draw x = draw_x1(s, &in, 1.0 + in.sign * s->beta);
    double d = s->e_over_alpha * log_of_normal(x.z) + p->log_factor;
    return (draw_scaled(x.a * in.sign, d, p->gamma) + p->centre) * p->unit;
}

/* Returns element i of the stream of a key. */
FN double draw_at(const struct draw_law *s, const struct draw_frame *p, struct philox_key key, uint64 i)
{
    struct philox_block r = philox_at(key, i);
    return draw_is_near_one(s) ? draw_near_one(s, p, r) : draw_general(s, p, r);
}

/* --- location and scale of random variates of the user's distribution --- */

FN struct draw_frame user_draw_frame(const struct draw_law *s, const struct user_law *l, const struct frame *f)
{
    if (!user_scale_overflows(f)) return draw_frame_of(s, f->gamma, l->delta - f->gamma * f->shift, f->shifted);
    struct draw_frame p = draw_frame_of(s, l->gamma, l->delta, f->shifted);
    p.log_factor = f->log_gamma - log(l->gamma);
    return p;
}

#endif
