/* Scores, and log densities with scores, of elements that each may have their own (alpha, beta).
 *
 * One work-item per element computes the densities of 20 or more neighbouring distributions (stable/score_rule.h), each
 * as the sum of nodes that it computes itself.  Large chunks are sorted first (order.cl).
 */
#include "../../special/called.h"
#include "arguments_kernel.h"
#include "../../stable/score_rule.h"

static struct mode_slopes slopes_at(__global const double *slopes)
{
    struct mode_slopes m = { { slopes[0], slopes[1] }, { slopes[2], slopes[3] } };
    return m;
}

NOINLINE void score_element(int i, ARGUMENTS)
{
    struct user_law l = LAW_OF(i);
    struct user_argument at;
    struct mode_slopes m = { { 0.0, 0.0 }, { 0.0, 0.0 } };
    double y[SCORE_COLUMNS], u = X_OF(i);
    int nans = 0, first = 0;

    if (!score_is_missing(&l, MODE_OF(i), u, &at, y)) {
        struct scorer s;
        struct scores d;
        scorer_set(&s, l.alpha, l.beta);
        score_at(&s, at.z, score_at_fixed_x(&l), &d);
        if (l.pm == 2) m = slopes_at(SLOPES_OF(i));
        score_chain_rule(&l, &at, u, &d, &m, y);
    }
    if (job.with_value) {
        struct point_values v;
        nans = point_streamed(&l, MODE_OF(i), u, WANT_PDF, 1, &v);
        out[i] = v.pdf;
        first = 1;
    }
    if (nans || score_has_nans(&l, u, y)) flags[FLAG_NANS] = 1;
    for (int c = first; c < SCORE_COLUMNS; c++) out[c * job.n + i] = y[c - first];
}

/* Processes all elements, or those that approximate_rows has listed, for which there are fewer work-items. */
__kernel void score_each(ARGUMENTS)
{
    int count = job.is_listed ? flags[FLAG_DEFERRED] : job.n, step = (int) get_global_size(0);
    for (int k = (int) get_global_id(0); k < count; k += step)
        score_element(job.is_listed ? index[k] : ELEMENT_OF(k), ARGUMENT_NAMES);
}
