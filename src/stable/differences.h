/* The derivative of a smooth function, or of log f, from values at a few nodes. */
#ifndef STABLECL_STABLE_DIFFERENCES_H
#define STABLECL_STABLE_DIFFERENCES_H

#define DIFFER_NODES 10
#define DIFFER_LAST  4

struct differ {
    double at;                              /* point at which the derivative is computed */
    double node[DIFFER_NODES];
    double weight[DIFFER_NODES];            /* weights of the values in the derivative */
    double share[DIFFER_NODES];             /* weights of the values in the interpolated value */
    double last[DIFFER_LAST][DIFFER_NODES]; /* ... in the last Chebyshev coefficients, highest degree first */
    double gain;                            /* bound of |d T_n / d p| */
};

/* Places the nodes in [at - half, at + half], or in this interval shifted into [lo, hi] if it extends beyond. */
void differ_set(struct differ *, double at, double half, double lo, double hi);

/* Returns the derivative from the values at the nodes.  *truncation estimates the truncation error; it accounts for the
 * difference between the polynomial at `at` and the known value `here`. */
double differ_slope(const struct differ *, const double *value, double here, double *truncation);

/* Returns a bound of the derivative's error from the absolute errors of the values. */
double differ_noise(const struct differ *, const double *error);

/* A derivative, and an estimate of its absolute error. */
struct slope { double value, error; };

#define ENOUGH 5e-11                    /* an error that need not be reduced further */

/* log f at the nodes and at the point itself, their absolute errors, and the tilt per unit of the parameter. */
struct node_values {
    double log_f[DIFFER_NODES], error[DIFFER_NODES];
    double log_here, error_here;
    double tilt;
};

/* Returns the derivative and an estimate of its error; the error is infinite if no derivative was found. */
struct slope estimate_slope(const struct differ *, const struct node_values *);

/* Returns the error relative to max(1, |value|). */
double estimate_miss(struct slope);

/* Returns the slope with the smaller relative error. */
struct slope estimate_better(struct slope, struct slope);

#endif
