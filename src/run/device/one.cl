/* Values and quantiles of laws with the same (alpha, beta).
 *
 * One work-item per element.  The nodes are taken from node sets that the host has built; an element whose node set
 * is missing requests it and is computed again.
 */
#include "arguments_kernel.h"
#include "../../stable/quantile_search.h"

struct store {
    __global const struct device_shape *shape;
    __global const struct device_node_set *node_sets;
    __global const int *slot;
    __global double *nodes;
    __global int *missing;
};

/* Computes the sums at p from its node set; returns STATE_DONE if the node set is present. */
static int sums_from_store(const struct store *t, const struct standard *law, const struct position *p,
                           struct sums *sums)
{
    long key;
    if (!standard_cell(law, p, &key) || key < -SLOT_ZERO || key >= SLOT_ZERO) return STATE_OWN;
    int k = t->slot[key + SLOT_ZERO];
    if (k == NO_NODE_SET) {
        t->missing[key + SLOT_ZERO] = 1;
        return STATE_MISSING;
    }
    struct device_node_set d = t->node_sets[k];
    struct node_set node_set = { d.n, d.form, d.error, d.log_G, d.g_min, t->nodes + d.offset,
                           t->nodes + d.offset + d.n, t->nodes + d.offset + 2 * d.n };
    node_set_sums(&node_set, p->log_G, sums);
    return STATE_DONE;
}

static int value_from_store(const struct store *t, const struct standard *law, struct abscissa z,
                            struct stable_value *v)
{
    struct position p;
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

static void note(int how, int i, __global int *flags, __global uchar *state)
{
    state[i] = (uchar) how;
    if (how == STATE_MISSING) flags[FLAG_MISSING] = 1;
    if (how == STATE_OWN) flags[FLAG_OWN] = 1;
}

static void eval_element(int i, ARGUMENTS)
{
    int nans, how = STATE_DONE;
    struct store store = { shape, node_sets, slot, nodes, missing };
    struct user_law l = SHARED_LAW(i);
    struct user_argument at;
    struct point_values y;
    struct stable_value v;
    if (!user_argument(&l, shape->mode, X_OF(i), job.what, job.give_log, &at, &y, &nans)) {
        struct standard law = shape->law;
        how = value_from_store(&store, &law, at.z, &v);
        if (how == STATE_DONE) user_values(&l, &at, &v, job.what, job.give_log, &y);
    }
    if (nans) flags[FLAG_NANS] = 1;
    if (how == STATE_DONE) write_values(&job, &y, i, out);
    note(how, i, flags, state);
}

__kernel void eval_one(ARGUMENTS)
{
    int i = (int) get_global_id(0);
    if (i >= job.n || (job.only_own && state[i] == STATE_DONE)) return;
    eval_element(i, PASSED_ON);
}

/* Evaluates the elements that eval_interpolant has listed, usually none.  States that are not written here are
 * STATE_DONE. */
__kernel void eval_rest(ARGUMENTS)
{
    for (int k = (int) get_global_id(0); k < bins[0]; k += (int) get_global_size(0))
        eval_element(index[k], PASSED_ON);
}

static void quantile_element(int i, ARGUMENTS)
{
    int nans, how = STATE_DONE;
    struct store store = { shape, node_sets, slot, nodes, missing };
    struct user_law l = SHARED_LAW(i);
    double p = X_OF(i), answer;
    if (!user_refuses(&l, p, job.give_log, &answer, &nans)) {
        struct standard law = shape->law;
        struct frame f = user_frame(&l, shape->mode);
        if (!user_quantile_at_border(&l, &f, standard_zeta(&law), p, job.lower, job.give_log, &answer, &nans)) {
            struct quantile q;
            struct abscissa z;
            struct stable_value v;
            quantile_start(&q, &law, p, job.lower, job.give_log);
            while (how == STATE_DONE && quantile_asks(&q, &z)) {
                how = value_from_store(&store, &law, z, &v);
                if (how == STATE_DONE) quantile_answer(&q, &v);
            }
            nans = user_quantile(&l, &f, quantile_result(&q, &law, f.shifted), &answer);
        }
    }
    if (nans && how == STATE_DONE) flags[FLAG_NANS] = 1;
    if (how == STATE_DONE) out[i] = answer;
    note(how, i, flags, state);
}

__kernel void quantile_one(ARGUMENTS)
{
    int i = (int) get_global_id(0);
    if (i >= job.n || (job.only_own && state[i] == STATE_DONE)) return;
    quantile_element(i, PASSED_ON);
}

/* Evaluates the elements that quantile_interpolant has listed, usually none. */
__kernel void quantile_rest(ARGUMENTS)
{
    for (int k = (int) get_global_id(0); k < bins[0]; k += (int) get_global_size(0))
        quantile_element(index[k], PASSED_ON);
}
