/* Copies between the user's columns and staging memory, on several threads if the amount is large enough.  The
 * threads are then also the first to access newly allocated memory. */
#ifndef STABLECL_OPENCL_TRANSFER_H
#define STABLECL_OPENCL_TRANSFER_H

#include "../base/column.h"

/* Copies elements first, ..., first + count - 1 of a recycled column. */
void transfer_in(double *to, const struct column *from, size_t first, size_t count);

void transfer_out(double *to, const double *from, size_t count);

#endif
