/* Computes integrals over one axis one by one, each by a single thread. */
#ifndef STABLECL_QUADRATURE_EACH_INTEGRAL_H
#define STABLECL_QUADRATURE_EACH_INTEGRAL_H

#include "quadrature.h"

/* Returns `count` values of the integrand of integral i, at most BLOCK, at the points stored as input 0 of a thread;
 * NULL if the sampler failed. */
const double *each_integral_values(const struct integral_job *, const struct sampler *, int thread, size_t i,
                                   int count);

/* Computes integral i and stores its result.  Returns 0 if the sampler failed. */
typedef int one_integral(const struct integral_job *, const struct sampler *, int thread, size_t i);

/* Computes the integrals with status INTEGRAL_NOT_DONE, each of which takes about this number of evaluations.  Returns
 * 0 or a status code. */
int integrate_each(const struct integral_job *, const struct sampler *, one_integral *, double evaluations,
                   poll_function, struct status *);

#endif
