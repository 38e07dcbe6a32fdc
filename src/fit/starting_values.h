/* Where a search begins. */
#ifndef STABLECL_FIT_STARTING_VALUES_H
#define STABLECL_FIT_STARTING_VALUES_H

#include "evaluate.h"

#define MOST_STARTS 14
#define MOST_SPIKES 5

/* Above this alpha the likelihood is flat in beta, and may have a maximum for either sign of it. */
#define FLAT_ALPHA 1.75

/* Start values: the quantile estimate `from`, and where the likelihood is known to be rough or flat, others around
 * it.  Returns how many there are. */
int starts_starts(const struct problem *, const double *from, const struct sample *,
                  double theta[MOST_STARTS][PARAMETERS]);

/* With beta at a border and alpha < 1, the location moves until the support has all of the sample. */
int starts_allow(struct evaluator *, struct coordinates *, struct status *);

/* A search is pinned where its spike is narrower than so many gaps between observations: one that begins, and one
 * that has become so narrow on its way. */
#define PINNED      0.25
#define PINNED_LATE 0.02

/* Where the spike is narrower than that share of the gaps between observations, a peak of the likelihood tells
 * nothing but that the spike sits on an observation, and its height would drag alpha towards 0: then the location is
 * held half a gap beside the densest observation.  Returns whether it was moved there. */
int starts_pin(const struct sample *, double share, struct coordinates *);

/* Is the spike so wide that the likelihood has one peak only? */
int starts_are_smooth(const struct sample *, const struct coordinates *);

/* In spiked coordinates the likelihood has a peak at nearly every observation close to zeta once alpha is small:
 * the best of the nearest ones, `most` of them if they come within a margin of the best one, in c[0], ...,
 * c[*count - 1], of which c[0] is given; or pinned. */
int starts_spikes(struct evaluator *, struct coordinates *c, int most, double margin, int *count, struct status *);

#endif
