/* An integrand as a list of operations over registers.
 *
 * A register holds BLOCK values, one for each of as many points; a slot holds one number that is the same for all
 * points: a constant, captured data, a parameter, or what follows from these.  An operand is a register (>= 0) or a
 * slot (~slot < 0).  The slots that follow from others are computed once by the prelude, whose operands are all slots.
 *
 * The first `inputs` registers are the coordinates of the points and the parameters that differ from integral to
 * integral.  SKIP jumps forward over what no point needs.  LOOP and NEXT enclose the passes of a loop, all points in
 * step: LOOP sets its register r to 1, NEXT adds 1 to the same r and goes back to the instruction after LOOP until r
 * is c.  Each names the other by b, both hold the number of passes as c, and a SKIP does not lead across them:
 *
 *     LOOP r=5 b=14 c=1000    for (r5 = 1; r5 <= 1000; r5 += 1) {
 *     ...
 *     NEXT r=5 b=10 c=1000    }
 *
 * Registers that live from pass to pass are set by COPY.
 */
#ifndef STABLECL_INTEGRAND_PROGRAM_H
#define STABLECL_INTEGRAND_PROGRAM_H

#include <stddef.h>
#include "../base/status.h"
#include "lookup.h"
#include "operations.h"

#define BLOCK 168               /* as many as eight intervals have by the rule of gauss_kronrod.h */

/* What is no expression of numbers only. */
enum special {
    OP_SKIP = OP_COUNT,         /* to instruction number b if a is true nowhere */
    OP_LOOKUP,                  /* table number b at a */
    OP_STABLE,                  /* law number b at a */
    OP_COPY,                    /* a */
    OP_LOOP,
    OP_NEXT,
    OP_END
};

/* r is a register, in the prelude a slot. */
struct instruction { int op, r, a, b, c; };

/* A density or distribution function of this package, the operands of its four parameters, and their slots; those are
 * -1 if a parameter differs from point to point. */
struct law_use { int what, lower, give_log, pm, slot[4], operand[4]; };

struct program {
    int inputs, registers, slots, result;
    int count, prelude_count;
    const struct instruction *code, *prelude;
    int tables, laws;
    const struct table *table;
    const struct law_use *law;
};

/* Is the program one that ends, and reads and writes only what it has, for so many inputs?  0 or a code. */
int program_check(const struct program *, int inputs, struct status *);

/* An operation of numbers. */
double program_number(int op, double a, double b, double c);

/* Completes the slots, of which the first ones are given. */
void program_prelude(const struct program *, double *slot);

#endif
