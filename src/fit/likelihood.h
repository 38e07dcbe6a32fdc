/* Maximum likelihood for a canonical sample: starting values, searches for a maximum, and Newton steps at the end.
 *
 * The likelihood has no global maximum: as alpha -> 0 with the spike on one observation, it grows without bound
 * (DuMouchel 1973, doi:10.1214/aos/1176342516).  The estimate is the highest maximum with alpha >= alpha_min that is
 * reached from reasonable starting values.
 *
 * If a sample is large, a subsample is fitted first.  This takes little time and leads to a point that is a few
 * standard errors of the whole sample from its maximum.
 */
#ifndef STABLECL_FIT_LIKELIHOOD_H
#define STABLECL_FIT_LIKELIHOOD_H

#include "estimate.h"
#include "evaluate.h"
#include "distant_starts.h"

/* Fits the sample of the evaluator, starting from a law (S0).  The candidates are computed when they are needed, and
 * kept for a fit that is restarted (replay_log.h). */
int likelihood_fit(struct evaluator *, const struct problem *, const double *from, struct candidates *,
                   struct estimate *, struct status *);

#endif
