/* Generates OpenCL C, and the constants that it reads, from the program of an integrand. */
#ifndef STABLECL_INTEGRAND_GENERATOR_H
#define STABLECL_INTEGRAND_GENERATOR_H

#include "program.h"

/* Returns the text of integrand() (quadrature/integrand_kernel.h), preceded by a line that defines AXES; the caller
 * frees it.  Returns NULL with ST_UNSUPPORTED if devices cannot compute the integrand, with ST_MEMORY if memory is
 * short.  The numbers are not part of the text: they are in the slots and in the buffer of constants, so the
 * text does not change with them. */
char *source_of(const struct program *, int axes, struct status *);

/* Builds the buffer of constants that the text reads, the tables of the integrand and the packed interpolants of its
 * laws.  The caller frees the buffer, whose size in doubles is stored.  All slots must have been computed.  Returns
 * ST_OK or a failure code. */
int device_constants_build(const struct program *, const double *slot, double **buffer, size_t *size, struct status *);

#endif
