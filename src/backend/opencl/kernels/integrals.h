/* backend/opencl/kernels/integrals.h: what the host and the kernels of integrals agree on, read by both compilers. */
#ifndef STABLECL_INTEGRALS_H
#define STABLECL_INTEGRALS_H

#include "../../../core/interval.h"

/* Limits, lower ones first, and parameters. */
#define INTEGRAL_COLUMNS 32

/* The integrals of a chunk.  Their columns lie in one buffer, column k from start[k] on, and the breaks before them. */
struct device_integrals {
    double rel_tol, abs_tol, max_eval;
    int n, columns, breaks;
    int capacity;                       /* intervals that a group has room for */
    int start[INTEGRAL_COLUMNS];
    int stride[INTEGRAL_COLUMNS];       /* 1, or 0 for a number that all share */
};

/* What comes back of an integral beside value and error: the number of rules applied, times NOTE_STATUSES, plus the
 * status. */
#define NOTE_STATUSES 8

/* Work items of the group that sees to an integral which its first intervals do not finish, and rules that they apply
 * at a time. */
#define REFINE_LANES 64
#define REFINE_RULES 3

/* What a group keeps of each interval, doubles and ints. */
#define REFINE_DOUBLES 6
#define REFINE_INTS    3

#endif
