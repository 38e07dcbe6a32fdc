/* Methods for computing many integrals of one integrand. */
#ifndef STABLECL_QUADRATURE_QUADRATURE_H
#define STABLECL_QUADRATURE_QUADRATURE_H

#include "integrand_jobs.h"
#include "integral.h"
#include "../integrand/sampler.h"

/* Further members of the jobs of integrate_sampled(): the method and, for each integral, chi^2 and its degrees of
 * freedom if iterations are compared. */
enum sampling_kind { NO_SAMPLING, SAMPLE_VEGAS, SAMPLE_LATTICE, SAMPLE_PRODUCT };

struct sampling {
    enum sampling_kind how;
    double *chi2, *freedom;
};

/* n integrals over `dim` axes of an integrand with one or several components: the value, error and status of component
 * c of integral i have the index c n + i; `evaluations` counts the points of integral i, where all components are
 * evaluated.  The limits of each axis are recycled to n; they may be infinite if there is one axis
 * only.  Parameter k of integral i is parameter[k n + i].  `breaks` are increasing and split the ranges that contain
 * them; they require a single axis. */
struct integral_job {
    size_t n, first;                    /* number of integrals; index of the first among those of a call in R */
    int dim, components;
    const struct column *lower, *upper; /* of each axis */
    const double *parameter;
    int parameters;
    const double *breaks;
    int break_count;
    double rel_tol, abs_tol, max_eval;  /* tolerances and largest number of evaluations of each integral */
    double *value, *error, *evaluations;
    int *status;                        /* Integrals with INTEGRAL_NOT_DONE on entry are computed, all others left
                                           unchanged.  Accessed atomically: a poll may read it while threads write */
    union method_options option;
    struct column each;                 /* the option with one number for all integrals, or one for each */
    double *bound;                      /* NULL unless the method returns error bounds */
    const struct sampling *sampling;    /* NULL for the other methods */
};

/* integrate_cubature() requires two or more axes and finite limits, integrate_forward() takes any number of axes, the
 * others one axis.  Each computes the integrals with status INTEGRAL_NOT_DONE and returns 0 or a status code; integrals
 * finished before a failure are valid. */
int integrate_gk(const struct integral_job *, const struct sampler *, poll_function, struct status *);
int integrate_tanhsinh(const struct integral_job *, const struct sampler *, poll_function, struct status *);
/* Requires infinite ranges and a frequency in `each`. */
int integrate_fourier(const struct integral_job *, const struct sampler *, poll_function, struct status *);
int integrate_simpson(const struct integral_job *, const struct sampler *, poll_function, struct status *);
int integrate_forward(const struct integral_job *, const struct sampler *, poll_function, struct status *);
int integrate_kern_alaghband(const struct integral_job *, const struct sampler *, poll_function, struct status *);
int integrate_cubature(const struct integral_job *, const struct sampler *, poll_function, struct status *);

/* Integrates by vegas, lattice rules or products of Gauss rules, over any number of axes with finite limits. */
int integrate_sampled(const struct integral_job *, const struct sampler *, poll_function, struct status *);

#endif
