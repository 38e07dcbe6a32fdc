/* Coordinates that a search can walk in.
 *
 *     y = (alpha, beta, log gamma, u),      location = centre + unit * u
 *
 * The location is delta of S0 where alpha is moderate.  For small alpha the density is a spike at zeta whose
 * width shrinks like gamma sqrt(Gamma(1/alpha)/Gamma(3/alpha)): the data then pin the place of the spike, which
 * in S0 would move with beta and gamma.  The location is therefore the spike itself (delta of S1) in "spiked"
 * coordinates, measured in widths of the spike.  They are used up to alpha = 0.9 only, since S1 is singular at 1,
 * and not for much smaller alpha than they begin with, where the spike is much narrower than the unit.
 */
#ifndef STABLECL_FIT_COORDINATES_H
#define STABLECL_FIT_COORDINATES_H

#include "problem.h"

struct coordinates {
    double base[PARAMETERS];            /* a full y */
    int moves[PARAMETERS];
    double lower[PARAMETERS], upper[PARAMETERS];
    int pm;                             /* 1: spiked */
    double alpha_min;                   /* the end of the parameter space, not of these coordinates */
    double centre, unit;
};

/* About a law (alpha, beta, gamma, delta) of S0. */
struct coordinates coordinates_about(const struct problem *, const double *theta);

/* Does y lie at an end of the range for which these coordinates are good, with more to be found beyond? */
int coordinates_are_left(const struct coordinates *, const double *y);

void coordinates_theta(const struct coordinates *, const double *y, double *theta);

/* d(alpha, beta, gamma, delta) / d y */
void coordinates_jacobian(const struct coordinates *, const double *y, double J[PARAMETERS][PARAMETERS]);

/* How far to go either way for a difference in coordinate j, about h, within the bounds. */
struct sides { double below, above; };
struct sides coordinates_sides(const struct coordinates *, const double *y, int j, double h);

#endif
