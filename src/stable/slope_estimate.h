/* The derivative of log f from values of log f at the nodes of an interval. */
#ifndef STABLECL_STABLE_SLOPE_ESTIMATE_H
#define STABLECL_STABLE_SLOPE_ESTIMATE_H

#include "user_score.h"
#include "differences.h"

#define ENOUGH 5e-11                    /* an error that need not be reduced further */

/* log f at the nodes and at the point itself, their absolute errors, and the tilt per unit of the parameter. */
struct sample {
    double log_f[DIFFER_NODES], error[DIFFER_NODES];
    double log_here, error_here;
    double tilt;
};

/* Returns the derivative and an estimate of its error; the error is infinite if no derivative was found. */
struct slope estimate_slope(const struct differ *, const struct sample *);

/* Returns the error relative to max(1, |value|). */
double estimate_miss(struct slope);

/* Returns the slope with the smaller relative error. */
struct slope estimate_better(struct slope, struct slope);

#endif
