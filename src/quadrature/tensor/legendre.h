/* Gauss-Legendre rules, and Legendre coefficients from the values at their nodes. */
#ifndef STABLECL_QUADRATURE_TENSOR_LEGENDRE_H
#define STABLECL_QUADRATURE_TENSOR_LEGENDRE_H

#include "product_points.h"

#define LEGENDRE_HALF PRODUCT_NODES
#define LEGENDRE_FINE (2 * LEGENDRE_HALF)       /* number of nodes of the finest rule */

/* A rule on [0, 1], with weights that add up to 1. */
struct legendre_rule { int n; double node[LEGENDRE_FINE], weight[LEGENDRE_FINE]; };

/* Returns the rule with n nodes, 1 <= n <= LEGENDRE_HALF or n = LEGENDRE_FINE. */
const struct legendre_rule *legendre_rule(int n);

/* Computes the Legendre coefficients of a function with the given values at the nodes of the finest rule: those of
 * degrees 2i and 2i + 1, i = 0, ..., LEGENDRE_HALF - 1. */
void legendre_coefficients(const double *value, double *even, double *odd);

#endif
