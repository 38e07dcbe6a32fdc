/* Random numbers of one standard distribution in single precision, for devices with or without double precision: the
 * variates of stable/variate.h from the random bits that the double precision kernels use.
 *
 * One work-item per element, which returns 4 bytes: a float, or for heavy tails, whose range floats do not have, the
 * upper word of a double: sign, 11 bits of the exponent and 20 bits of the significand, rounded.
 */
#define SINGLE_PRECISION
#include "single_shared.h"

#define EXPONENT_MAX 2000.0             /* beyond the range of a double */

static struct draw_law law_of(const struct single_sample *job)
{
    struct draw_law s;
#define COPY(name) s.name = job->name;
    DRAW_CONSTANTS(COPY)
#undef COPY
    s.c_is_e = job->c_is_e;
    s.power_high = job->power_high;
    s.power_low = job->power_low;
    s.factor = job->factor;
    return s;
}

/* Returns a 2^n as the upper word of a double. */
static uint upper_word(real a, int n)
{
    uint bits = as_uint(a), rounded = ((bits & 0x7FFFFFFFu) + 4u) >> 3;
    int exponent = (int) (rounded >> 20) + n + 1023 - 127;
    uint sign = bits & 0x80000000u;
    if (exponent <= 0 || a == 0.0) return sign;
    return exponent >= 2047 ? sign | 0x7FF00000u : sign | (uint) exponent << 20 | (rounded & 0xFFFFFu);
}

/* Returns the word of a z^(e/alpha). */
static uint word_of(const struct draw_law *s, struct draw x, int is_wide)
{
    struct exp_parts p = draw_power(s, x.z);
    real n = clamp(p.rounder_n - ROUNDER, (real) -EXPONENT_MAX, (real) EXPONENT_MAX), y = x.a * (1.0 + p.less_1);
    return is_wide ? upper_word(y, (int) n) : as_uint(ldexp(y, (int) n));
}

/* Returns the angle V in units of 2^-62 pi/2, of which draw_input_of() uses the distance from 0 or from an end. */
static long angle_of(struct philox_block r)
{
    ulong low = ~((ulong) r.word[0] << 32 | r.word[1]) & 0x7FFFFFFFFFFFFFFFul;
    return r.word[0] & 0x80000000u ? -(long) (low >> 1) : (long) (low >> 1);
}

__kernel void random_single(const struct single_sample job, __global uint *out)
{
    uint i = (uint) get_global_id(0);
    if (i >= (uint) job.n) return;
    struct draw_law s = law_of(&job);
    struct philox_key key = { { job.key[0], job.key[1] } };
    struct philox_block r = philox_at(key, ((ulong) job.first_high << 32 | job.first_low) + i);
    struct draw_input in = draw_input_of(r);
    real skew = in.sign > 0.0 ? job.skew[0] : job.skew[1];
    in.to_zero = in.sign * job.angle * (real) (angle_of(r) - job.zero);
    if (job.is_x0) {
        out[i] = as_uint(in.sign * draw_x0(&s, &in, skew));
    } else {
        struct draw x = draw_x1(&s, &in, skew);
        x.a *= in.sign;
        out[i] = word_of(&s, x, job.is_wide);
    }
}
