/* An interpolant in the form in which devices evaluate it in single precision (run/device/single.cl).
 *
 * A value x rounded to a float would lose 6e-8 |d log f/d log x|, which is 36 times 6e-8 or more in the tails of nearly
 * normal distributions, and everything near a centre that is not 0.  The host therefore finds the piece and the
 * coordinate t in [-1, 1) in double precision and encodes both in one word of 32 bits: the number of the piece, over
 * both sides, in the high `bits` bits, and (t + 1) 2^(31 - bits), rounded down, in the others.  A coordinate has 22
 * bits or more, since no interpolant has more than 1000 pieces.  The device computes
 *
 *     r = c_1 t + ... + c_11 t^11,
 *
 * where c are the coefficients of the piece as floats, and returns r or exp(r).  The host adds the origin c_0 of the
 * piece, or multiplies by exp(c_0), in double precision: values as small as those of a double keep their relative
 * accuracy, and so do logarithms near -700.  For sums of logarithms (sums_single.cl) the device adds c_0 itself, as the
 * sum of two floats.
 */
#ifndef STABLECL_INTERPOLANT_ENCODING_H
#define STABLECL_INTERPOLANT_ENCODING_H

#include "build.h"

/* The function that the polynomials interpolate. */
enum encoded { ENCODED_DENSITY, ENCODED_TAIL, ENCODED_QUANTILE };

#define ENCODED_OUTSIDE 0xFFFFFFFFu     /* the word of an element outside the interpolant */
#define ENCODED_TERMS   12              /* for each piece: c_1, ..., c_11 and 0 */
#define ENCODED_FLOATS  14              /* and c_0 as the sum of two floats */

struct encoding {
    int bits, pieces;                   /* of both sides */
    int first[2];                       /* number of the first piece of each side */
    double *origin;                     /* c_0 of each piece; NaN: elements of this piece count as outside */
    double *scale;                      /* exp(c_0) */
    unsigned char *upper;               /* for tails: as in struct interpolant_side */
};

/* Sets *e from an interpolant, with a quantile interpolant if it is to be encoded; returns 0 if memory is short. */
int encoding_set(struct encoding *e, const struct interpolant *, enum encoded);
void encoding_free(struct encoding *e);

/* Writes the coefficients as three arrays of groups of four floats, one group for each piece, and one of pairs of
 * floats with the origins, the first of them NaN if elements of the piece count as outside.  Returns 0 if no piece can
 * be encoded. */
int encoding_write(struct encoding *e, const struct interpolant *, enum encoded, float *coefficient);

/* Returns the word of an element on piece number `piece` of a side, -1 if it is on none. */
static inline uint32 encoded_word(const struct encoding *e, int side, int piece, double t)
{
    if (piece < 0) return ENCODED_OUTSIDE;
    return (uint32)(e->first[side] + piece) << (32 - e->bits) | (uint32)((t + 1.0) * (double)(1u << (31 - e->bits)));
}

/* Returns the number of the piece of a word, -1 if the element is outside. */
static inline int encoded_piece(const struct encoding *e, uint32 word)
{
    if (word == ENCODED_OUTSIDE) return -1;
    int piece = (int)(word >> (32 - e->bits));
    return isnan(e->origin[piece]) ? -1 : piece;
}

#endif
