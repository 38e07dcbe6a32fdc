/* A bounded store of the node sets of one shape.
 *
 * A node set (node_set.h) is built for one value of log G and is used for a cell around it; a sample from one
 * distribution needs about a hundred cells.  A full store is emptied: it never holds more than NODE_SETS_MAX node sets,
 * and clearing it costs no more than filling it did.
 */
#ifndef STABLECL_STABLE_NODE_SETS_H
#define STABLECL_STABLE_NODE_SETS_H

#include "node_set.h"

#define NODE_SETS_MAX   512
#define NODE_SETS_INDEX 1024                /* a power of 2 above NODE_SETS_MAX */

struct node_sets {
    int count;
    short index[NODE_SETS_INDEX];       /* open addressing: 1 + number of the node set, 0 if free */
    long long key[NODE_SETS_MAX];
    struct node_set node_set[NODE_SETS_MAX];
};

struct node_sets *node_sets_new(void);
void node_sets_free(struct node_sets *);
void node_sets_clear(struct node_sets *);

/* node_sets_find returns the node set of a key, or NULL.  node_sets_keep stores a copy of a newly built node set and
 * returns it, or NULL if memory is short.  Stored node sets are valid until the store is cleared, which node_sets_keep
 * does if it is full. */
const struct node_set *node_sets_find(const struct node_sets *, long long key);
const struct node_set *node_sets_keep(struct node_sets *, long long key, const struct node_set *built);

#endif
