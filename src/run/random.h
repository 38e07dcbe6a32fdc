/* Random numbers of one law, many at a time.
 *
 * The formulas of stable/random.h over arrays side by side, so that the compiler spreads them over
 * vector lanes.  An element has the bits that draw_at() gives it.
 */
#ifndef STABLECL_RUN_RANDOM_H
#define STABLECL_RUN_RANDOM_H

#include <stddef.h>
#include "../stable/random.h"

/* Elements first, ..., first + count - 1 of the stream of a key. */
void sample(const struct draw_law *, const struct draw_place *, struct philox_key, uint64 first, size_t count,
            double *y);

#endif
