/* A chart (interpolant/interpolant.h) as devices read it: a head, and one buffer.
 *
 * The pieces of both sides, those right of the centre first, are the buffer:
 *     PACKED_PAIRS arrays of pairs of coefficients of log f, one pair for each piece;
 *     the same for the log of the tail;
 *     number of the first piece, and the cut, of each binade (two ints);
 *     which tail a piece has (int).
 */
#ifndef STABLECL_INTERPOLANT_PACKED_H
#define STABLECL_INTERPOLANT_PACKED_H

#include "interpolant.h"
#include "../special/double_double.h"
#include "../stable/user_law.h"

#define PACKED_PAIRS (INTERPOLANT_TERMS / 2)

struct packed {
    double s;                           /* w = s + |x - centre| */
    struct double_double centre;
    double gamma, over_gamma, log_gamma, delta, shift;
    int plain;                          /* positions are x itself */
    int pieces;                         /* of both sides; 0: nothing is charted */
    int first[2], binades[2];           /* right, left: biased exponent of the first binade, their number */
};

/* A law within an integrand whose shape is the same for all points.  Such heads lie behind those of tables
 * (integrand/lookup.h) in the buffer that they share. */
struct law_head {
    struct packed packed;               /* gamma is NaN where gamma or delta differ from point to point */
    double mode;                        /* for pm = 2 */
    int start, unused;                  /* where the sheet's buffer begins, in doubles */
};

#define LAW_HEAD ((int) (sizeof(struct law_head) / sizeof(double)))

/* Location and scale of a law, of the chart's shape, whose pm is not 2. */
FN void packed_frame(struct packed *c, const struct user_law *l)
{
    struct frame f = user_frame(l, 0.0);
    c->gamma = f.gamma;
    c->over_gamma = 1.0 / f.gamma;
    c->log_gamma = f.log_gamma;
    c->delta = l->delta;
    c->shift = f.shift;
    c->plain = f.gamma == 1.0 && l->delta == 0.0 && f.shift == 0.0;
}

/* x - centre; NaN where argument_for() has to go another way than the straight one.  Otherwise
 * it makes the same position as the CPU does. */
FN double packed_distance(const struct packed *c, double x)
{
    struct abscissa z = { x, 0.0, 0 };
    if (!c->plain) {
        z = argument_sum(x, -c->delta);
        if (c->gamma != 1.0 && z.hi != 0.0) {
            if (!(argument_is_tame(z.hi) && argument_is_tame(c->gamma) && argument_is_tame(z.hi / c->gamma)))
                return NAN;
            z = argument_quotient(z.hi, z.lo, c->gamma);
        }
        if (c->shift != 0.0) z = argument_shift(z, c->shift);
    }
    struct double_double at = { z.hi, z.lo };
    return two_add(at, two_neg(c->centre)).hi;
}

#endif
