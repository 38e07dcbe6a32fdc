/* Computes densities, probabilities and quantiles of one law from its interpolant. */
#ifndef STABLECL_RUN_INTERPOLATED_H
#define STABLECL_RUN_INTERPOLATED_H

#include "element.h"
#include "../interpolant/build.h"

/* Smallest number of elements for which an interpolant (interpolant/build.h) is built; from this number on two
 * of three shapes gain by it.  Building mostly takes 1.5 ms; exact evaluation takes 0.3 us per element and 30 us
 * per node set.  Existing interpolants are also used for smaller jobs. */
#define BUILD_INTERPOLANT 5000

/* Compute elements [from, to) of JOB_VALUES without error estimates, or of JOB_QUANTILES if the interpolant has a
 * quantile interpolant.  Elements outside the interpolant are evaluated by point_eval() or point_quantile().  Return
 * whether NaNs were produced. */
int interpolated_values(const struct evaluation *, struct worker *, size_t from, size_t to);
int interpolated_quantiles(const struct evaluation *, struct worker *, size_t from, size_t to);

#endif
