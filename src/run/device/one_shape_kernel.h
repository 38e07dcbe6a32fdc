/* Values of laws with the same (alpha, beta) from node sets that the host has built.  One work-item per element; an
 * element whose node set is missing requests it and is computed again. */
#ifndef STABLECL_RUN_DEVICE_ONE_SHAPE_KERNEL_H
#define STABLECL_RUN_DEVICE_ONE_SHAPE_KERNEL_H

#include "../../special/called.h"
#include "arguments_kernel.h"
#include "../../stable/value.h"

struct store {
    __global const struct device_shape *shape;
    __global const struct device_node_set *node_sets;
    __global const int *slot;
    __global double *nodes;
    __global int *missing;
};

/* Computes the sums at p from its node set; returns STATE_DONE if the node set is present. */
static int sums_from_store(const struct store *t, const struct standard *law, const struct standardised_argument *p,
                           struct sums *sums)
{
    long key;
    if (!standard_cell(law, p, &key) || key < -SLOT_ZERO || key >= SLOT_ZERO) return STATE_NO_CELL;
    int k = t->slot[key + SLOT_ZERO];
    if (k == NO_NODE_SET) {
        t->missing[key + SLOT_ZERO] = 1;
        return STATE_MISSING;
    }
    struct device_node_set d = t->node_sets[k];
    struct node_set node_set = { d.n, d.tail_form, d.error, { d.log_G, 0.0 }, d.g_min, t->nodes + d.offset,
                           t->nodes + d.offset + d.n, t->nodes + d.offset + 2 * d.n };
    node_set_sums(&node_set, p->log_G, sums);
    return STATE_DONE;
}

static int value_from_store(const struct store *t, const struct standard *law, struct argument z,
                            struct stable_value *v)
{
    struct standardised_argument p;
    struct sums sums;
    if (standard_closed(law, z, &p, v)) return STATE_DONE;
    if (standard_is_far(law, &p)) {
        struct tail tail = t->shape->tail[p.left];
        if (value_tail(&law->law, &p, &tail, v)) return STATE_DONE;
    }
    int how = sums_from_store(t, law, &p, &sums);
    if (how == STATE_DONE) value_from_sums(&law->law, &p, &sums, v);
    return how;
}

/* Records the state of element i, and flags states other than STATE_DONE. */
static void record_state(int how, int i, __global int *flags, __global uchar *state)
{
    state[i] = (uchar) how;
    if (how == STATE_MISSING) flags[FLAG_MISSING] = 1;
    if (how == STATE_NO_CELL) flags[FLAG_NO_CELL] = 1;
}

/* Number of the elements that a kernel processes: those of the chunk, or those that a kernel of interpolant.cl has
 * listed, usually none, for which there are fewer work-items.  States that are not written are STATE_DONE. */
#define ELEMENTS_HERE (job.is_listed ? bins[0] : job.n)

/* The element number k of these; -1 if it is complete. */
#define ELEMENT_HERE(k) (job.is_listed ? index[k] : job.only_no_cell && state[k] == STATE_DONE ? -1 : (k))

#endif
