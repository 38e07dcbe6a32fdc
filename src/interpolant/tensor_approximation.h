/* One law, contracted from the tables: log f and its derivatives to about 1e-9.
 *
 * For what walks through shapes and needs to know where to go: a sketch takes some tens of
 * microseconds, an interpolant (build.h) a millisecond.
 */
#ifndef STABLECL_INTERPOLANT_TENSOR_APPROXIMATION_H
#define STABLECL_INTERPOLANT_TENSOR_APPROXIMATION_H

#include "../stable/law.h"
#include "approximation.h"
#include "../stable/user_law.h"
#include "tensor_tables.h"

/* zeta = -beta tan(pi alpha/2), alpha != 1, and its derivatives. */
struct zeta { double value, alpha, beta; };

static inline struct zeta zeta_of(double alpha, double beta)
{
    double angle = 0.5 * PI * alpha, tangent = tan(angle), cosine = cos(angle);
    struct zeta z = { -beta * tangent, -0.5 * PI * beta / (cosine * cosine), -tangent };
    return z;
}

struct approximation_piece { double c[APPROXIMATION_POLYNOMIALS][APPROXIMATION_TERMS]; };  /* in powers of t */

/* A law with beta >= 0; the caller sees to the mirror image. */
struct approximation {
    double alpha, beta;
    struct approximation_weights weights;
    double powers[TABLE_U][TABLE_U];    /* T_k in powers of t */
    int at_zeta;                        /* y = z - zeta, otherwise z */
    double s, log_s_alpha, log_s_beta;  /* y = s sinh(u) */
    double over_width;                  /* 1/width of a base */
    int first, bases;
    const struct table_base *base;      /* whose pieces count from piece_0 */
    int piece_0;
    const struct table_piece *drawn;    /* of piece_0, ...: not drawn where count < 0 */
    int pieces;                         /* from piece_0 on */
    struct approximation_piece *piece;
    unsigned char *is_ready;            /* the piece is there */
    int room;                           /* for pieces */
};

/* How it is. */
struct approximation_frame approximation_frame_of(const struct approximation *, const struct user_law *);

/* All of a sketch but its pieces; 0 where the law is not read off sketches, or is not in the tables. */
int approximation_aim(struct approximation *, const struct user_law *);

/* The sketch, begun anew unless it shows (alpha, |beta|); NULL where there is none, or memory is short.  The struct
 * begins as zeros.  Its pieces are drawn as they are looked for, by one thread: a sample meets half of them. */
struct approximation *approximation_for(struct approximation *, const struct user_law *);

/* ... and with all pieces drawn, for several threads to read. */
struct approximation *approximation_whole(struct approximation *, const struct user_law *);

void approximation_free(struct approximation *);

/* Pieces, counted from piece_0, that places between two may meet: the first, and how many. */
void approximation_range(const struct approximation *, const struct approximation_frame *, double least, double most,
                         int *first,
                         int *count);

/* Piece number k of piece_0, ..., which is drawn. */
void approximation_build(struct approximation *, int k);

/* The piece at u, and t; NULL if there is none. */
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
