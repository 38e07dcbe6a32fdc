/* interpolant/cache.h: a bounded store of charts, the least recently used of which goes first. */
#ifndef STABLECL_INTERPOLANT_CACHE_H
#define STABLECL_INTERPOLANT_CACHE_H

#include "build.h"

#define CHARTS_MAX 256
#define CHARTS_LIMIT ((size_t)32 << 20)         /* bytes, unless another limit is set; some 300 charts */

struct charts {
    struct chart *kept[CHARTS_MAX];     /* most recently used first; NULL: free */
};

/* The chart of (alpha, beta), or NULL; valid until the next charts_lay() or charts_trim(). */
struct chart *charts_find(struct charts *, double alpha, double beta);

/* Lays the chart of (alpha, beta), which is not there yet, with a crew to draw it, and keeps it in
 * front.  What then is beyond the limit goes, but not the chart itself.  NULL when memory is short. */
struct chart *charts_lay(struct charts *, struct crew *, double alpha, double beta);

/* Bytes that a store may hold, for all of them; and that one holds. */
void charts_set_limit(size_t bytes);
size_t charts_limit(void);
size_t charts_bytes(const struct charts *);

/* Give up charts until no more than so many bytes are held. */
void charts_trim(struct charts *, size_t bytes);

void charts_clear(struct charts *);

#endif
