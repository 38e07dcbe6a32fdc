/* What the text of an integrand leaves to a buffer: its tables, and the sheets of its laws. */
#ifndef STABLECL_INTEGRAND_DEVICE_CONSTANTS_H
#define STABLECL_INTEGRAND_DEVICE_CONSTANTS_H

#include "program.h"

/* Does a law have one shape, and thus a head (interpolant/packed.h) in the buffer, and where? */
int numbers_has_shape(const struct law_use *);
int numbers_head(const struct program *, int law);

/* The buffer, which the caller frees, and how many doubles it holds; slots complete.  0 or a code. */
int device_constants_build(const struct program *, const double *slot, double **buffer, size_t *size, struct status *);

#endif
