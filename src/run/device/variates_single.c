#include "variates_single.h"
#include "../columns.h"

/* Below this alpha the errors exceed 1e-5: they grow with 1/alpha. */
#define ALPHA_MIN 0.1

/* From this alpha on floats hold all variates but one in 2^50. */
#define ALPHA_FLOAT 0.4

/* For alpha between these, S0 variates are computed as X0, whose formula is less accurate for larger alpha, and not as
 * X1 + zeta, which has the error of X1. */
#define X0_FROM 0.6
#define X0_TO   1.12

/* The factor e/alpha is split such that the first part has 12 bits, regardless of its size. */
#define SPLIT 0x1p-11

static void set_constants(struct single_sample *s, const struct draw_law *law)
{
    double power = law->e_over_alpha, unit = ldexp(SPLIT, ilogb(power));
    double high = rint(power / unit) * unit;

#define ROUND(name) s->name = (float)law->name;
    DRAW_CONSTANTS(ROUND)
#undef ROUND
    s->c_is_e = law->c_is_e ? -1 : 0;
    s->power_high = (float)high;
    s->power_low = (float)(power - high);
    double zeta = -law->beta * law->cos_e * law->inv_sin, unit_angle = DRAW_HALF_PI * 0x1p-62;
    s->zero = (int64)(atan(zeta) / (law->alpha * unit_angle));
    s->angle = (float)(law->alpha * unit_angle);
    s->factor = (float)((s->is_x0 ? law->e : 1.0) * hypot(1.0, zeta));
    s->skew[0] = (float)(1.0 + law->beta);
    s->skew[1] = (float)(1.0 - law->beta);
}

int variates_set(struct variates *v, const struct element_job *job, struct status *st)
{
    struct user_law l = first_law(&job->laws);

    if (!is_one_law(&job->laws) || !is_interpolated_law(&l) || l.alpha < ALPHA_MIN)
        return fail(st, ST_UNSUPPORTED, "devices compute in single precision only random numbers of one valid "
                    "distribution with alpha of %g or more and pm = 0 or 1", ALPHA_MIN);
    struct draw_law law = draw_law_of(l.alpha, l.beta);
    struct frame f = user_frame(&l, 0.0);
    struct single_sample s = {
        .key = { job->key.word[0], job->key.word[1] },
        .is_x0 = draw_is_near_one(&law) || (!f.shifted && l.alpha > X0_FROM && l.alpha < X0_TO),
        .is_wide = l.alpha < ALPHA_FLOAT
    };
    set_constants(&s, &law);
    v->sample = s;
    v->frame = user_draw_frame(&law, &l, &f);
    if (s.is_x0 && !draw_is_near_one(&law)) v->frame.centre -= v->frame.gamma * law.zeta;
    return ST_OK;
}

void variates_scale(const struct variates *v, size_t count, const uint32 *word, double *y)
{
    struct draw_frame f = v->frame;
    float x;

    for (size_t k = 0; k < count; k++) {
        if (v->sample.is_wide) y[k] = double_from_bits((uint64)word[k] << 32);
        else memcpy(&x, &word[k], sizeof x), y[k] = (double)x;
        y[k] = (f.gamma * y[k] + f.centre) * f.unit;
    }
}
