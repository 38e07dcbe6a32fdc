/* Charts laid out as devices read them (interpolant/packed.h). */
#ifndef STABLECL_INTERPOLANT_PACK_H
#define STABLECL_INTERPOLANT_PACK_H

#include "packed.h"
#include "build.h"

/* The head, for a law of the chart's shape whose pm is not 2. */
struct packed packed_of(const struct interpolant *, const struct user_law *);

/* The buffer: its size in bytes, and what it holds. */
size_t packed_size(const struct packed *);
void packed_write(const struct interpolant *, const struct packed *, void *buffer);

#endif
