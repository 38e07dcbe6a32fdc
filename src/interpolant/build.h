/* Builds the interpolants of one shape (interpolant/interpolant.h) from exact values, checks them against these, and
 * keeps them in a cache. */
#ifndef STABLECL_INTERPOLANT_BUILD_H
#define STABLECL_INTERPOLANT_BUILD_H

#include <stddef.h>
#include "interpolant.h"
#include "../special/double_double.h"
#include "../stable/shape.h"

struct interpolant {
    double alpha, beta;
    double s;                           /* w = s + |x - centre| */
    int at_zeta;                        /* 1: the centre is zeta; 0: the centre is 0 */
    struct double_double centre[2];     /* for S0 arguments, and for arguments relative to zeta */
    struct interpolant_side side[2];    /* right, left */
    struct quantile_interpolant *quantile_interpolant;  /* NULL: not built */
    size_t bytes;
};

/* Returns the interpolant of the standard distribution with these parameters; NULL if memory is short.  Where
 * the accuracy INTERPOLANT_ERROR cannot be reached, the sides end early or are empty. */
struct interpolant *interpolant_new(struct shape_pool *, double alpha, double beta);

/* Frees the arrays of a side. */
void interpolant_side_free(struct interpolant_side *);

/* Returns the number of pieces of a side. */
int interpolant_pieces(const struct interpolant_side *);

/* Returns x - centre. */
static inline double interpolant_distance(const struct interpolant *c, struct argument x)
{
    struct double_double at = { x.hi, x.lo };
    return dd_add(at, dd_neg(c->centre[x.shifted])).hi;
}

/* Piecewise polynomial interpolants of the quantiles of one shape.
 *
 * Interpolates x - c, where c is the centre of the interpolant of the density, as a function of the probability q <
 * 1/2 of either tail.  Binades of q are divided into 2^k equal pieces (interpolant/interpolant.h).  On each of them
 * x is a smooth function of q, even in the power-law tails, and no logarithm is needed.
 */
struct quantile_interpolant {
    struct interpolant_side side[2];    /* lower tail, upper tail; pdf holds the coefficients of x - c, tail and
                                           upper are NULL */
    size_t bytes;
};

/* Returns the quantile interpolant for the shape of an interpolant; NULL if memory is short.  In pieces that
 * fail the accuracy check, the first coefficient is NaN. */
struct quantile_interpolant *quantile_interpolant_new(struct shape_pool *, const struct interpolant *);
void quantile_interpolant_free(struct quantile_interpolant *);  /* NULL is allowed */

/* Frees an interpolant with its quantile interpolant; NULL is allowed. */
void interpolant_free(struct interpolant *);

/* Copies an interpolant to the format that devices read (struct packed).  packed_of() returns the head for a law that
 * has the shape of the interpolant and pm = 0 or 1, packed_size() the size of the buffer in bytes; packed_write() fills
 * the buffer. */
struct packed packed_of(const struct interpolant *, const struct user_law *);
size_t packed_size(const struct packed *);
void packed_write(const struct interpolant *, const struct packed *, void *buffer);

/* The corresponding functions for the quantile interpolant, which the interpolant must have. */
struct packed packed_quantiles_of(const struct interpolant *, const struct user_law *);
size_t packed_quantiles_size(const struct packed *);
void packed_quantiles_write(const struct interpolant *, const struct packed *, void *buffer);

/* Matrices that convert values at the zeros of the Chebyshev polynomial T_12 to coefficients of Chebyshev
 * polynomials, and these to coefficients of powers of t.  The conversion takes two steps because the second
 * matrix has large entries, which then multiply coefficients that are small. */
struct transform {
    double node[INTERPOLANT_TERMS], cosine[INTERPOLANT_TERMS][INTERPOLANT_TERMS],
        T[INTERPOLANT_TERMS][INTERPOLANT_TERMS];
};

/* Points between the nodes at which the error of a polynomial is checked. */
#define CHECKS 5
extern const double check_at[CHECKS];

/* Sets row k of T (n rows of n) to the coefficients of the Chebyshev polynomial T_k in powers of t. */
void chebyshev_powers(int n, double *T);

/* transform_set() computes the nodes and the matrices; transform_apply() computes the coefficients c of powers
 * of t from the values at the nodes. */
void transform_set(struct transform *);
void transform_apply(const struct transform *, const double *value, double *c);

/* --- a cache of limited size that discards the least recently used interpolants (cache.c) --- */

#define CACHE_MAX 256
#define CACHE_LIMIT ((size_t)32 << 20)         /* default limit in bytes */

struct interpolants {
    struct interpolant *entry[CACHE_MAX];  /* most recently used first; unused entries are NULL */
};

/* Returns the interpolant of (alpha, beta), or NULL if there is none.  The pointer is valid until the next call
 * of cache_build() or cache_trim(). */
struct interpolant *cache_find(struct interpolants *, double alpha, double beta);

/* Builds the interpolant of (alpha, beta), which is not cached yet, on the threads of the pool, and inserts it
 * as the most recently used one.  Then discards others until the limit is met.  NULL if memory is short. */
struct interpolant *cache_build(struct interpolants *, struct shape_pool *, double alpha, double beta);

/* The limit in bytes, which applies to each cache. */
void cache_set_limit(size_t bytes);
size_t cache_limit(void);

/* Discards interpolants until at most `bytes` bytes are in use. */
void cache_trim(struct interpolants *, size_t bytes);

void cache_clear(struct interpolants *);

#endif
