/* Quantiles of laws with the same (alpha, beta). */
#include "one_shape_kernel.h"
#include "../../stable/quantile_search.h"

static void quantile_element(int i, ARGUMENTS)
{
    int nans, how = STATE_DONE;
    struct store store = { shape, node_sets, slot, nodes, missing };
    struct user_law l = SHARED_LAW(i);
    double p = X_OF(i), answer;
    if (!user_quantile_is_invalid(&l, p, job.give_log, &answer, &nans)) {
        struct standard law = shape->law;
        struct frame f = user_frame(&l, shape->mode);
        if (!user_quantile_at_boundary(&l, &f, standard_zeta(&law), p, job.lower, job.give_log, &answer, &nans)) {
            struct quantile q;
            struct argument z;
            struct stable_value v;
            quantile_start(&q, &law, p, job.lower, job.give_log);
            while (how == STATE_DONE && quantile_needs_value(&q, &z)) {
                how = value_from_store(&store, &law, z, &v);
                if (how == STATE_DONE) quantile_update(&q, &v);
            }
            nans = user_quantile(&l, &f, quantile_result(&q, &law, f.shifted), &answer);
        }
    }
    if (nans && how == STATE_DONE) flags[FLAG_NANS] = 1;
    if (how == STATE_DONE) out[i] = answer;
    record_state(how, i, flags, state);
}

__kernel void quantile_one(ARGUMENTS)
{
    int count = ELEMENTS_HERE, step = (int) get_global_size(0);
    for (int k = (int) get_global_id(0); k < count; k += step) {
        int i = ELEMENT_HERE(k);
        if (i >= 0) quantile_element(i, ARGUMENT_NAMES);
    }
}
