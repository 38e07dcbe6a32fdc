/* Chooses whether the integrals of a translated function are computed by CPU threads or on a device, and
 * computes the values by which a device is verified. */
#ifndef STABLECL_QUADRATURE_DISPATCH_H
#define STABLECL_QUADRATURE_DISPATCH_H

#include "method.h"

/* The method, and a backend as for backend_preference() ("": the one in force).  A preference that names devices
 * applies to all integrals except those that need very many intervals, which the CPU computes. */
struct dispatch_preference {
    const struct quadrature_method *method;
    const char *backend;
};

/* Computes the integrals with status INTEGRAL_NOT_DONE.  `parameter` holds the columns of parameters, each of length 1
 * or n; job->parameter is ignored.  *on_device is nonzero if a device computed any integral.  Returns 0 or a status
 * code; integrals finished before a failure are valid. */
int dispatch_integrals(const struct integral_job *, const struct column *parameter, const struct program *,
                       double *pool, const struct dispatch_preference *, poll_function, int *on_device,
                       struct status *);

/* Computes the integrals in CPU threads, with values from any sampler. */
int dispatch_cpu(const struct integral_job *, const struct column *parameter, const struct sampler *, integral_method,
                 poll_function, struct status *);

/* --- verification of devices (reference.c) --- */

/* Values of an integrand computed by the CPU at points of the ranges, to verify a device program and to measure the
 * time of a value. */
struct reference {
    struct integrand_reference shared;  /* first member, through which backends use it */
    const struct integral_job *job;
    const struct column *parameter;
    const struct program *program;
    double *pool;
};

/* Initialises a reference; nothing is computed before shared.compute() is called.  The arguments must outlive the
 * reference. */
void reference_begin(struct reference *, const struct integral_job *, const struct column *parameter,
                     const struct program *, double *pool);
void reference_free(struct reference *);

#endif
