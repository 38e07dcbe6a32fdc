/* Values of an integrand by the processor at points of the ranges: what a device's program is
 * compared with, and how long a value takes. */
#ifndef STABLECL_QUADRATURE_REFERENCE_H
#define STABLECL_QUADRATURE_REFERENCE_H

#include "quadrature.h"

struct reference {
    struct integrand_reference shared;  /* first: what backends see of it */
    const struct integral_job *job;
    const struct column *parameter;
    const struct program *program;
    double *slot;
};

/* Nothing is computed before shared.compute() is called.  What is given must outlive it. */
void reference_begin(struct reference *, const struct integral_job *, const struct column *parameter,
                     const struct program *, double *slot);
void reference_free(struct reference *);

#endif
