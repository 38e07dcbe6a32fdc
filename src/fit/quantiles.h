/* The estimate from quantiles as a fit of its own, with standard errors. */
#ifndef STABLECL_FIT_QUANTILES_H
#define STABLECL_FIT_QUANTILES_H

#include "estimate.h"
#include "evaluate.h"

/* The covariance is that of the five order statistics, carried through the estimator by the delta method
 * (central differences). */
int quantiles_fit(struct evaluator *, const struct problem *, struct estimate *, struct status *);

#endif
