/* Piecewise polynomial interpolants of the density and the tails of one shape.
 *
 * A side of the distribution, x to the right or left of a centre c, is interpolated as a function of
 *
 *     w = s + |x - c|,      s a power of 2,
 *
 * where s is the scale of the finest structure near c.  Each binade of w is divided into 2^k equal pieces, where
 * k depends on the binade.  The bits of w alone therefore determine the piece and the coordinate t in [-1, 1) on
 * it.  The pieces are short near c, and their lengths grow in proportion to w in the tails.  On each piece, log f
 * and the log of the smaller tail are polynomials in t of degree INTERPOLANT_DEGREE (interpolant/build.c computes
 * them and checks them between the nodes).
 */
#ifndef STABLECL_INTERPOLANT_INTERPOLANT_H
#define STABLECL_INTERPOLANT_INTERPOLANT_H

#include "../special/elementary.h"
#include "../special/double_double.h"
#include "../stable/user_law.h"

#define INTERPOLANT_DEGREE  11
#define INTERPOLANT_TERMS   12            /* coefficients of a polynomial */

/* One side.  The coefficients of piece i begin at index i * INTERPOLANT_TERMS. */
struct interpolant_side {
    int first;                          /* biased exponent of the first binade */
    int binades;                        /* number of binades; 0: the side is empty */
    const int *start;                   /* index of the first piece of each binade */
    const int *shift;                   /* k of each binade */
    const double *pdf;                  /* coefficients of log f */
    const double *tail;                 /* coefficients of the log of the tail */
    const unsigned char *upper;         /* tail used on each piece: 1: P(X > x), 0: P(X <= x) */
};

/* Returns the piece that contains w and sets *t; -1 if none does. */
FN int interpolant_find(const struct interpolant_side *s, double w, double *t)
{
    uint64 bits = bits_of_double(w);
    int binade = (int) (bits >> 52) - s->first;
    if (binade < 0 || binade >= s->binades) return -1;
    int k = s->shift[binade];
    uint64 fraction = bits & 0xFFFFFFFFFFFFFull, rest = (fraction << k) & 0xFFFFFFFFFFFFFull;
    *t = 2.0 * double_from_bits(rest | 0x3FF0000000000000ull) - 3.0;
    return s->start[binade] + (int) (fraction >> (52 - k));
}

/* Computes the smaller tail probability of p, a probability or its logarithm; returns whether it is the lower one. */
FN int interpolant_tail(double p, int lower, int log_p, double *q)
{
    int whole = log_p ? p > -0.69314718055994530942 : p > 0.5;
    if (log_p) *q = whole ? -expm1(p) : exp(p);
    else *q = whole ? 1.0 - p : p;
    return whole ? !lower : lower;
}

/* Evaluates the polynomial as four polynomials in t^4, whose coefficients are adjacent. */
FN double interpolant_value(const double *c, double t)
{
    double t2 = t * t, t4 = t2 * t2, part[4];
    for (int k = 0; k < 4; k++) part[k] = c[k] + t4 * (c[k + 4] + t4 * c[k + 8]);
    return (part[0] + part[1] * t) + (part[2] + part[3] * t) * t2;
}

/* exp(x) for values of an interpolant, which are below 700. */
FN double interpolant_exp(double x)
{
    return x > -700.0 ? exp_minus(-x) : exp(x);
}

/* An interpolant in the format that devices read: a head and one buffer.
 *
 * The buffer holds, for the pieces of both sides, those to the right of the centre first:
 *     PACKED_PAIRS arrays of pairs of coefficients of log f, one pair for each piece;
 *     the same for the log of the tail;
 *     for each binade the number of its first piece and log2 of its number of pieces (two ints);
 *     for each piece the tail that it holds (int).
 *
 * A quantile interpolant has the same format, without the coefficients of log f and without the tails: the polynomials
 * are x - centre over the probability w of the lower tail (first side) or the upper tail (second side).
 */

#define PACKED_PAIRS (INTERPOLANT_TERMS / 2)

struct packed {
    double s;                           /* w = s + |x - centre|; not used for quantiles */
    struct double_double centre;
    double gamma, inv_gamma, log_gamma, delta, shift;
    int is_standard;                    /* x itself is the standardised argument */
    int pieces;                         /* of both sides; 0: the interpolant is empty */
    int first[2], binades[2];           /* right, left: biased exponent of the first binade; number of binades */
};

/* A distribution within an integrand whose alpha and beta are the same for all points.  In the shared buffer,
 * these heads follow those of the lookup tables (integrand/operations.h). */
struct law_head {
    struct packed packed;               /* gamma is NaN if gamma or delta differ between points */
    double mode;                        /* for pm = 2 */
    int start, flag;                    /* in the buffer, in doubles: start of the packed interpolant; position of the
                                           flag of values that no interpolant covers (integrand/laws_interpolated.cl) */
};

#define LAW_HEAD ((int) (sizeof(struct law_head) / sizeof(double)))

/* Sets location and scale from a law that has the shape of the interpolant and pm = 0 or 1. */
FN void packed_frame(struct packed *c, const struct user_law *l)
{
    struct frame f = user_frame(l, 0.0);
    c->gamma = f.gamma;
    c->inv_gamma = 1.0 / f.gamma;
    c->log_gamma = f.log_gamma;
    c->delta = l->delta;
    c->shift = f.shift;
    c->is_standard = f.gamma == 1.0 && l->delta == 0.0 && f.shift == 0.0;
}

/* Returns x - centre, computed from the same standardised argument as on the CPU; NaN if argument_for() would
 * treat the arguments as a special case. */
FN double packed_distance(const struct packed *c, double x)
{
    struct argument z = { x, 0.0, 0 };
    if (!c->is_standard) {
        z = argument_sum(x, -c->delta);
        if (c->gamma != 1.0 && z.hi != 0.0) {
            if (!argument_is_in_range(z.hi) || !argument_is_in_range(c->gamma)) return NAN;
            if (!argument_is_in_range(z.hi / c->gamma)) return NAN;
            z = argument_quotient(z.hi, z.lo, c->gamma);
        }
        if (c->shift != 0.0) z = argument_shift(z, c->shift);
    }
    struct double_double at = { z.hi, z.lo };
    return dd_add(at, dd_neg(c->centre)).hi;
}

#endif
