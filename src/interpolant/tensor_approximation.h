/* Approximates log f and its derivatives for one shape, to about 1e-9, by contracting the tensor tables.
 *
 * Optimisers that evaluate many shapes use it: a tensor approximation takes some tens of microseconds to build, an
 * interpolant (build.h) a millisecond.
 */
#ifndef STABLECL_INTERPOLANT_TENSOR_APPROXIMATION_H
#define STABLECL_INTERPOLANT_TENSOR_APPROXIMATION_H

#include "../stable/law.h"
#include "approximation.h"
#include "../stable/user_law.h"
#include "tensor_tables.h"

/* zeta = -beta tan(pi alpha/2), alpha != 1, and its derivatives with respect to alpha and beta. */
struct zeta { double value, alpha, beta; };

static inline struct zeta zeta_of(double alpha, double beta)
{
    double angle = 0.5 * PI * alpha, tangent = tan(angle), cosine = cos(angle);
    struct zeta z = { -beta * tangent, -0.5 * PI * beta / (cosine * cosine), -tangent };
    return z;
}

struct approximation_piece { double c[APPROXIMATION_POLYNOMIALS][APPROXIMATION_TERMS]; };  /* in powers of t */

/* The approximation for one shape with beta >= 0; the caller reflects x if beta < 0. */
struct approximation {
    double alpha, beta;
    struct approximation_weights weights;
    double powers[TABLE_U][TABLE_U];    /* coefficients of T_k in powers of t */
    int at_zeta;                        /* y = z - zeta if nonzero, else y = z */
    double s, log_s_alpha, log_s_beta;  /* scale in y = s sinh(u), and the derivatives of log s */
    double over_width;                  /* 1/width of a base interval */
    int first, bases;
    const struct table_base *base;      /* base intervals; their pieces have table indices from piece_0 on */
    int piece_0;
    const struct table_piece *drawn;    /* table entries of the pieces; count < 0: the piece has no approximation */
    int pieces;                         /* number of pieces */
    struct approximation_piece *piece;
    unsigned char *is_ready;            /* is_ready[k]: piece[k] has been built */
    int room;                           /* number of pieces allocated */
};

/* Returns the parameters for evaluating the approximation for the user's law. */
struct approximation_frame approximation_frame_of(const struct approximation *, const struct user_law *);

/* Sets everything except the pieces; returns 0 if the law is not supported or not covered by the tables. */
int approximation_aim(struct approximation *, const struct user_law *);

/* Returns the approximation, reset unless it already has the shape (alpha, |beta|); NULL if the law is not
 * covered or memory is short.  The struct must be zero-initialised.  Pieces are built on first use, by a single
 * thread: a sample needs about half of them. */
struct approximation *approximation_for(struct approximation *, const struct user_law *);

/* The same with all pieces built, so that several threads can read it. */
struct approximation *approximation_whole(struct approximation *, const struct user_law *);

void approximation_free(struct approximation *);

/* Determines the pieces (numbered from piece_0) that arguments from `least` to `most` can need: the first, and
 * their number. */
void approximation_range(const struct approximation *, const struct approximation_frame *, double least, double most,
                         int *first,
                         int *count);

/* Builds piece number piece_0 + k, which must have an approximation. */
void approximation_build(struct approximation *, int k);

/* Returns the piece that contains u and sets *t; NULL if none does. */
static inline const struct approximation_piece *approximation_find(struct approximation *k, double u, double *t)
{
    double within;
    int base = approximation_base(k->over_width, k->first, k->bases, u, &within);
    if (base < 0) return 0;
    int number = k->base[base].piece + approximation_part(within, k->base[base].cut, t) - k->piece_0;
    if (k->drawn[number].count < 0) return 0;
    if (!k->is_ready[number]) approximation_build(k, number);
    return &k->piece[number];
}

#endif
