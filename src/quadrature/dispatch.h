/* Where the integrals of a translated function are computed: in threads, or on a device. */
#ifndef STABLECL_QUADRATURE_DISPATCH_H
#define STABLECL_QUADRATURE_DISPATCH_H

#include "quadrature.h"

typedef int (*integral_method)(const struct integral_job *, const struct sampler *, poll_function, struct status *);

/* How, and where: a wish of backend.h, "" for what is in force.  One that names devices must be met for all integrals
 * but those that take very many intervals, which are the CPU's. */
struct dispatch_preference {
    integral_method run;
    const char *backend;
};

/* `parameter`: the columns of parameters, of length 1 or n each, which job->parameter need not be.  *on_device: has a
 * device computed any?  0 or a code; what was finished by then is valid. */
int dispatch_integrals(const struct integral_job *, const struct column *parameter, const struct program *,
                       double *slot,
                       const struct dispatch_preference *, poll_function, int *on_device, struct status *);

/* The same in threads, with whatever gives the values. */
int dispatch_cpu(const struct integral_job *, const struct column *parameter, const struct sampler *, integral_method,
                 poll_function, struct status *);

/* All NOT_DONE, before anything else. */
void dispatch_begin(int *status, size_t n);

/* From 1 on, as R counts the levels of a factor. */
void dispatch_factor(int *status, size_t n);

/* Enforces what "converged" means, after any method on any backend: a finite value with a finite error within the
 * tolerance.  Other integrals that have stopped are limited by rounding, or not finite.  Returns the number of those
 * that are to be examined for divergence. */
struct tolerance { double relative, absolute; };
size_t dispatch_judge(int *status, const double *value, const double *error, const double *evaluations, size_t n,
                      struct tolerance, double enough);

/* Is an integral to be examined for divergence?  Those that have converged are if they took more than `enough`
 * evaluations. */
int dispatch_examines(int status, double evaluations, double enough);

/* How many have which status. */
#define STATUSES 9
void dispatch_count(const int *status, size_t n, double *count);

#endif
