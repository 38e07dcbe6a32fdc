/* The coordinates in which the likelihood is maximised.
 *
 *     y = (alpha, beta, log gamma, u),      location = centre + unit * u
 *
 * For moderate alpha, the location is delta of S0.  For small alpha, the density has a spike at zeta whose width
 * shrinks like gamma sqrt(Gamma(1/alpha)/Gamma(3/alpha)): the data then determine the position of the spike, which in
 * S0 depends on beta and gamma.  In "spiked" coordinates the location is therefore the position of the spike (delta of
 * S1), measured in widths of the spike.  They are used up to alpha = 0.9 only, because S1 is singular at alpha = 1, and
 * not for much smaller alpha than the initial one, where the spike is much narrower than the unit.
 */
#ifndef STABLECL_FIT_COORDINATES_H
#define STABLECL_FIT_COORDINATES_H

#include "problem.h"

struct coordinates {
    double base[PARAMETERS];            /* the initial y, with all parameters */
    int moves[PARAMETERS];              /* TRUE if the parameter is free */
    double lower[PARAMETERS], upper[PARAMETERS];
    int pm;                             /* parametrisation of the location: 1: S1, spiked; 0: S0 */
    double alpha_min;                   /* lower bound of the parameter space, not of these coordinates */
    double centre, unit;
};

/* Returns coordinates about a law theta = (alpha, beta, gamma, delta) of S0. */
struct coordinates coordinates_about(const struct problem *, const double *theta);

/* TRUE if y is at an end of the range of alpha in which these coordinates are suitable, and the parameter space
 * continues beyond it. */
int coordinates_are_left(const struct coordinates *, const double *y);

/* Converts y to theta = (alpha, beta, gamma, delta) of S0. */
void coordinates_theta(const struct coordinates *, const double *y, double *theta);

/* Computes J = d(alpha, beta, gamma, delta) / dy, for S0. */
void coordinates_jacobian(const struct coordinates *, const double *y, double J[PARAMETERS][PARAMETERS]);

/* Returns the steps from y[j] (below <= 0 <= above) for a finite difference in coordinate j: h in size or less, so that
 * they stay within the bounds; one of them is 0 at a bound. */
struct sides { double below, above; };
struct sides coordinates_sides(const struct coordinates *, const double *y, int j, double h);

#endif
