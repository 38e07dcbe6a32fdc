/* The functions that a generated integrand calls: op_NAME() for each operation of integrand/operations.h, the test of a
 * branch, and the lookup in tables.  The text of the integrand follows this one, then the kernels that use it. */
#include "operations.h"

#define FUNCTION_1(name, value) FN real op_##name(real a) { return value; }
#define FUNCTION_2(name, value) FN real op_##name(real a, real b) { return value; }
#define FUNCTION_3(name, value) FN real op_##name(real a, real b, real c) { return value; }

#define MAKE_FUNCTION(name, in_r, arity, value) FUNCTION_##arity(name, value)
OPERATIONS(MAKE_FUNCTION)

/* TRUE if the condition of a branch holds; FALSE if it is 0 or NaN. */
FN int op_holds(real a)
{
    return a != 0.0 && a == a;
}

#ifndef SINGLE_PRECISION
FN double op_lookup(__global const double *tables, int number, double v)
{
    struct table t = table_in(tables, number);
    return lookup(&t, v);
}
#endif
