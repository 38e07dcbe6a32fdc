/* The operations of integrand/operations.h, applied to the BLOCK values of registers.
 *
 * r must not overlap a, b or c.  A binary operation has one kernel for two registers, one for a register and a number,
 * and one for a number and a register.  Unary and ternary operations take registers only.
 */
#ifndef STABLECL_INTEGRAND_VECTOR_OPERATIONS_H
#define STABLECL_INTEGRAND_VECTOR_OPERATIONS_H

#include "program.h"

typedef void (*kernel)(const double *a, const double *b, const double *c, double *r);

struct kernels {
    int arity;
    kernel all, second_number, first_number;
};

extern const struct kernels kernels_of[OP_COUNT];

#endif
