/* Piecewise polynomial interpolants of the density and the tails of one shape.
 *
 * A side of the distribution, x to the right or left of a centre c, is interpolated as a function of
 *
 *     w = s + |x - c|,      s a power of 2,
 *
 * where s is the scale of the finest structure next to c.  Each binade of w is divided into 2^k equal pieces, where
 * k depends on the binade.  The bits of w alone therefore determine the piece and the coordinate t in [-1, 1) on
 * it.  The pieces are short next to c, and their lengths grow in proportion to w in the tails.  On each piece, log f
 * and the log of the smaller tail are polynomials in t of degree INTERPOLANT_DEGREE (interpolant/build.c computes
 * them and checks them between the nodes).
 */
#ifndef STABLECL_INTERPOLANT_INTERPOLANT_H
#define STABLECL_INTERPOLANT_INTERPOLANT_H

#include "../special/elementary.h"

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

/* Evaluates the polynomial in four lanes with adjacent coefficients. */
FN double interpolant_value(const double *c, double t)
{
    double t2 = t * t, t4 = t2 * t2, lane[4];
    for (int k = 0; k < 4; k++) lane[k] = c[k] + t4 * (c[k + 4] + t4 * c[k + 8]);
    return (lane[0] + lane[1] * t) + (lane[2] + lane[3] * t) * t2;
}

/* exp(x) for values of an interpolant, which are below 700. */
FN double interpolant_exp(double x)
{
    return x > -700.0 ? exp_minus(-x) : exp(x);
}

#endif
