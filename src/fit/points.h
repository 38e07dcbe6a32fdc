/* Log densities of one shape at the observations, interpolated between points, for alpha below the range of the tables.
 *
 * In zeta coordinates (problem.h) a standardised observation u is a value of S1, whose peak or end of the support is
 * at 0.  For small alpha its density varies with powers of |u|: on either side, the log density is a smooth function of
 * s = log |u|.  It is interpolated there at Chebyshev points,
 *
 *     l(u) = sum_k c_k T_k(t),     t = (s - middle)/half,
 *     c_k  = 2/m sum_j l(u_j) cos(pi k (j + 1/2)/m)  (half of this for k = 0),
 *     |u_j| = exp(middle + half cos(pi (j + 1/2)/m)),
 *
 * on intervals that are halved until the log densities at their ends and in the middle agree to INTERPOLATED.  With
 * fewer than twice as many observations as Chebyshev points in an interval, the observations are the points themselves,
 * as they are in S0.  A sample of 1000 needs about 70 points.
 */
#ifndef STABLECL_FIT_POINTS_H
#define STABLECL_FIT_POINTS_H

#include "evaluate.h"

#define INTERVAL_NODES 32                /* Chebyshev points of an interval */
#define INTERVAL_CHECKS 3                /* points where the interpolant is checked */
#define MAX_INTERVALS  64

/* The observations from <= i < to, whose log densities are interpolated at the points from `at` on, or, if half is 0,
 * are those of the points. */
struct interval { size_t from, to, at; double middle, half; };

/* The points at which log densities of one shape are computed. */
struct points {
    int count;
    struct interval interval[MAX_INTERVALS];
    size_t size;                                            /* number of points */
    double cosine[4 * INTERVAL_NODES];                      /* cos(pi k/(2 INTERVAL_NODES)) */
};

/* Columns of the evaluator's workspace.  At the observations: u, t, and the log density, l'(u) (unit + |u|), and the
 * derivatives in alpha and beta.  At the points: u, the log density, shifted u, and log densities at both points of a
 * difference. */
enum { STANDARDISED, POSITION, LOG_DENSITY, SLOPE, IN_ALPHA, IN_BETA, POINT, HERE, MOVED, LOW, HIGH, COLUMNS };

static inline double *points_column(struct evaluator *e, int k) { return e->workspace + (size_t)k * e->length; }

/* Allocates memory for the columns: for the sample, and for all points of MAX_INTERVALS. */
int points_reserve(struct evaluator *, struct status *);

/* Computes the log densities of the standard law of this shape at n points x. */
int points_log_shape(struct evaluator *, double alpha, double beta, int pm, size_t n, const double *x, double *log_f,
                     struct status *);

/* Removes all points. */
void points_begin(struct points *);

/* Chooses the points for the shape of y, and computes their log densities (HERE).  STANDARDISED must be sorted. */
int points_choose(struct evaluator *, const double *y, int pm, struct points *, struct status *);

/* A shape, the largest error of an interpolant, and the points chosen so far. */
struct choice { struct evaluator *e; double alpha, beta, error; int pm; struct points *p; };

/* Chooses the Chebyshev points of an interval of values with this sign if their interpolant is accurate (*fits). */
int points_try_interval(struct choice *, struct interval *, double sign, int *fits, struct status *);

/* Interpolates the values at the points to the observations. */
void points_interpolate(struct evaluator *, const struct points *, const double *at_points, double *value);

/* Returns the log-likelihood of y from the log densities at the observations (LOG_DENSITY). */
double points_loglik(struct evaluator *, const double *y);

/* Computes the coefficients c_k from the values at the nodes of an interval; the positions t of n values u in it; and
 * the polynomial at n positions, with errors below `error`. */
void points_coefficients(const struct points *, const double *at_nodes, double *c);
void points_positions(size_t n, const double *u, double middle, double half, double *t);
void points_polynomial(const double *c, double error, size_t n, const double *t, double *value);

#endif
