/* The buffer of constants that the generated text of an integrand reads: its tables and the packed interpolants of its
 * laws. */
#ifndef STABLECL_INTEGRAND_DEVICE_CONSTANTS_H
#define STABLECL_INTEGRAND_DEVICE_CONSTANTS_H

#include "program.h"

/* TRUE if alpha and beta of a law are the same for all points. */
int device_constants_has_shape(const struct law_use *);

/* Returns the index in the buffer of a law's head (interpolant/packed.h). */
int device_constants_head(const struct program *, int law);

/* Builds the buffer, which the caller frees, and sets its size in doubles.  All slots must have been computed.  Returns
 * ST_OK or a failure code. */
int device_constants_build(const struct program *, const double *slot, double **buffer, size_t *size, struct status *);

#endif
