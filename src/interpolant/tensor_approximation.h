/* interpolant/tensor_approximation.h: one law, contracted from the tables: log f and its derivatives to about 1e-9.
 *
 * For what walks through shapes and needs to know where to go: a sketch takes some tens of
 * microseconds, a chart (chart.h) a millisecond.
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

struct sketch_piece { double c[SKETCH_POLYNOMIALS][SKETCH_TERMS]; };     /* in powers of t */

/* A law with beta >= 0; the caller sees to the mirror image. */
struct sketch {
    double alpha, beta;
    struct sketch_weights weights;
    double powers[TABLE_U][TABLE_U];    /* T_k in powers of t */
    int at_zeta;                        /* y = z - zeta, otherwise z */
    double s, log_s_alpha, log_s_beta;  /* y = s sinh(u) */
    double over_width;                  /* 1/width of a base */
    int first, bases;
    const struct table_base *base;      /* whose pieces count from piece_0 */
    int piece_0;
    const struct table_piece *drawn;    /* of piece_0, ...: not drawn where count < 0 */
    int pieces;                         /* from piece_0 on */
    struct sketch_piece *piece;
    unsigned char *is_ready;            /* the piece is there */
    int room;                           /* for pieces */
};

/* How it is. */
struct sketch_frame sketch_frame_of(const struct sketch *, const struct user_law *);

/* All of a sketch but its pieces; 0 where the law is not read off sketches, or is not in the tables. */
int sketch_aim(struct sketch *, const struct user_law *);

/* The sketch, begun anew unless it shows (alpha, |beta|); NULL where there is none, or memory is short.  The struct
 * begins as zeros.  Its pieces are drawn as they are looked for, by one thread: a sample meets half of them. */
struct sketch *sketch_for(struct sketch *, const struct user_law *);

/* ... and with all pieces drawn, for several threads to read. */
struct sketch *sketch_whole(struct sketch *, const struct user_law *);

void sketch_free(struct sketch *);

/* Pieces, counted from piece_0, that places between two may meet: the first, and how many. */
void sketch_range(const struct sketch *, const struct sketch_frame *, double least, double most, int *first,
                  int *count);

/* Piece number k of piece_0, ..., which is drawn. */
void sketch_draw(struct sketch *, int k);

/* The piece at u, and t; NULL if there is none. */
static inline const struct sketch_piece *sketch_find(struct sketch *k, double u, double *t)
{
    double within;
    int base = sketch_base(k->over_width, k->first, k->bases, u, &within);
    if (base < 0) return 0;
    int number = k->base[base].piece + sketch_part(within, k->base[base].cut, t) - k->piece_0;
    if (k->drawn[number].count < 0) return 0;
    if (!k->is_ready[number]) sketch_draw(k, number);
    return &k->piece[number];
}

#endif
