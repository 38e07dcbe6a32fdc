/* Density and tail of one shape, drawn in advance as piecewise polynomials.
 *
 * A side of the law, x right or left of a centre c, is charted over
 *
 *     w = s + |x - c|,      s a power of 2,
 *
 * where s is the scale of the finest structure next to c.  Binades of w are cut into 2^k equal
 * pieces, k a matter of the binade, so that the bits of w are all it takes to find the piece
 * and the place t in [-1, 1) on it: pieces are short next to c and grow like a power tail.
 * On each piece log f and the log of the smaller tail are polynomials in t of degree
 * INTERPOLANT_DEGREE (interpolant/build.c lays them and checks them between the nodes).
 */
#ifndef STABLECL_INTERPOLANT_INTERPOLANT_H
#define STABLECL_INTERPOLANT_INTERPOLANT_H

#include "../special/exponential.h"

#define INTERPOLANT_DEGREE  11
#define INTERPOLANT_TERMS   12            /* coefficients of a piece */

/* One side.  Piece i has its coefficients at i INTERPOLANT_TERMS. */
struct interpolant_side {
    int first;                          /* biased exponent of s */
    int binades;                        /* charted; 0: none */
    const int *start;                   /* number of the first piece of a binade */
    const int *shift;                   /* k of a binade */
    const double *pdf;                  /* coefficients of log f */
    const double *tail;                 /* of the log of the tail */
    const unsigned char *upper;         /* which tail a piece has: P(X > x) or P(X <= x) */
};

/* The piece on which w lies, and t; -1 if it is not charted. */
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

/* The polynomial, in four lanes whose coefficients lie side by side. */
FN double interpolant_value(const double *c, double t)
{
    double t2 = t * t, t4 = t2 * t2, lane[4];
    for (int k = 0; k < 4; k++) lane[k] = c[k] + t4 * (c[k + 4] + t4 * c[k + 8]);
    return (lane[0] + lane[1] * t) + (lane[2] + lane[3] * t) * t2;
}

/* exp(x) for values of a chart, which stay below 700. */
FN double interpolant_exp(double x)
{
    return x > -700.0 ? exp_minus(-x) : exp(x);
}

#endif
