#include "encoding.h"
#include "../base/memory.h"

/* Largest |r| of a piece.  The rounding of t and of r changes r by up to about 2e-7 |r|, so that exp(r) keeps a
 * relative error of 1e-6.  Larger pieces, which the host computes, occur only in the light tails of distributions that
 * are extremely skewed or close to the normal one. */
#define LARGEST_R 5.0

static const struct interpolant_side *sides_of(const struct interpolant *c, enum encoded what)
{
    return what == ENCODED_QUANTILE ? c->quantile_interpolant->side : c->side;
}

static const double *polynomials_of(const struct interpolant_side *side, enum encoded what)
{
    return what == ENCODED_TAIL ? side->tail : side->pdf;
}

int encoding_set(struct encoding *e, const struct interpolant *c, enum encoded what)
{
    const struct interpolant_side *side = sides_of(c, what);
    int right = interpolant_pieces(&side[0]);

    encoding_free(e);
    e->pieces = right + interpolant_pieces(&side[1]);
    e->first[0] = 0;
    e->first[1] = right;
    for (e->bits = 1; (1 << e->bits) <= e->pieces; e->bits++) continue;
    size_t n = (size_t)e->pieces + 1;
    e->origin = memory_zeroed(n, 2 * sizeof *e->origin + 1);
    if (!e->origin) return 0;
    e->scale = e->origin + n;
    e->upper = (unsigned char *)(e->scale + n);
    return 1;
}

void encoding_free(struct encoding *e)
{
    memory_release(e->origin);
    e->origin = e->scale = NULL;
    e->upper = NULL;
    e->pieces = 0;
}

/* Returns the largest |r| that the coefficients allow. */
static double range_of(const double *c)
{
    double range = 0.0;
    for (int k = 1; k < INTERPOLANT_TERMS; k++) range += fabs(c[k]);
    return range;
}

/* Stores a number as the sum of two floats. */
static void put_pair(double a, float *pair)
{
    pair[0] = (float)a;
    pair[1] = (float)(a - (double)pair[0]);
}

int encoding_write(struct encoding *e, const struct interpolant *c, enum encoded what, float *coefficient)
{
    int usable = 0;

    for (int s = 0; s < 2; s++) {
        const struct interpolant_side *side = &sides_of(c, what)[s];
        for (int i = 0; i < interpolant_pieces(side); i++) {
            const double *from = polynomials_of(side, what) + (size_t)i * INTERPOLANT_TERMS;
            int piece = e->first[s] + i, is_usable = what == ENCODED_QUANTILE || range_of(from) < LARGEST_R;
            for (int k = 0; k < ENCODED_TERMS; k++)
                coefficient[4 * ((size_t)(k / 4) * (size_t)e->pieces + (size_t)piece) + (size_t)(k % 4)] =
                    k + 1 < INTERPOLANT_TERMS ? (float)from[k + 1] : 0.0f;
            e->origin[piece] = is_usable ? from[0] : NAN;
            put_pair(e->origin[piece], coefficient + (size_t)ENCODED_TERMS * (size_t)e->pieces + 2 * (size_t)piece);
            e->scale[piece] = exp(from[0]);
            if (what == ENCODED_TAIL) e->upper[piece] = side->upper[i];
            usable += !isnan(e->origin[piece]);
        }
    }
    return usable > 0;
}
