/* plan/charts.h: a bounded store of charts, the least recently used of which goes first. */
#ifndef STABLECL_CHARTS_H
#define STABLECL_CHARTS_H

#include "chart.h"

#define CHARTS_MAX 8

struct charts {
    struct chart *kept[CHARTS_MAX];     /* most recently used first; NULL: free */
};

/* The chart of (alpha, beta), or NULL; valid until the next charts_keep(). */
struct chart *charts_find(struct charts *, double alpha, double beta);

/* Takes the chart over (NULL is fine). */
void charts_keep(struct charts *, struct chart *);

void charts_clear(struct charts *);

#endif
