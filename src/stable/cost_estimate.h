/* The derivative of log f from f at the nodes of an interval. */
#ifndef STABLECL_STABLE_COST_ESTIMATE_H
#define STABLECL_STABLE_COST_ESTIMATE_H

#include "user_score.h"
#include "differences.h"

#define ENOUGH 5e-11                    /* an error that nobody need make smaller */

/* log f at the nodes and at x, their errors, and the tilt per unit of the parameter. */
struct sample {
    double log_f[DIFFER_NODES], error[DIFFER_NODES];
    double log_here, error_here;
    double tilt;
};

/* The derivative, and an estimate of its error; the error is infinite where there is none. */
struct slope estimate_slope(const struct differ *, const struct sample *);

/* The error relative to max(1, |value|). */
double estimate_miss(struct slope);

/* The one that misses less. */
struct slope estimate_better(struct slope, struct slope);

#endif
