/* Estimates from five sample quantiles, for every alpha in (0, 2].
 *
 * McCulloch (1986, doi:10.1080/03610918608812563) matches (q95 - q05)/(q75 - q25) and (q95 + q05 - 2 q50)/(q95 - q05).
 * As alpha decreases, the first ratio grows without bound and the second one saturates, so his tables end at alpha =
 * 0.6.  On the logarithmic scale both remain informative for all alpha:
 *
 *     spread(alpha, beta) = log((q95 - q05) / (q75 - q25))      ~ 1.9 / alpha as alpha -> 0
 *     skew(alpha, beta)   = log((q95 - q50) / (q50 - q05)) / spread
 *
 * alpha * spread, skew and alpha * log(q75 - q25) vary slowly with alpha.  These and the median of the standard S0 law
 * are tabulated over alpha and beta >= 0 by data-raw/quantile-start.R.  The S0 location is continuous at alpha = 1,
 * which therefore needs no special treatment.  The tables are inverted in two steps: for each tabulated beta, find the
 * alpha that gives the spread; then, along this curve, find the beta that gives the skew, which increases with beta.
 */
#ifndef STABLECL_FIT_QUANTILE_START_H
#define STABLECL_FIT_QUANTILE_START_H

#include "problem.h"

/* Below this alpha, the law is located by its peak at zeta, not by its median. */
#define SPIKED_ALPHA 0.5

/* Estimates the shape from quantiles q; fixed parameters keep their values. */
void start_shape(const struct problem *, const double *q, double *alpha, double *beta);

/* Estimates all four parameters (S0) from quantiles and, for small alpha, from the half-sample mode `spike`. */
void start_estimate(const struct problem *, const double *q, double spike, double *theta);

/* Computes the interquartile range and the median of a law (S0). */
void start_quartiles(const struct start_tables *, const double *theta, double *distance, double *median);

/* Converts sorted values to the canonical sample. */
void start_canonical(struct sample *, const struct start_tables *, double alpha_min);

#endif
