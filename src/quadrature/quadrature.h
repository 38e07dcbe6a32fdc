/* Many integrals of one integrand. */
#ifndef STABLECL_QUADRATURE_QUADRATURE_H
#define STABLECL_QUADRATURE_QUADRATURE_H

#include "integrand_jobs.h"
#include "integral.h"
#include "../integrand/sampler.h"

#define AXES_MAX 12

/* For methods that sample: which, the random numbers, one grid for all axes?, and for each integral chi^2 with its
 * degrees of freedom, where iterations are compared. */
enum { SAMPLE_VEGAS, SAMPLE_LATTICE, SAMPLE_PRODUCT };

struct sampling {
    int how, symmetric;
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
    int *status;                        /* NOT_DONE beforehand; other integrals are left alone.  A poll may read
                                           while threads write: atomic */
    const double *option;               /* what the method takes besides */
    int options;
    double *bound;                      /* forward: that of the paper */
    const struct sampling *sampling;    /* NULL: by a rule */
};

/* Cubature: two axes and more, finite limits; forward: any number; the others: one axis.  Each takes the integrals
 * with status NOT_DONE.  0 or a code; those that were finished by then are valid. */
int integrate_gk(const struct integral_job *, const struct sampler *, poll_function, struct status *);
int integrate_tanhsinh(const struct integral_job *, const struct sampler *, poll_function, struct status *);
int integrate_simpson(const struct integral_job *, const struct sampler *, poll_function, struct status *);
/* Options: the least and the largest step, 0: shares of the range. */
int integrate_forward(const struct integral_job *, const struct sampler *, poll_function, struct status *);
/* Options: intervals of a region, expansion, variant (enums of quadrature/published/continuity.h), two words of a key. */
int integrate_kern_alaghband(const struct integral_job *, const struct sampler *, poll_function, struct status *);
int integrate_cubature(const struct integral_job *, const struct sampler *, poll_function, struct status *);

/* By samples, with a standard error: finite limits, any number of axes. */
int integrate_sampled(const struct integral_job *, const struct sampler *, poll_function, struct status *);

#endif
