/* The derivative of a smooth function from its values at a few nodes. */
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

#endif
