/* A program run over blocks of points, in one thread.
 *
 * All threads share the program, its slots and its laws; each has registers of its own.  The value at a
 * point depends on that point and its parameters only, not on its neighbours in the block.
 */
#ifndef STABLECL_INTEGRAND_INTERPRETER_H
#define STABLECL_INTEGRAND_INTERPRETER_H

#include "stop_flag.h"
#include "program.h"

struct machine;
struct laws_built;

/* For the thread of this number; NULL when memory is short.  What it is given must outlive it. */
struct machine *machine_new(const struct program *, const double *slot, const struct laws_built *, struct halt *,
                            int thread);
void machine_free(struct machine *);

/* Where the BLOCK values of an input go. */
double *machine_input(struct machine *, int input);

/* The integrand at count <= BLOCK points; inputs beyond count are filled here.  Valid until the next call.  NULL: all
 * are to stop, which is looked at in loops and between the values of a distribution. */
const double *machine_run(struct machine *, int count);

#endif
