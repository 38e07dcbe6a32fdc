/* The estimation problem, the coordinates in which it is solved, its solution, and matrices over the parameters. */
#ifndef STABLECL_FIT_PROBLEM_H
#define STABLECL_FIT_PROBLEM_H

#include "sample.h"

#define START_BETAS 16                  /* the largest number of tabulated values of beta */
#define MAX_SHAPES  16                  /* the largest number of tabulated shapes with log densities */

/* Tables over alpha (varying fastest) and beta, see quantiles.c. */
struct start_tables {
    int alphas, betas;
    const double *alpha, *beta, *spread, *skew, *quartiles, *median;
    int shapes, nodes;                  /* of log_f, the log densities of starting_values.c at nodes v = z/(1 + |z|)
                                           from -reach to reach: MAX_SHAPES numbers for each node */
    double reach, nodes_per_unit;
    double shape_alpha[MAX_SHAPES], shape_beta[MAX_SHAPES];
    const double *log_f;
};

/* All values are in canonical units (sample.h). */
struct problem {
    const struct start_tables *tables;
    int is_fixed[PARAMETERS];
    double fixed[PARAMETERS];           /* valid where is_fixed */
    double alpha_min;                   /* lower bound of alpha */
    double tolerance;                   /* a search ends when a step is predicted to raise the log-likelihood by less */
    int max_steps;                     /* of each search */
    int wants_covariance;
};

/* The coordinates in which the likelihood is maximised.
 *
 *     y = (alpha, beta, log gamma, u),      location = centre + unit * u
 *
 * For moderate alpha, the location is delta of S0.  For small alpha, the density has a narrow mode at zeta, whose width
 * shrinks like gamma sqrt(Gamma(1/alpha)/Gamma(3/alpha)): the data then determine the position of the mode, which in
 * S0 depends on beta and gamma.  In zeta coordinates the location is therefore the position of the mode (delta of
 * S1), measured in widths of the mode.  They are used up to alpha = 0.9 only, because S1 is singular at alpha = 1, and
 * not for much smaller alpha than the initial one, where the mode is much narrower than the unit.
 */
struct coordinates {
    double base[PARAMETERS];            /* the initial y, with all parameters */
    int moves[PARAMETERS];              /* TRUE if the parameter is free */
    double lower[PARAMETERS], upper[PARAMETERS];
    int pm;                             /* parametrisation of the location: 1: S1, zeta; 0: S0 */
    double alpha_min;                   /* lower bound of the parameter space, not of these coordinates */
    double centre, unit;
};

/* Returns coordinates about a law theta = (alpha, beta, gamma, delta) of S0, with alpha raised to its lower bound. */
struct coordinates coordinates_about(const struct problem *, const double *theta);

/* Returns coordinates about a point y of other ones.  The position of the mode is kept: delta of S0 does not determine
 * it where the rounding error of delta exceeds the width of the mode. */
struct coordinates coordinates_recentred(const struct problem *, const struct coordinates *, const double *y);

/* TRUE if y is at an end of the range of alpha in which these coordinates are suitable, and the parameter space
 * continues beyond it. */
int coordinates_at_range_end(const struct coordinates *, const double *y);

/* Converts y to theta = (alpha, beta, gamma, delta) of S0. */
void coordinates_theta(const struct coordinates *, const double *y, double *theta);

/* Computes J = d(alpha, beta, gamma, delta) / dy, for S0. */
void coordinates_jacobian(const struct coordinates *, const double *y, double J[PARAMETERS][PARAMETERS]);

/* Returns the steps from y[j] (below <= 0 <= above) for a finite difference in coordinate j: h in size or less, so that
 * they stay within the bounds; one of them is 0 at a bound. */
struct sides { double below, above; };
struct sides coordinates_sides(const struct coordinates *, const double *y, int j, double h);

/* --- the result of a fit, in canonical units (sample.h) --- */

enum estimate_bound { BOUND_NONE, BOUND_LOWER, BOUND_UPPER };

/* How a fit ended; R/fit.R has the messages. */
enum estimate_end {
    END_AT_MAXIMUM, END_NO_PROGRESS, END_TOO_LONG,
    END_CLOSED_FORM, END_GAUSSIAN, END_NOTHING_TO_ESTIMATE,
    END_IN_R,                           /* of a method that is written in R */
    END_GRID,
    END_NO_SOLUTION = -1                /* there is no estimate; has no message */
};

/* Reasons, apart from bounds, for which parameters have no standard errors. */
enum { NOTE_FIXED_LOCATION = 1, NOTE_NOT_POSITIVE = 2, NOTE_MODE = 4 };

struct estimate {
    double theta[PARAMETERS], loglik;   /* -Inf: no law has the whole sample in its support */
    double cov[PARAMETERS][PARAMETERS]; /* NaN where unknown */
    double gradient[PARAMETERS];        /* multiplied by the standard errors; NaN for parameters that are not free */
    int active[PARAMETERS];             /* enum estimate_bound: the bound at which the parameter is */
    int end, notes, steps, evaluations;
};

/* Sets the law and the bounds at which its parameters are; the covariance and the gradient are unknown. */
void estimate_begin(struct estimate *, const struct problem *, const double *theta);

/* Sets in[j] for the parameters that have a standard error: not fixed, not at a bound, and with an effect. */
void estimate_free(const struct estimate *, const struct problem *, int *in);

/* Makes the rows and columns of the covariance unknown for parameters j with in[j] == 0. */
void estimate_mask_covariance(struct estimate *, const int *in);

/* --- symmetric matrices over the four parameters, restricted to those that are free --- */

/* Computes the lower triangular L with A = L L' over the parameters with in[j] != 0, 0 elsewhere.  Returns 0 if A,
 * restricted to these, is not positive definite, else 1. */
int matrix_factor(double A[PARAMETERS][PARAMETERS], const int *in, double L[PARAMETERS][PARAMETERS]);

/* Solves A x = b over the parameters with in[j] != 0; x is 0 elsewhere.  Returns 0 if A, restricted to these, is not
 * positive definite, else 1. */
int matrix_solve(double A[PARAMETERS][PARAMETERS], const int *in, const double *b, double *x);

/* Computes the inverse of A restricted to these parameters, 0 elsewhere.  Returns as above. */
int matrix_invert(double A[PARAMETERS][PARAMETERS], const int *in, double inverse[PARAMETERS][PARAMETERS]);

/* Computes J A J'. */
void matrix_transform(double J[PARAMETERS][PARAMETERS], double A[PARAMETERS][PARAMETERS],
                      double out[PARAMETERS][PARAMETERS]);

/* Returns x'A y. */
double matrix_form(double A[PARAMETERS][PARAMETERS], const double *x, const double *y);

#endif
