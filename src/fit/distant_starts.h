/* Laws far from the quantile estimate from which a search may reach a higher maximum.
 *
 * The likelihood of a sample that no stable law fits well, such as one of two clusters, may have maxima far from each
 * other: a nearly normal law over all of it, and a law whose peak lies on one cluster and whose long tail covers the
 * other.  For each of a few shapes scale and location are found by a grid and a pattern search (Hooke and Jeeves 1961,
 * doi:10.1145/321062.321069) on the likelihood of a reduced sample, whose log densities are interpolated in a table
 * (data-raw/quantile-start.R).  That costs less than one evaluation of the likelihood of a thousand values.
 */
#ifndef STABLECL_FIT_DISTANT_STARTS_H
#define STABLECL_FIT_DISTANT_STARTS_H

#include "problem.h"

#define MOST_SHAPES 24                  /* of the table, each sign of beta counted */

struct candidate {
    double theta[PARAMETERS];           /* S0, canonical units */
    double value;                       /* log-likelihood of the reduced sample, for each unit of weight */
    int is_maximum;                     /* Has no candidate near it a higher value? */
};

/* The best one of each shape, the highest value first. */
struct candidates { int is_known, count; struct candidate law[MOST_SHAPES]; };

void screen_laws(const struct problem *, const struct sample *, struct candidates *);

/* Do two laws have nearly the same shape, quartile distance and location? */
int screen_is_near(const struct problem *, const double *theta, const double *other);

#endif
