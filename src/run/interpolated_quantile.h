/* Quantiles of one law, read off the inverse of its chart. */
#ifndef STABLECL_RUN_INTERPOLATED_QUANTILE_H
#define STABLECL_RUN_INTERPOLATED_QUANTILE_H

#include "interpolated.h"

/* Elements [from, to) of a quantile_job whose chart has an inverse.  What that does not hold goes to
 * point_quantile().  Returns whether NaNs were made. */
int interpolated_quantile_range(const void *interpolated_job, struct worker *, size_t from, size_t to);

#endif
