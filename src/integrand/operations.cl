/* What integrands are made of: a function op_NAME() for each operation of
 * integrand/operations.h, branches, and tables.  The text of an integrand follows, then the kernels that use it. */
#include "operations.h"
#include "lookup.h"

#define FUNCTION_1(name, value) FN double op_##name(double a) { return value; }
#define FUNCTION_2(name, value) FN double op_##name(double a, double b) { return value; }
#define FUNCTION_3(name, value) FN double op_##name(double a, double b, double c) { return value; }

#define MAKE_FUNCTION(name, in_r, arity, value) FUNCTION_##arity(name, value)
OPERATIONS(MAKE_FUNCTION)

/* Is what a branch needs worth computing at this point? */
FN int op_holds(double a)
{
    return a != 0.0 && a == a;
}

FN double op_lookup(__global const double *tables, int number, double v)
{
    struct table t = table_in(tables, number);
    return lookup(&t, v);
}
