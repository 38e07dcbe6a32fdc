/* Values of an integrand computed by the CPU at points of the ranges, to verify a device program and to measure the
 * time of a value. */
#ifndef STABLECL_QUADRATURE_REFERENCE_H
#define STABLECL_QUADRATURE_REFERENCE_H

#include "quadrature.h"

struct reference {
    struct integrand_reference shared;  /* first member: backends see only this one */
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
