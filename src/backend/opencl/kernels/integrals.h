/* backend/opencl/kernels/integrals.h: what the host and the kernels of integrals agree on, read by both compilers. */
#ifndef STABLECL_INTEGRALS_H
#define STABLECL_INTEGRALS_H

#include "../../../core/cubes.h"
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
#define REFINE_DOUBLES (4 + (int) (sizeof(struct estimate) / sizeof(double)))
#define REFINE_INTS    5

/* --- samples in cubes (core/cubes.h) -------------------------------------------------- */

#define CUBES_AXES  12
#define CUBES_LANES 64                  /* work items of a group, which sees to a share */

/* The shares of a chunk, whose first cube is number `first`.  One buffer holds all that goes in: doubles (parameters,
 * then for each axis the nodes of its grid, core/warp.h), 64-bit numbers of first samples, then 32-bit words: where
 * shares begin and end among the chunk's cubes, and the points of each cube.  Out come two doubles for each share,
 * then a float for each cube. */
struct device_cubes {
    double scale, low[CUBES_AXES], width[CUBES_AXES], part[CUBES_AXES];      /* part: 1/cuts */
    struct philox_key key;
    uint32 round, integral;
    int first, shares, doubles, warped, parameters, cuts[CUBES_AXES];
};

#endif
