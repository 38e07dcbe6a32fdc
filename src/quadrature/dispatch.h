/* Chooses whether the integrals of a translated function are computed by CPU threads or on a device. */
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

#endif
