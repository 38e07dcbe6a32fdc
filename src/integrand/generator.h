/* Generates OpenCL C from the program of an integrand. */
#ifndef STABLECL_INTEGRAND_GENERATOR_H
#define STABLECL_INTEGRAND_GENERATOR_H

#include "program.h"

/* Returns the text of integrand() (quadrature/integrand_kernel.h), preceded by a line that defines AXES; the caller
 * frees it.  Returns NULL with ST_UNSUPPORTED if devices cannot compute the integrand, with ST_MEMORY if memory is
 * short.  The numbers are not part of the text: they are in the slots and in the buffer of device_constants.h, so the
 * text does not change with them. */
char *source_of(const struct program *, int axes, struct status *);

#endif
