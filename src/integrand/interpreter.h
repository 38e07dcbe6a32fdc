/* The interpreter: runs a program over blocks of points, in one thread.
 *
 * All threads share the program, its slots and its laws; each thread has its own registers.  The value at a point
 * depends only on that point and its parameters, not on the other points of the block.
 */
#ifndef STABLECL_INTEGRAND_INTERPRETER_H
#define STABLECL_INTEGRAND_INTERPRETER_H

#include "../base/parallel.h"
#include "program.h"

struct interpreter;
struct laws_built;

/* Allocates the interpreter of one thread; NULL if memory is short.  The arguments must outlive it. */
struct interpreter *interpreter_new(const struct program *, const double *slot, const struct laws_built *,
                                    struct stop_flag *);
void interpreter_free(struct interpreter *);

/* Returns the array to which the caller writes the BLOCK values of an input. */
double *interpreter_input(struct interpreter *, int input);

/* Returns the values of the integrand at count <= BLOCK points, which are valid until the next call.  Fills the inputs
 * beyond count itself.  Returns NULL if the stop flag was set; the flag is tested in loops and between the values of a
 * stable law. */
const double *interpreter_run(struct interpreter *, int count);

#endif
