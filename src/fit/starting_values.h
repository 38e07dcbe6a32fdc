/* The laws and coordinates from which searches start. */
#ifndef STABLECL_FIT_STARTING_VALUES_H
#define STABLECL_FIT_STARTING_VALUES_H

#include "evaluate.h"

#define MOST_STARTS 14
#define MOST_SPIKES 5

/* Above this alpha, the likelihood is flat in beta and may have a maximum for either sign of beta. */
#define FLAT_ALPHA 1.75

/* Sets theta to the starting values: the law `from` and, where the likelihood is likely to be rough or flat, further
 * laws around it.  Returns their number. */
int starts_list(const struct problem *, const double *from, const struct sample *,
                double theta[MOST_STARTS][PARAMETERS]);

/* If beta is at a bound and alpha < 1, moves the location until the support contains the whole sample. */
int starts_are_allowed(struct evaluator *, struct coordinates *, struct status *);

/* The location is fixed if the spike is narrower than this many gaps between observations. */
#define PINNED      0.25                /* at the start of a search */
#define PINNED_LATE 0.02                /* after a search */

/* Fixes the location if the spike is narrower than `share` gaps between observations.  A peak of the likelihood then
 * only means that the spike is on an observation, and its height would drive alpha to 0.  The location is fixed half
 * a gap beside the nearest observation.  Returns TRUE if it was fixed. */
int starts_fix_location(const struct sample *, double share, struct coordinates *);

/* TRUE if the spike is so wide that the likelihood has one peak only, or if there is no spike or no free location. */
int starts_are_smooth(const struct sample *, const struct coordinates *);

/* In spiked coordinates with small alpha, the likelihood has a peak at nearly every observation close to zeta.  Sets
 * c[0], ..., c[*count - 1] to coordinates with the spike on the best of the observations nearest to that of c[0],
 * which is given: at most `most`, with log-likelihoods within `margin` of the highest.  If the likelihood has one
 * peak only or the location has to be fixed, *count is 1. */
int starts_spikes(struct evaluator *, struct coordinates *c, int most, double margin, int *count, struct status *);

#endif
