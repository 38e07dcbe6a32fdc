/* Polynomials of a chart from values at their nodes. */
#ifndef STABLECL_INTERPOLANT_POLYNOMIAL_H
#define STABLECL_INTERPOLANT_POLYNOMIAL_H

#include "interpolant.h"

/* Values at the zeros of the Chebyshev polynomial T_12 -> coefficients of Chebyshev
 * polynomials -> of powers of t.  In two steps: the second has large entries, but meets
 * coefficients that are small where they are. */
struct transform {
    double node[INTERPOLANT_TERMS], cosine[INTERPOLANT_TERMS][INTERPOLANT_TERMS],
        T[INTERPOLANT_TERMS][INTERPOLANT_TERMS];
};

/* Where a polynomial is checked, between its nodes. */
#define CHECKS 5
extern const double check_at[CHECKS];

/* Row k, of n, gets the coefficients of the Chebyshev polynomial T_k in powers of t. */
void chebyshev_powers(int n, double *T);

void transform_set(struct transform *);
void transform_apply(const struct transform *, const double *value, double *c);

#endif
