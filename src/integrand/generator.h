/* An integrand as OpenCL C. */
#ifndef STABLECL_INTEGRAND_GENERATOR_H
#define STABLECL_INTEGRAND_GENERATOR_H

#include "program.h"

/* The text of integrand() (quadrature/integrand_kernel.h), which the caller frees, after a line that defines AXES;
 * NULL, with ST_UNSUPPORTED, for what devices do not compute.  Numbers are not part of it but in slots and in what
 * device_constants.h lays: one text serves them all. */
char *source_of(const struct program *, int axes, struct status *);

#endif
