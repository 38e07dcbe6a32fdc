/* A bounded store of charts, the least recently used of which goes first. */
#ifndef STABLECL_INTERPOLANT_CACHE_H
#define STABLECL_INTERPOLANT_CACHE_H

#include "build.h"

#define CACHE_MAX 256
#define CACHE_LIMIT ((size_t)32 << 20)         /* bytes, unless another limit is set; some 300 charts */

struct interpolants {
    struct interpolant *kept[CACHE_MAX];  /* most recently used first; NULL: free */
};

/* The chart of (alpha, beta), or NULL; valid until the next cache_build() or cache_trim(). */
struct interpolant *cache_find(struct interpolants *, double alpha, double beta);

/* Lays the chart of (alpha, beta), which is not there yet, with a crew to draw it, and keeps it in
 * front.  What then is beyond the limit goes, but not the chart itself.  NULL when memory is short. */
struct interpolant *cache_build(struct interpolants *, struct shape_pool *, double alpha, double beta);

/* Bytes that a store may hold, for all of them; and that one holds. */
void cache_set_limit(size_t bytes);
size_t cache_limit(void);
size_t cache_bytes(const struct interpolants *);

/* Give up charts until no more than so many bytes are held. */
void cache_trim(struct interpolants *, size_t bytes);

void cache_clear(struct interpolants *);

#endif
