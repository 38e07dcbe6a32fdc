/* The regression of the empirical characteristic function (ecf.c), and its weights (ecf_covariance.c). */
#ifndef STABLECL_FIT_ECF_H
#define STABLECL_FIT_ECF_H

#include "problem.h"

#define FREQUENCIES 12
#define ECF_ROWS (2 * FREQUENCIES)      /* residuals of log(-log|phi|), then those of arg phi */

/* The weights of generalised least squares: W with W V W' = 1, where V is the covariance of the residuals. */
struct ecf_weights { double unit[ECF_ROWS], root[ECF_ROWS][ECF_ROWS]; };

/* One regression: frequencies, phi_n, the weights, y = (alpha, beta, log gamma, delta), the parameters that are held,
 * the whitened derivatives of the last round, and the scale by which the sample has been divided. */
struct ecf {
    double t[FREQUENCIES], re[FREQUENCIES], im[FREQUENCIES];
    struct ecf_weights w;
    double y[PARAMETERS], X[PARAMETERS][ECF_ROWS], scale;
    int held[PARAMETERS];
};

/* Returns eta(u) = tan(pi alpha/2) (u - u^alpha) for u > 0. */
double ecf_eta(double u, double alpha);

/* Returns (1 - alpha) tan(pi alpha/2), which is 2/pi at alpha = 1. */
double ecf_scaled_tangent(double alpha);

/* Computes the weights at the frequencies t of the law with this alpha, beta and gamma.  Returns 0 if the covariance is
 * not positive definite. */
int ecf_set_weights(struct ecf_weights *, double gamma, const double *t, double alpha, double beta);

/* Replaces r by W r. */
void ecf_whiten(const struct ecf_weights *, double *r);

#endif
