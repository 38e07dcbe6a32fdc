/* What a fit is asked for. */
#ifndef STABLECL_FIT_PROBLEM_H
#define STABLECL_FIT_PROBLEM_H

#include "sample.h"

#define START_BETAS 16                  /* there is room for so many */

/* Tables over alpha (fastest) and beta, see quantile_start.h. */
struct start_tables {
    int alphas, betas;
    const double *alpha, *beta, *spread, *skew, *quartiles, *median;
    int shapes, nodes;                  /* of the log densities of distant_starts.h: nodes v from -reach to reach, fastest */
    double reach, nodes_per_unit;
    const double *shape_alpha, *shape_beta, *log_f;
};

/* In canonical units (sample.h). */
struct problem {
    const struct start_tables *tables;
    int is_fixed[PARAMETERS];
    double fixed[PARAMETERS];           /* where is_fixed */
    double alpha_min;                   /* the least alpha considered */
    double tolerance;                   /* a search ends where a step promises to raise the log-likelihood by less */
    int most_steps;                     /* of one search */
    int wants_covariance;
};

#endif
