/* The quantile estimate as a final result, with standard errors. */
#ifndef STABLECL_FIT_QUANTILES_H
#define STABLECL_FIT_QUANTILES_H

#include "estimate.h"
#include "evaluate.h"

/* Computes the quantile estimate.  Its covariance matrix follows from that of the five quantiles by the delta method,
 * with derivatives by central differences. */
int quantiles_fit(struct evaluator *, const struct problem *, struct estimate *, struct status *);

/* --- maximum likelihood with alpha = 2, in closed form --- */

/* Computes the estimate.  Its loglik is -Inf if alpha is fixed at another value. */
void gaussian_fit(const struct sample *, const struct problem *, struct estimate *);

#endif
