/* stable/node_sets.h: a bounded store of the panels of one shape.
 *
 * A panel (stable/node_set.h) is laid for one value of log G and serves a cell around
 * it; a sample of one shape needs some hundred cells.  When the store is full it
 * is emptied: memory stays below PANELS_MAX panels, and emptying costs no more
 * than what was kept.
 */
#ifndef STABLECL_STABLE_NODE_SETS_H
#define STABLECL_STABLE_NODE_SETS_H

#include "node_set.h"

#define PANELS_MAX   512
#define PANELS_INDEX 1024                /* a power of 2 above PANELS_MAX */

struct panels {
    int count;
    short index[PANELS_INDEX];           /* open addressing: 1 + number of a panel, 0 if free */
    long long key[PANELS_MAX];
    struct panel panel[PANELS_MAX];
};

struct panels *panels_new(void);
void panels_free(struct panels *);
void panels_clear(struct panels *);

/* The panel of a key, or NULL; the copy of a laid one (NULL when memory is short). */
const struct panel *panels_find(const struct panels *, long long key);
const struct panel *panels_keep(struct panels *, long long key, const struct panel *laid);

#endif
