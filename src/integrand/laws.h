/* Evaluates dstable() and pstable() within an integrand.  A law that is the same for all points uses its interpolant if
 * it has one, as large jobs do; laws that differ from point to point are computed exactly, each with its own node
 * set. */
#ifndef STABLECL_INTEGRAND_LAWS_H
#define STABLECL_INTEGRAND_LAWS_H

#include "../run/job.h"
#include "program.h"

struct laws_built;
struct worker;

/* Builds the interpolants of the laws that a program uses; sets the result to NULL if it uses none.  All slots must
 * have been computed.  Returns ST_OK or a failure code. */
int laws_build(const struct program *, const double *slot, struct laws_built **, struct status *);
void laws_free(struct laws_built *);

/* Allocates the workspace of one thread; NULL if memory is short. */
struct worker *laws_worker(void);
void laws_worker_free(struct worker *);

/* Computes y[i] for from <= i < to in a block, for law number k.  Each of the four parameters is a column of one number
 * or of BLOCK. */
void laws_values(const struct laws_built *, int k, struct worker *, const double *x, const struct column *parameter,
                 int from, int to, double *y);

#endif
