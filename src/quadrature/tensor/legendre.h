/* Gauss-Legendre rules, and what the values at their nodes tell of Legendre coefficients. */
#ifndef STABLECL_QUADRATURE_TENSOR_LEGENDRE_H
#define STABLECL_QUADRATURE_TENSOR_LEGENDRE_H

#include "product_points.h"

#define LEGENDRE_HALF PRODUCT_NODES
#define LEGENDRE_FINE (2 * LEGENDRE_HALF)       /* nodes of the finest rule */

/* On [0, 1]; weights add up to 1. */
struct legendre_rule { int n; double node[LEGENDRE_FINE], weight[LEGENDRE_FINE]; };

/* The rule with n nodes, 1 <= n <= LEGENDRE_HALF or n = LEGENDRE_FINE. */
const struct legendre_rule *legendre_rule(int n);

/* Legendre coefficients of a function with these values at the nodes of the finest rule: those of degrees 2i and
 * 2i + 1, i = 0, ..., LEGENDRE_HALF - 1. */
void legendre_coefficients(const double *value, double *even, double *odd);

#endif
