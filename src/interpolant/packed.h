/* An interpolant (interpolant/interpolant.h) in the format that devices read: a head and one buffer.
 *
 * The buffer holds, for the pieces of both sides, those to the right of the centre first:
 *     PACKED_PAIRS arrays of pairs of coefficients of log f, one pair for each piece;
 *     the same for the log of the tail;
 *     for each binade the number of its first piece and log2 of its number of pieces (two ints);
 *     for each piece the tail that it holds (int).
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
    int plain;                          /* x itself is the standardised argument */
    int pieces;                         /* of both sides; 0: the interpolant is empty */
    int first[2], binades[2];           /* right, left: biased exponent of the first binade; number of binades */
};

/* A distribution within an integrand whose alpha and beta are the same for all points.  In the shared buffer,
 * these heads follow those of the lookup tables (integrand/lookup.h). */
struct law_head {
    struct packed packed;               /* gamma is NaN if gamma or delta differ between points */
    double mode;                        /* for pm = 2 */
    int start, unused;                  /* start of the packed interpolant in the buffer, in doubles */
};

#define LAW_HEAD ((int) (sizeof(struct law_head) / sizeof(double)))

/* Sets location and scale from a law that has the shape of the interpolant and pm = 0 or 1. */
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

/* Returns x - centre, computed from the same standardised argument as on the CPU; NaN if argument_for() would
 * treat the arguments as a special case. */
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
