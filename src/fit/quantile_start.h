/* Estimates from five sample quantiles, for every alpha in (0, 2].
 *
 * McCulloch (1986, doi:10.1080/03610918608812563) matches (q95 - q05)/(q75 - q25) and (q95 + q05 - 2 q50)/(q95 - q05).
 * For small alpha the first explodes and the second saturates, so his tables end at alpha = 0.6.  On the
 * logarithmic scale both stay informative all the way:
 *
 *     spread(alpha, beta) = log((q95 - q05) / (q75 - q25))      ~ 1.9 / alpha as alpha -> 0
 *     skew(alpha, beta)   = log((q95 - q50) / (q50 - q05)) / spread
 *
 * alpha * spread, skew and alpha * log(q75 - q25) change little with alpha; they and the median are tabulated by
 * data-raw/quantile-start.R over alpha and beta >= 0, for the standard S0 law.  The S0 location is continuous
 * at alpha = 1, so nothing special happens there.  Inversion: for each tabulated beta the alpha that explains the
 * spread, then along this curve the beta that explains the skew, which grows with beta.
 */
#ifndef STABLECL_FIT_QUANTILE_START_H
#define STABLECL_FIT_QUANTILE_START_H

#include "problem.h"

/* Below, the peak at zeta locates the law, not the median. */
#define SPIKED_ALPHA 0.5

/* The shape from quantiles q, as far as it is not held fixed. */
void start_shape(const struct problem *, const double *q, double *alpha, double *beta);

/* All four parameters (S0), from quantiles and, for small alpha, the spike. */
void start_estimate(const struct problem *, const double *q, double spike, double *theta);

/* Quartile distance and median of a law (S0). */
void start_quartiles(const struct start_tables *, const double *theta, double *distance, double *median);

/* The canonical sample of sorted values. */
void start_canonical(struct sample *, const struct start_tables *, double alpha_min);

#endif
