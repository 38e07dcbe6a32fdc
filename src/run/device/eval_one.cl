/* Values of laws with the same (alpha, beta). */
#include "one_shape_kernel.h"

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
    record_state(how, i, flags, state);
}

__kernel void eval_one(ARGUMENTS)
{
    int count = ELEMENTS_HERE, step = (int) get_global_size(0);
    for (int k = (int) get_global_id(0); k < count; k += step) {
        int i = ELEMENT_HERE(k);
        if (i >= 0) eval_element(i, ARGUMENT_NAMES);
    }
}
