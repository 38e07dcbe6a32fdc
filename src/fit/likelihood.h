/* Maximum likelihood for a canonical sample: from where to start, how to climb, how to settle.
 *
 * The likelihood has no global maximum: as alpha -> 0 with the spike on one observation it grows without
 * bound (DuMouchel 1973, doi:10.1214/aos/1176342516).  What is looked for is the highest maximum that can be
 * reached from reasonable starts with alpha >= alpha_min.
 *
 * Of a large sample a part is fitted first, which costs little and ends some standard errors of the whole one
 * from its maximum.
 */
#ifndef STABLECL_FIT_LIKELIHOOD_H
#define STABLECL_FIT_LIKELIHOOD_H

#include "estimate.h"
#include "evaluate.h"
#include "distant_starts.h"

/* From a law (S0); the evaluator's sample is the one to fit.  The candidates are found when they are needed, and kept
 * for a fit that is begun anew (replay_log.h). */
int likelihood_fit(struct evaluator *, const struct problem *, const double *from, struct candidates *,
                   struct estimate *, struct status *);

#endif
