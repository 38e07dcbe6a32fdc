/* The ranges of integrals, and how one ends. */
#ifndef STABLECL_QUADRATURE_LIMITS_H
#define STABLECL_QUADRATURE_LIMITS_H

#include "quadrature.h"
#include "parts.h"

#define EVALUATION_TIME 1e-8            /* seconds, about */

/* Limits of integral i along axis k, in order; the sign that turning them round costs. */
double range_of(const struct integral_job *, size_t i, int k, double *low, double *high);

/* The parts of the first axis. */
struct parts parts_of(const struct integral_job *, size_t i);

/* Whether limits or parameters leave nothing to do; it is finished then. */
int integral_is_trivial(const struct integral_job *, size_t i);

/* The result for limits in order. */
void integral_end(const struct integral_job *, size_t i, double value, double error, int status);

#endif
