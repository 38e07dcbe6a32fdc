/* plan/charts.h: a bounded store of charts, the least recently used of which goes first. */
#ifndef STABLECL_CHARTS_H
#define STABLECL_CHARTS_H

#include "chart.h"

#define CHARTS_MAX 256

struct charts {
    struct chart *kept[CHARTS_MAX];     /* most recently used first; NULL: free */
};

/* The chart of (alpha, beta), or NULL; valid until the next charts_keep() or charts_trim(). */
struct chart *charts_find(struct charts *, double alpha, double beta);

/* Takes the chart over (NULL is fine), in front.  What then is beyond the limit goes, but not
 * the chart itself. */
void charts_keep(struct charts *, struct chart *);

/* Bytes that a store may hold, for all of them; and that one holds. */
void charts_set_limit(size_t bytes);
size_t charts_limit(void);
size_t charts_bytes(const struct charts *);

/* Give up charts until no more than so many bytes are held. */
void charts_trim(struct charts *, size_t bytes);

void charts_clear(struct charts *);

#endif
