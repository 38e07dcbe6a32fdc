/* The estimation problem: tables for starting values, fixed parameters and stopping criteria. */
#ifndef STABLECL_FIT_PROBLEM_H
#define STABLECL_FIT_PROBLEM_H

#include "sample.h"

#define START_BETAS 16                  /* the largest number of tabulated values of beta */

/* Tables over alpha (varying fastest) and beta, see quantile_start.h. */
struct start_tables {
    int alphas, betas;
    const double *alpha, *beta, *spread, *skew, *quartiles, *median;
    int shapes, nodes;                  /* of log_f, the log densities of distant_starts.h: nodes v = z/(1 + |z|) from
                                           -reach to reach, varying fastest */
    double reach, nodes_per_unit;
    const double *shape_alpha, *shape_beta, *log_f;
};

/* All values are in canonical units (sample.h). */
struct problem {
    const struct start_tables *tables;
    int is_fixed[PARAMETERS];
    double fixed[PARAMETERS];           /* valid where is_fixed */
    double alpha_min;                   /* lower bound of alpha */
    double tolerance;                   /* a search ends when a step is predicted to raise the log-likelihood by less */
    int most_steps;                     /* of each search */
    int wants_covariance;
};

#endif
