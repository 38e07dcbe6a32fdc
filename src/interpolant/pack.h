/* interpolant/pack.h: charts laid out as devices read them (interpolant/packed.h). */
#ifndef STABLECL_INTERPOLANT_PACK_H
#define STABLECL_INTERPOLANT_PACK_H

#include "packed.h"
#include "build.h"

/* The head, for a law of the chart's shape whose pm is not 2. */
struct sheet sheet_of(const struct chart *, const struct user_law *);

/* The buffer: its size in bytes, and what it holds. */
size_t sheet_size(const struct sheet *);
void sheet_write(const struct chart *, const struct sheet *, void *buffer);

#endif
