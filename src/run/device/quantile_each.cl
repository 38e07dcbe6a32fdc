/* Quantiles of elements that each have their own (alpha, beta). */
#include "varying_shape_kernel.h"
#include "../../stable/quantile_search.h"

__kernel void quantile_each(ARGUMENTS)
{
    int i = ELEMENT_OF((int) get_global_id(0)), nans;
    if (is_skipped(&job, i, state)) return;
    struct user_law l = LAW_OF(i);
    double p = X_OF(i), answer;
    if (!user_quantile_is_invalid(&l, p, job.give_log, &answer, &nans)) {
        struct standard law;
        standard_set(&law, l.alpha, l.beta);
        struct frame f = user_frame(&l, MODE_OF(i));
        if (!user_quantile_at_boundary(&l, &f, standard_zeta(&law), p, job.lower, job.give_log, &answer, &nans)) {
            struct quantile q;
            struct argument z;
            struct stable_value v;
            quantile_start(&q, &law, p, job.lower, job.give_log);
            while (quantile_needs_value(&q, &z)) {
                value_streamed(&law, z, 0, &v);
                quantile_update(&q, &v);
            }
            nans = user_quantile(&l, &f, quantile_result(&q, &law, f.shifted), &answer);
        }
    }
    if (nans) flags[FLAG_NANS] = 1;
    out[i] = answer;
}
