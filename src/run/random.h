/* Generates random numbers of one law in batches.
 *
 * Applies the formulas of stable/random.h to arrays, so that the compiler vectorises them.  Each element has
 * exactly the bits that draw_at() returns.
 */
#ifndef STABLECL_RUN_RANDOM_H
#define STABLECL_RUN_RANDOM_H

#include <stddef.h>
#include "../stable/random.h"

/* Computes elements first, ..., first + count - 1 of the stream of a key. */
void sample(const struct draw_law *, const struct draw_place *, struct philox_key, uint64 first, size_t count,
            double *y);

#endif
