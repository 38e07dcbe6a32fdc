/* integrate/program.h: an integrand as a list of operations over registers.
 *
 * A register holds BLOCK values, one for each of as many points; a slot holds one number that is the same for all
 * points: a constant, captured data, a parameter, or what follows from these.  An operand is a register (>= 0) or a
 * slot (~slot < 0).  The slots that follow from others are computed once by the prelude, whose operands are all slots.
 *
 * The first `inputs` registers are the coordinates of the points and the parameters that differ from integral to
 * integral.  There are no loops, and jumps only lead forward: SKIP jumps over what no point needs.
 */
#ifndef STABLECL_PROGRAM_H
#define STABLECL_PROGRAM_H

#include <stddef.h>
#include "../base/status.h"
#include "../core/lookup.h"
#include "../core/ops.h"

#define BLOCK 256

/* What is no expression of numbers only. */
enum special {
    OP_SKIP = OP_COUNT,         /* to instruction number b if a is true nowhere */
    OP_LOOKUP,                  /* table number b at a */
    OP_STABLE,                  /* law number b at a */
    OP_END
};

/* r is a register, in the prelude a slot. */
struct instruction { int op, r, a, b, c; };

/* A density or distribution function of this package; the slots of its four parameters. */
struct law_use { int what, lower, give_log, pm, slot[4]; };

struct program {
    int inputs, registers, slots, result;
    int count, prelude_count;
    const struct instruction *code, *prelude;
    int tables, laws;
    const struct table *table;
    const struct law_use *law;
};

/* Is every operand where it can be?  0 or a code. */
int program_check(const struct program *, struct status *);

/* Completes the slots, of which the first ones are given. */
void program_prelude(const struct program *, double *slot);

#endif
