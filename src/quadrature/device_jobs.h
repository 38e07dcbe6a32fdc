/* Computes integrals, and sums over the points of a box, on the selected devices. */
#ifndef STABLECL_QUADRATURE_DEVICE_JOBS_H
#define STABLECL_QUADRATURE_DEVICE_JOBS_H

#include "integrand_jobs.h"

/* Computes the first *done integrals on the devices of `preference` (as for backend_preference(); "" for the
 * current one), if there are any.  seconds: expected duration on the CPU; under "auto" a device must be expected
 * to save time. */
int integrals_on_device(const struct integrals_job *, const char *preference, double seconds, poll_function,
                        size_t *done, struct status *);

/* The same for all shares of a job over a box, which has so many points, or for none of them. */
int box_on_device(const struct box_job *, double points, const char *preference, double seconds, poll_function,
                  int *done, struct status *);

#endif
