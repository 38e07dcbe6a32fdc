/* Log densities of whole families of shapes, prepared in advance.
 *
 * The parameter space TABLES_BEGIN <= alpha <= 2, 0 <= beta <= 1 is cut into cells.  In a cell log f is
 * drawn over (alpha, beta, u), where
 *
 *     y = s sinh(u),      y = z or z - zeta,      s = s(alpha, beta) > 0,
 *
 * z is the position in S0 and a cell's y counts from zeta where the law is rough there.  On that
 * scale power tails are straight and the neighbourhood of y = 0 is stretched.  The axis of u is
 * cut into bases of equal width, and these into 2^k pieces; a piece holds
 *
 *     log f = sum c_jit T_j(r_beta) T_i(r_alpha) T_t(r_u)
 *
 * with Chebyshev polynomials of coordinates r in [-1, 1] and those c that are not negligible.  r_alpha
 * is linear in log(2 - alpha), or in alpha where the cell ends at 2, and likewise r_beta with
 * 1 - beta: what alpha -> 2 and beta -> 1 do to the light tails goes by powers of ten.
 *
 * data-raw/quick-tables.R makes the tables from exact densities and checks them.
 */
#ifndef STABLECL_INTERPOLANT_TENSOR_TABLES_H
#define STABLECL_INTERPOLANT_TENSOR_TABLES_H

#include "../base/status.h"
#include "approximation.h"

#define TABLES_BEGIN 0.3                /* the least alpha */

/* What a cell is, as the file has it. */
struct table_cell {
    double alpha[2], beta[2];
    double at_zeta;                     /* y = z - zeta */
    double log_s[2];                    /* log s, less what beta contributes, at either end of r_alpha */
    double width;                       /* of a base */
    double first, bases;                /* bases number first, first + 1, ...: from u = first * width on */
    double start;                       /* that of its first base in `base` */
};

/* A base: its first piece and k. */
struct table_base { int piece, cut; };

/* Where the coefficients of a piece begin; count < 0: the piece is not drawn. */
struct table_piece { int count, low, high; };

/* Coefficients are multiples of TABLE_STEP, high * TABLE_HIGH + low, and lie in fours.  `count` holds, for each piece,
 * TABLE_BETA bytes: how many i there are for each j; then a byte for each of those: the number of fours, and 8
 * times the number of these that have a high part. */
#define TABLE_STEP 0x1p-35

struct tables {
    const struct table_cell *cell;
    const struct table_base *base;
    const struct table_piece *piece;
    const unsigned char *count;
    const int *low, *high;
    int cells, bases, pieces;
    size_t counts, lows, highs;
};

/* The tables, which must stay where they are; NULL takes them back. */
void tables_set(const struct tables *);

/* NULL: there are none. */
const struct tables *tables_get(void);

/* The cell of a shape, beta >= 0; NULL if it is in none. */
const struct table_cell *tables_find(double alpha, double beta);

#endif
