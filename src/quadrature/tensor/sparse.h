/* The set of terms of a sparse product, which sparse.c and sparse_points.c share. */
#ifndef STABLECL_QUADRATURE_SPARSE_H
#define STABLECL_QUADRATURE_SPARSE_H

#include "../monte_carlo/monte_carlo.h"
#include "patterson_nodes.h"

#define LEVELS PATTERSON_LEVELS
#define ROUNDS 128                      /* largest number of rounds */

/* A term.  back, next: numbers of those with one level less or more along each axis; at: its values; sums: those over
 * the first axes, one after the other; rank: the binary exponent of the larger of |a_l| and its
 * prediction; rounding errors, which differ between devices, hardly ever change it. */
struct term {
    unsigned char level[PRODUCT_AXES];
    int back[PRODUCT_AXES], next[PRODUCT_AXES], is_extended, rank;
    size_t at, sums;
    double value;
};

/* A term of the boundary. */
struct ranked { int rank, term; };

/* The result and the sum B of a round, and the number of points so far. */
struct round { double value, boundary, points; };

/* The set of terms.  value: values and sums of all terms, `used` so far; fresh, from: numbers of the first term and
 * the first value of this round, which has fresh_points points; share: p_k(j); all: T; total: P; covered: the sum of
 * p_1(l_1) ... p_d(l_d); excess: R. */
struct sparse {
    struct monte_carlo *c;
    const struct product_lines *lines;
    struct term *term;
    struct ranked *boundary;
    double *value, share[PRODUCT_AXES][LEVELS], all, total, covered, excess, points;
    int terms, term_capacity, fresh, rounds;
    size_t used, from, capacity, fresh_points;
    struct round round[ROUNDS];
};

/* Returns the number of new nodes of a level along an axis. */
static inline size_t nodes_of(const struct sparse *s, int axis, int level)
{
    return (size_t)s->lines->pieces[axis] << level;
}

static inline size_t points_of(const struct sparse *s, const struct term *t)
{
    size_t points = 1;
    for (int k = 0; k < s->c->dim; k++) points *= nodes_of(s, k, t->level[k]);
    return points;
}

/* Evaluates the points of this round, on a device if one is used (sparse_points.c). */
void sparse_values(struct sparse *);

#endif
