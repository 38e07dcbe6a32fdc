/* integrate/laws.h: dstable() and pstable() of one law within an integrand, on the path of large jobs. */
#ifndef STABLECL_INTEGRATE_LAWS_H
#define STABLECL_INTEGRATE_LAWS_H

#include "machine.h"

struct worker;

/* What a thread needs; NULL when memory is short. */
struct worker *laws_worker(void);
void laws_worker_free(struct worker *);

/* BLOCK values of law number k. */
void laws_values(const struct laws_laid *, int k, struct worker *, const double *x, double *y);

#endif
