/* Approximates log f and its derivatives for one shape, to about 1e-9, by contracting the tensor tables.
 *
 * Optimisers that evaluate many shapes use it: a tensor approximation takes some tens of microseconds to build, an
 * interpolant (build.h) a millisecond.
 */
#ifndef STABLECL_INTERPOLANT_TENSOR_APPROXIMATION_H
#define STABLECL_INTERPOLANT_TENSOR_APPROXIMATION_H

#include "approximation.h"
#include "table_layout.h"
#include "../base/status.h"
#include "../stable/law.h"
#include "../stable/user_law.h"

/* --- the tables ------------------------------------------------------------------------ */

/* Sets the tables, whose arrays are not copied and must stay valid; NULL removes them. */
void tables_set(const struct tables *);

/* Returns the tables, or NULL if none are set. */
const struct tables *tables_get(void);

/* Decodes the coefficients of a cell, or of all cells, unless that has been done before; any thread may call them.
 * Return 0 if the code of a cell is damaged; no law in that cell has an approximation then. */
int tables_decode(int cell);
int tables_decode_all(void);

/* --- the approximation ----------------------------------------------------------------- */

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
    unsigned tables;                    /* version of the tables that it refers to */
    struct approximation_weights weights;
    double powers[TABLE_U][TABLE_U];    /* coefficients of T_k in powers of t */
    int at_zeta;                        /* y = z - zeta if nonzero, else y = z */
    double s, log_s_alpha, log_s_beta;  /* scale in y = s sinh(u), and the derivatives of log s */
    double inv_width;                   /* 1/width of a base interval */
    int first, bases;
    const struct table_base *base;      /* base intervals; their pieces have table indices from piece_0 on */
    int piece_0;
    const struct table_piece *entry;    /* table entries of the pieces; count < 0: the piece has no approximation */
    int pieces;                         /* number of pieces */
    struct approximation_piece *piece;
    unsigned char *is_ready;            /* is_ready[k]: piece[k] has been built */
    int capacity;                       /* number of pieces allocated */
};

/* Returns the parameters for evaluating the approximation for the user's law. */
struct approximation_frame approximation_frame_of(const struct approximation *, const struct user_law *);

/* Sets everything except the pieces; returns 0 if the law is not supported or not covered by the tables. */
int approximation_set_shape(struct approximation *, const struct user_law *);

/* Returns the approximation, reset unless it already has the shape (alpha, |beta|); NULL if the law is not
 * covered or memory is short.  The struct must be zero-initialised.  Pieces are built on first use, by a single
 * thread: a sample needs about half of them. */
struct approximation *approximation_for(struct approximation *, const struct user_law *);

/* Likewise, with all pieces built, so that several threads can use it. */
struct approximation *approximation_with_all_pieces(struct approximation *, const struct user_law *);

void approximation_free(struct approximation *);

/* Determines the pieces (numbered from piece_0) that arguments from `minimum` to `maximum` can need: the first, and
 * their number. */
void approximation_range(const struct approximation *, const struct approximation_frame *, double minimum,
                         double maximum, int *first, int *count);

/* Builds piece number piece_0 + k, which must have an approximation. */
void approximation_build(struct approximation *, int k);

/* Returns the position of u in base intervals. */
static inline double approximation_position(const struct approximation *k, double u)
{
    return u * k->inv_width - k->first;
}

/* The positions [from, to) of a piece, where t = density * (position - from) - 1; piece: NULL if there is no
 * approximation. */
struct piece_range { const struct approximation_piece *piece; double from, to, density; };

/* Returns the range that contains a position; NaN to NaN for a position outside all base intervals. */
static inline struct piece_range approximation_find(struct approximation *k, double position)
{
    struct piece_range none = { NULL, NAN, NAN, 0.0 };
    if (!(position >= 0.0 && position < k->bases)) return none;
    int base = (int)position, cut = 1 << k->base[base].cut, part = (int)((position - base) * cut);
    int number = k->base[base].piece + part - k->piece_0;
    struct piece_range r = { NULL, base + (double)part / cut, base + (part + 1.0) / cut, 2.0 * cut };
    if (k->entry[number].count < 0) return r;
    if (!k->is_ready[number]) approximation_build(k, number);
    r.piece = &k->piece[number];
    return r;
}

#endif
