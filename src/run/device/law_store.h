/* The law that the elements of a batch share, and the node sets built for it.
 *
 * They are kept in host memory; each device has a copy, which it renews when `version` changes.
 */
#ifndef STABLECL_RUN_DEVICE_LAW_STORE_H
#define STABLECL_RUN_DEVICE_LAW_STORE_H

#include "../../base/status.h"
#include "shared.h"

struct store {
    unsigned version;                   /* incremented with every change; 0: no law yet */
    struct device_shape shape;
    int has_mode;
    int slot[SLOTS];
    struct device_node_set *node_sets;
    int count, node_set_room;
    double *nodes;
    int used, node_room;                /* numbers of doubles */
};

/* Sets the law of the next batch; node sets of a different law are discarded. */
int store_set(struct store *, double alpha, double beta, int pm, struct status *);

/* Builds the node sets whose slots are marked and empty. */
int store_build(struct store *, const int *marked, struct status *);

void store_free(struct store *);

#endif
