/* The law that a batch shares, and the panels laid for it so far.
 *
 * It lives in host memory; each device holds a copy, and `version` tells it when
 * to renew it.
 */
#ifndef STABLECL_RUN_DEVICE_LAW_STORE_H
#define STABLECL_RUN_DEVICE_LAW_STORE_H

#include "../../base/status.h"
#include "shared.h"

struct store {
    unsigned version;                   /* grows with every change; 0: no law yet */
    struct device_shape shape;
    int has_mode;
    int slot[SLOTS];
    struct device_node_set *node_sets;
    int count, node_set_room;
    double *nodes;
    int used, node_room;                /* doubles */
};

/* The law of the next batch; what was laid for another one goes. */
int store_set(struct store *, double alpha, double beta, int pm, struct status *);

/* Lay the panels whose slots are marked and empty. */
int store_build(struct store *, const int *marked, struct status *);

void store_free(struct store *);

#endif
