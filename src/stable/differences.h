/* The derivative of a smooth function from its values at a few nodes. */
#ifndef STABLECL_STABLE_DIFFERENCES_H
#define STABLECL_STABLE_DIFFERENCES_H

#define DIFFER_NODES 10
#define DIFFER_LAST  4

struct differ {
    double at;                              /* where the derivative is wanted */
    double node[DIFFER_NODES];
    double weight[DIFFER_NODES];            /* of the derivative there */
    double share[DIFFER_NODES];             /* of the value there */
    double last[DIFFER_LAST][DIFFER_NODES]; /* of the last coefficients of the Chebyshev series, highest first */
    double gain;                            /* |d T_n / d p| at most */
};

/* Nodes within [at - half, at + half], shifted into [lo, hi] where that sticks out. */
void differ_set(struct differ *, double at, double half, double lo, double hi);

/* The derivative from the values at the nodes; *truncation estimates what it leaves out, not less
 * than what the polynomial misses at `at`, where the value is known to be `here`. */
double differ_slope(const struct differ *, const double *value, double here, double *truncation);

/* A bound of the derivative's error if the values are wrong by so much. */
double differ_noise(const struct differ *, const double *error);

#endif
