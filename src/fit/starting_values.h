/* The laws and coordinates from which searches start. */
#ifndef STABLECL_FIT_STARTING_VALUES_H
#define STABLECL_FIT_STARTING_VALUES_H

#include "evaluate.h"

/* --- the quantile estimate (quantiles.c) --- */

/* Below this alpha, the law is located by its peak at zeta, not by its median. */
#define NARROW_ALPHA 0.5

/* Estimates all four parameters (S0) from quantiles and, for small alpha, from the half-sample mode `mode`. */
void start_estimate(const struct problem *, const double *q, double mode, double *theta);

/* Computes the interquartile range and the median of a law (S0). */
void start_quartiles(const struct start_tables *, const double *theta, double *distance, double *median);

/* Converts sorted values to the canonical sample. */
void start_canonical(struct sample *, const struct start_tables *, double alpha_min);

/* --- laws and coordinates about an estimate (starting_values.c) --- */

#define MAX_STARTS  15
#define MAX_MODES  5

/* Observations up to which the likelihood is rough: several positions of the mode are tried for each starting value. */
#define ROUGH 500.0

/* A search begins from a law whose log-likelihood is below the best one by at most SEARCH_MARGIN, plus, for each
 * observation, SEARCH_GAIN, which the search may gain. */
#define SEARCH_MARGIN 3.0
#define SEARCH_GAIN   0.04

#define NEAR_BORDER 0.9                 /* |beta| next to its bound, ... */
#define INSIDE      0.75                /* ... and further inside */

/* TRUE if the law of y is nearly one-sided, so that searches also start from laws with beta at its bound: alpha is
 * below BORDERED, and |beta| is NEAR_BORDER or more, INSIDE or more where the likelihood is rough. */
#define BORDERED 1.2
int starts_are_nearly_one_sided(const struct sample *, const double *y);

/* Above this alpha, the likelihood is flat in beta and may have a maximum for either sign of beta. */
#define FLAT_ALPHA 1.75

/* Sets theta to the starting values: the law `from` and, where the likelihood is likely to be rough or flat, further
 * laws around it.  Returns their number. */
int starts_list(const struct problem *, const double *from, const struct sample *,
                double theta[MAX_STARTS][PARAMETERS]);

/* TRUE if the largest of n values is so much larger than the interquartile range, 1, as for alpha below 0.4 only, where
 * it is of order n^(1/alpha). */
int starts_are_wide(const struct sample *);

/* If beta is at a bound and alpha < 1, moves the location so that the support contains the whole sample, by steps that
 * double until the likelihood decreases. */
int starts_fit_support(struct evaluator *, struct coordinates *, struct status *);

/* The location is fixed if the mode is narrower than this many gaps between observations. */
#define FIXED_SHARE      0.25           /* at the start of a search */
#define FIXED_SHARE_LATE 0.02           /* after a search */

/* Fixes the location if the mode is narrower than `share` gaps between observations.  A peak of the likelihood then
 * only means that the mode is on an observation, and its height would drive alpha to 0.  The location is fixed
 * next to the nearest observation.  Returns TRUE if it was fixed. */
int starts_fix_location(const struct sample *, double share, struct coordinates *);

/* Return the power (d/gamma)^-alpha of the distance d of a fixed location from an observation, and d for an observation
 * with this value. */
double starts_power(const struct sample *);
double starts_distance(const struct sample *, double value, double alpha, double gamma);

/* The last search with a fixed location: the observation next to it, the logarithm of their distance, and that of the
 * distance that belongs to the law found.  is_known: TRUE after such a search; changes: how often the observation has
 * changed. */
struct placement { int is_known, changes; double value, here, target; };

/* TRUE if a search that has ended at a point y of `old` has to continue in new coordinates about it, which are given:
 * because it has left the range of the old ones, or because the location has to be fixed, or moved towards the distance
 * from its observation that belongs to the new law. */
int starts_must_continue(const struct sample *, const struct coordinates *old, const double *y, struct coordinates *,
                         struct placement *);

/* TRUE if the mode is so wide that the likelihood has one peak only, or if there is no narrow mode or no free
 * location. */
int starts_are_smooth(const struct sample *, const struct coordinates *);

/* In zeta coordinates with small alpha, the likelihood has a peak at nearly every observation close to zeta.  Sets
 * c[0], ..., c[*count - 1] to coordinates with the mode on the best of the observations next to that of c[0], which is
 * given, or, if one of several observations over the whole sample is better, next to that one: at most `maximum`, with
 * log-likelihoods within `margin` of the highest.  If the location has to be fixed, the mode is next to the
 * observation.  If the likelihood has one peak only, *count is 1. */
int starts_modes(struct evaluator *, struct coordinates *c, int maximum, double margin, int *count, struct status *);

/* --- laws far from the quantile estimate (screen.c) --- */

struct candidate {
    double theta[PARAMETERS];           /* S0, canonical units */
    double value;                       /* log-likelihood of the reduced sample per unit of weight */
    int is_maximum;                     /* TRUE if no candidate near it has a higher value */
};

/* A law with small alpha, its mode, and an approximate log-likelihood. */
struct small_alpha_law { double theta[PARAMETERS], mode, value; };
#define MAX_SMALL_ALPHA  8

/* The best law of each shape, in decreasing order of value.  is_known: TRUE once screen_laws() has set the rest. */
struct candidates {
    int is_known, count;
    struct candidate law[MAX_SHAPES];
    int small_alphas;                   /* number of laws with small alpha; -1: unknown */
    struct small_alpha_law small_alpha[MAX_SMALL_ALPHA];
};

/* Computes the candidates for a canonical sample.  Scale and location need not be the best ones for a law whose value
 * is below `minimum`. */
void screen_laws(const struct problem *, const struct sample *, double minimum, struct candidates *);

/* Sets `law` to the most likely laws with small alpha, in decreasing order of value and each with its mode in another
 * gap between observations (log_distances.c).  Returns their number. */
int small_alpha_laws(const struct problem *, const struct sample *, struct small_alpha_law law[MAX_SMALL_ALPHA]);

/* TRUE if two laws (S0) have nearly the same shape, interquartile range and median. */
int screen_is_near(const struct problem *, const double *theta, const double *other);

#endif
