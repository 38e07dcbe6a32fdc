/* Between the user's columns and staging memory, with threads
 * where the amount is worth it (fresh memory is also touched first by them). */
#ifndef STABLECL_OPENCL_TRANSFER_H
#define STABLECL_OPENCL_TRANSFER_H

#include "../base/column.h"

/* Elements first, ..., first + count - 1 of a recycled column. */
void transfer_in(double *to, const struct column *from, size_t first, size_t count);

void transfer_out(double *to, const double *from, size_t count);

#endif
