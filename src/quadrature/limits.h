/* Ranges of integrals, and the storage of their results. */
#ifndef STABLECL_QUADRATURE_LIMITS_H
#define STABLECL_QUADRATURE_LIMITS_H

#include "quadrature.h"
#include "parts.h"

#define EVALUATION_TIME 1e-8            /* approximate seconds of one evaluation */

/* Sets *low <= *high to the limits of integral i along axis k.  Returns the sign of the integral: -1 if the limits were
 * reversed, else 1. */
double range_of(const struct integral_job *, size_t i, int k, double *low, double *high);

/* Returns the parts of integral i along the first axis. */
struct parts parts_of(const struct integral_job *, size_t i);

/* TRUE if the limits or parameters of integral i determine its result: NaN if any is missing, 0 if the range is empty.
 * The result is then stored. */
int integral_is_trivial(const struct integral_job *, size_t i);

/* Stores the result of integral i, computed for limits in increasing order, with the sign of the given limits. */
void integral_end(const struct integral_job *, size_t i, double value, double error, int status);

#endif
