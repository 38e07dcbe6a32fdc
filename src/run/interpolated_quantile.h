/* Computes quantiles of one law from its quantile interpolant. */
#ifndef STABLECL_RUN_INTERPOLATED_QUANTILE_H
#define STABLECL_RUN_INTERPOLATED_QUANTILE_H

#include "interpolated.h"

/* Computes elements [from, to) of a quantile_job whose interpolant has a quantile interpolant.  Elements outside
 * it are evaluated by point_quantile().  Returns whether NaNs were produced. */
int interpolated_quantile_range(const void *interpolated_job, struct worker *, size_t from, size_t to);

#endif
