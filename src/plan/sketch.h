/* plan/sketch.h: one law, contracted from the tables: log f and its derivatives to about 1e-9.
 *
 * For what walks through shapes and needs to know where to go: a sketch takes some tens of
 * microseconds, a chart (chart.h) a millisecond.
 */
#ifndef STABLECL_SKETCH_H
#define STABLECL_SKETCH_H

#include "../core/law.h"
#include "../core/sketch.h"
#include "../core/user.h"
#include "tables.h"

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
    int at_zeta;                        /* y = z - zeta, otherwise z */
    double s, log_s_alpha, log_s_beta;  /* y = s sinh(u) */
    double over_width;                  /* 1/width of a base */
    int first, bases;
    const struct table_base *base;      /* whose pieces count from piece_0 */
    int piece_0;
    const struct table_piece *drawn;    /* of piece_0, ...: not drawn where count < 0 */
    struct sketch_piece *piece;
    int pieces, room;                   /* from piece_0 on; there is room for */
};

/* How it is. */
struct sketch_frame sketch_frame_of(const struct sketch *, const struct user_law *);

/* The sketch, drawn anew unless it shows (alpha, |beta|); NULL where the law is not read off sketches, is not in
 * the tables, or memory is short.  The struct begins as zeros. */
const struct sketch *sketch_for(struct sketch *, const struct user_law *);
void sketch_free(struct sketch *);

/* The piece at u, and t; NULL if it is not drawn. */
static inline const struct sketch_piece *sketch_find(const struct sketch *k, double u, double *t)
{
    double at = u * k->over_width - k->first;
    if (!(at >= 0.0 && at < k->bases)) return 0;
    int base = (int)at, pieces = 1 << k->base[base].cut;
    double within = (at - base) * pieces;
    int piece = (int)within, number = k->base[base].piece + piece - k->piece_0;
    *t = 2.0 * (within - piece) - 1.0;
    return k->drawn[number].count < 0 ? 0 : &k->piece[number];
}

#endif
