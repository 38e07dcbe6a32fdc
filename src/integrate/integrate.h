/* integrate/integrate.h: many integrals of one integrand. */
#ifndef STABLECL_INTEGRATE_H
#define STABLECL_INTEGRATE_H

#include "../backend/backend.h"
#include "../core/integral.h"
#include "sampler.h"

#define AXES_MAX 12
#define CUBATURE_AXES 8

/* For methods that sample: which, the random numbers, one grid for all axes?, and for each integral chi^2 with its
 * degrees of freedom, where iterations are compared. */
struct sampling {
    int lattice, symmetric;
    struct philox_key key;
    double *chi2, *freedom;
};

/* Limits, for each axis, are recycled to n, and may be infinite if there is one axis; parameter k of integral i is
 * parameter[k n + i].  `breaks` are increasing, and cut those ranges that hold them; one axis only. */
struct integral_job {
    size_t n;
    int dim;
    struct column lower[AXES_MAX], upper[AXES_MAX];
    const double *parameter;
    int parameters;
    const double *breaks;
    int break_count;
    double rel_tol, abs_tol, max_eval;  /* of each integral */
    double *value, *error, *evaluations;
    int *status;                        /* NOT_DONE beforehand; other integrals are left alone */
    const struct sampling *sampling;    /* NULL: by a rule */
};

/* Gauss-Kronrod and tanh-sinh: one axis.  Cubature: two and more, finite limits.  Each takes the integrals with status
 * NOT_DONE.  0 or a code; those that were finished by then are valid. */
int integrate_gk(const struct integral_job *, const struct sampler *, poll_function, struct status *);
int integrate_tanhsinh(const struct integral_job *, const struct sampler *, poll_function, struct status *);
int integrate_cubature(const struct integral_job *, const struct sampler *, poll_function, struct status *);

/* By samples, with a standard error: finite limits, any number of axes. */
int integrate_sampled(const struct integral_job *, const struct sampler *, poll_function, struct status *);

#endif
