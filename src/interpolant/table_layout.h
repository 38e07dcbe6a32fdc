/* Tables of Chebyshev coefficients of the log density as a function of alpha, beta and x.
 *
 * The parameter space TABLES_BEGIN <= alpha <= 2, 0 <= beta <= 1 is divided into cells.  In each cell, log f is
 * approximated in the variables (alpha, beta, u), where
 *
 *     y = s sinh(u),      y = z or z - zeta,      s = s(alpha, beta) > 0,
 *
 * z is the standardised S0 argument, and y = z - zeta in the cells whose densities are rough near zeta.  In u,
 * power-law tails are straight lines and the neighbourhood of y = 0 is stretched.  The u axis is divided into base
 * intervals of equal width, and each of these into 2^k pieces; on a piece
 *
 *     log f = sum c_jit T_j(r_beta) T_i(r_alpha) T_t(r_u)
 *
 * with Chebyshev polynomials in coordinates r in [-1, 1]; only the c that are not negligible are stored.  r_alpha
 * is linear in log(2 - alpha), or in alpha if the cell ends at 2; likewise r_beta is linear in log(1 - beta), or in
 * beta if the cell ends at 1, since the light tails change by powers of ten as alpha -> 2 and beta -> 1.
 *
 * data-raw/quick-tables.R computes the tables from exact densities and checks them.  The coefficients are stored in a
 * code (coefficient_code.h), which is decoded cell by cell, each when a law in it is first needed: a fit needs a few of
 * the 132 cells, and decoding all takes longer than several fits of 1000 observations.
 */
#ifndef STABLECL_INTERPOLANT_TABLE_LAYOUT_H
#define STABLECL_INTERPOLANT_TABLE_LAYOUT_H

#include <stddef.h>
#include "approximation.h"

#define TABLES_BEGIN 0.3                /* the smallest alpha */

/* A cell, in the number format of the file. */
struct table_cell {
    double alpha[2], beta[2];
    double at_zeta;                     /* 1 if y = z - zeta, 0 if y = z */
    double log_s[2];                    /* log s at r_alpha = -1 and 1, without the part that depends on beta */
    double width;                       /* of a base interval, in u */
    double first, bases;                /* base intervals number first, ..., first + bases - 1; number k begins at
                                           u = k * width */
    double start;                       /* index of the first base interval in `base` */
};

/* A base interval: the index of its first piece, and k of its 2^k pieces. */
struct table_base { int piece, cut; };
#define TABLE_CUT_MAX 7

/* Indices at which the coefficients of a piece begin; count < 0: the piece has no approximation. */
struct table_piece { int count, low, high; };

/* A coefficient is (high * TABLE_HIGH + low) * TABLE_STEP.  Coefficients are stored in groups of four along t.
 * For each piece, `count` holds TABLE_BETA bytes with the number of indices i for each j, and then one byte for
 * each pair (j, i): the number of groups plus 8 times the number of groups with a high part. */
#define TABLE_STEP 0x1p-35

/* The low or the high parts of all coefficients.  The code of cell k consists of the bytes number start[k], ...,
 * start[k + 1] - 1. */
struct table_part {
    const unsigned char *code;
    const int *start;
    int *value;                         /* decoded, if the cell is */
    size_t bytes, values;               /* of the code; of the decoded integers */
};

enum { TABLE_PART_LOW, TABLE_PART_HIGH, TABLE_PARTS };

struct tables {
    const struct table_cell *cell;
    const struct table_base *base;
    const struct table_piece *piece;
    const unsigned char *count;
    struct table_part part[TABLE_PARTS];
    int *state;                         /* of each cell: 0 until it is decoded; atomic */
    int cells, bases, pieces;
    size_t counts;
};

#endif
