/* Computes densities and probabilities of one law from its interpolant. */
#ifndef STABLECL_RUN_INTERPOLATED_H
#define STABLECL_RUN_INTERPOLATED_H

#include "element.h"
#include "../interpolant/build.h"

/* Smallest number of elements for which an interpolant (interpolant/build.h) is built; from this number on two
 * of three shapes gain by it.  Building mostly takes 1.5 ms; exact evaluation takes 0.3 us per element and 30 us
 * per node set.  Existing interpolants are also used for smaller jobs. */
#define BUILD_INTERPOLANT 5000

/* A job that may use an interpolant (run/interpolable.h); all its elements have the law `law`. */
struct interpolated_job {
    const void *job;
    struct user_law law;
    const struct interpolant *interpolant;  /* NULL: none, where the function permits it */
};

/* Computes elements [from, to) of an eval_job without error estimates.  Elements outside the interpolant are
 * evaluated by point_eval().  Returns whether NaNs were produced. */
int interpolated_range(const void *interpolated_job, struct worker *, size_t from, size_t to);

/* --- quantiles --- */

/* Computes elements [from, to) of a quantile_job whose interpolant has a quantile interpolant.  Elements outside
 * it are evaluated by point_quantile().  Returns whether NaNs were produced. */
int interpolated_quantile_range(const void *interpolated_job, struct worker *, size_t from, size_t to);

#endif
