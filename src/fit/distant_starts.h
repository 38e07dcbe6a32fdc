/* Laws far from the quantile estimate from which a search may reach a higher maximum of the likelihood.
 *
 * The likelihood of a sample that no stable law fits well, such as one with two clusters, may have maxima far apart: a
 * nearly normal law for the whole sample, and a law whose peak lies on one cluster and whose long tail covers the
 * other.  For each of a few shapes (alpha, beta), scale and location are found by a grid and a pattern search (Hooke
 * and Jeeves 1961, doi:10.1145/321062.321069) on the likelihood of a reduced sample, whose log densities are
 * interpolated in a table (data-raw/quantile-start.R).  This costs less than one evaluation of the likelihood of a
 * thousand values.
 */
#ifndef STABLECL_FIT_DISTANT_STARTS_H
#define STABLECL_FIT_DISTANT_STARTS_H

#include "problem.h"

#define MOST_SHAPES 24                  /* the largest number of shapes, counting both signs of beta */

struct candidate {
    double theta[PARAMETERS];           /* S0, canonical units */
    double value;                       /* log-likelihood of the reduced sample per unit of weight */
    int is_maximum;                     /* TRUE if no candidate near it has a higher value */
};

/* The best law of each shape, in decreasing order of value.  is_known: TRUE once screen_laws() has set the rest. */
struct candidates { int is_known, count; struct candidate law[MOST_SHAPES]; };

/* Computes the candidates for a canonical sample. */
void screen_laws(const struct problem *, const struct sample *, struct candidates *);

/* TRUE if two laws (S0) have nearly the same shape, interquartile range and median. */
int screen_is_near(const struct problem *, const double *theta, const double *other);

#endif
