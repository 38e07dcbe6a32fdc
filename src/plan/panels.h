/* plan/panels.h: a bounded store of the panels of one shape.
 *
 * A panel (core/panel.h) is laid for one value of log G and serves a cell of
 * width `quantum` around it; a sample of one shape needs some hundred cells.
 * When the store is full it is emptied: memory stays below PANELS_MAX panels.
 */
#ifndef STABLECL_PANELS_H
#define STABLECL_PANELS_H

#include "../core/panel.h"

#define PANELS_MAX 1024

struct panels {
    int count;
    struct { long long key; struct panel panel; } slot[2 * PANELS_MAX];   /* open addressing; n = 0: free */
};

struct panels *panels_new(void);
void panels_free(struct panels *);
void panels_clear(struct panels *);

/* The panel of a key, or NULL; the copy of a laid one (NULL when memory is short). */
const struct panel *panels_find(const struct panels *, long long key);
const struct panel *panels_keep(struct panels *, long long key, const struct panel *laid);

#endif
