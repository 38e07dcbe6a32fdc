/* Laws whose scale and location are determined by their shape and by quantiles of the sample.
 *
 * With the quantiles Q_p(alpha, beta) of the standard law and those of the sample, q_p,
 *
 *     gamma = (q_75 - q_25)/(Q_75 - Q_25),      delta = q_50 - gamma Q_50      (S0).
 *
 * If the density has a narrow peak, its mode is instead placed at the half-sample mode, in S1, whose delta is the
 * location of the peak.  Fixed parameters keep their values.
 */
#ifndef STABLECL_FIT_MATCHED_LAWS_H
#define STABLECL_FIT_MATCHED_LAWS_H

#include "starting_values.h"

struct matched_laws {
    const struct sample *sample;
    const struct problem *p;
    int is_peaked;                      /* laws are located by their peaks */
    int is_exact;                       /* FALSE: quantiles from the tables of starts, the peak next to the mode */
};

/* Returns the laws for a sample, located by their peaks if the quantile estimate is. */
struct matched_laws matched_laws_of(const struct sample *, const struct problem *, int is_exact);

/* Returns coordinates about a law theta (S0): of S1 if laws are located by their peaks, otherwise of S0. */
struct coordinates matched_coordinates(const struct matched_laws *, const double *theta);

/* TRUE if y is at the end of the range of alpha in which laws are located by their peaks. */
int matched_at_range_end(const struct coordinates *, const double *y);

/* Sets scale and location of `count` points y from their shapes. */
int match_laws(const struct matched_laws *, const struct coordinates *, struct evaluator *, int count,
               double (*y)[PARAMETERS], struct status *);

/* Replaces gradient and outer products at y by those with respect to the shape of matched laws. */
int match_scores(const struct matched_laws *, const struct coordinates *, struct evaluator *, const double *y,
                 struct answer *, struct status *);

#endif
