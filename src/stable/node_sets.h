/* A bounded store of the panels of one shape.
 *
 * A panel (stable/node_set.h) is laid for one value of log G and serves a cell around
 * it; a sample of one shape needs some hundred cells.  When the store is full it
 * is emptied: memory stays below NODE_SETS_MAX panels, and emptying costs no more
 * than what was kept.
 */
#ifndef STABLECL_STABLE_NODE_SETS_H
#define STABLECL_STABLE_NODE_SETS_H

#include "node_set.h"

#define NODE_SETS_MAX   512
#define NODE_SETS_INDEX 1024                /* a power of 2 above NODE_SETS_MAX */

struct node_sets {
    int count;
    short index[NODE_SETS_INDEX];       /* open addressing: 1 + number of a panel, 0 if free */
    long long key[NODE_SETS_MAX];
    struct node_set node_set[NODE_SETS_MAX];
};

struct node_sets *node_sets_new(void);
void node_sets_free(struct node_sets *);
void node_sets_clear(struct node_sets *);

/* The panel of a key, or NULL; the copy of a laid one (NULL when memory is short). */
const struct node_set *node_sets_find(const struct node_sets *, long long key);
const struct node_set *node_sets_keep(struct node_sets *, long long key, const struct node_set *built);

#endif
