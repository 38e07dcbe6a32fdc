/* Dstable() and pstable() within an integrand: of one law on the path of large jobs, of laws that
 * differ from point to point by the exact panels of each. */
#ifndef STABLECL_INTEGRAND_LAWS_H
#define STABLECL_INTEGRAND_LAWS_H

#include "../run/job.h"
#include "program.h"

struct laws_built;
struct worker;

/* The charts of the laws that a program uses (NULL if there are none); slots complete. */
int laws_build(const struct program *, const double *slot, struct laws_built **, struct status *);
void laws_free(struct laws_built *);

/* What a thread needs; NULL when memory is short. */
struct worker *laws_worker(void);
void laws_worker_free(struct worker *);

/* Values from <= i < to of a block, of law number k; parameter: of one number each, or of BLOCK. */
void laws_values(const struct laws_built *, int k, struct worker *, const double *x, const struct column *parameter,
                 int from, int to, double *y);

#endif
