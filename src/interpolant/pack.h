/* Copies interpolants to the format that devices read (interpolant/packed.h). */
#ifndef STABLECL_INTERPOLANT_PACK_H
#define STABLECL_INTERPOLANT_PACK_H

#include "packed.h"
#include "build.h"

/* Returns the head for a law that has the shape of the interpolant and pm = 0 or 1. */
struct packed packed_of(const struct interpolant *, const struct user_law *);

/* packed_size() returns the size of the buffer in bytes; packed_write() fills it. */
size_t packed_size(const struct packed *);
void packed_write(const struct interpolant *, const struct packed *, void *buffer);

#endif
