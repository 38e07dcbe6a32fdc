/* A cache of interpolants of limited size that discards the least recently used ones. */
#ifndef STABLECL_INTERPOLANT_CACHE_H
#define STABLECL_INTERPOLANT_CACHE_H

#include "build.h"

#define CACHE_MAX 256
#define CACHE_LIMIT ((size_t)32 << 20)         /* default limit in bytes: about 300 interpolants */

struct interpolants {
    struct interpolant *kept[CACHE_MAX];  /* most recently used first; unused entries are NULL */
};

/* Returns the interpolant of (alpha, beta), or NULL if there is none.  The pointer is valid until the next call
 * of cache_build() or cache_trim(). */
struct interpolant *cache_find(struct interpolants *, double alpha, double beta);

/* Builds the interpolant of (alpha, beta), which is not cached yet, on the threads of the pool, and inserts it
 * as the most recently used one.  Then discards others until the limit is met.  NULL if memory is short. */
struct interpolant *cache_build(struct interpolants *, struct shape_pool *, double alpha, double beta);

/* The limit in bytes, which applies to each cache. */
void cache_set_limit(size_t bytes);
size_t cache_limit(void);

/* Discards interpolants until at most `bytes` bytes are in use. */
void cache_trim(struct interpolants *, size_t bytes);

void cache_clear(struct interpolants *);

#endif
