/* Computes polynomial coefficients from values at Chebyshev nodes. */
#ifndef STABLECL_INTERPOLANT_POLYNOMIAL_H
#define STABLECL_INTERPOLANT_POLYNOMIAL_H

#include "interpolant.h"

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

#endif
