/* The derivatives of modes with respect to alpha and beta, which the scores of S2 need. */
#include "../../special/called.h"
#include "arguments_kernel.h"
#include "../../stable/score_rule.h"

#define ITEMS_PER_SLOPE (SLOPE_ITEMS / 2)   /* for each of the two derivatives, one for each node */

/* Computes the derivatives of the mode of element i, for i < job.modes and S2, with one work-group each. */
__kernel __attribute__((reqd_work_group_size(SLOPE_ITEMS, 1, 1))) void score_slopes(ARGUMENTS)
{
    __local double mode[2][ITEMS_PER_SLOPE];
    __local int open[2];                /* whether an error is still too large */
    int i = ELEMENT_OF((int) get_group_id(0)), item = (int) get_local_id(0);
    int what = item / ITEMS_PER_SLOPE, k = item % ITEMS_PER_SLOPE;
    struct user_law l = LAW_OF(i);
    int is_needed = user_needs_mode(&l);
    struct slope best = { 0.0, INFINITY };
    struct scorer s;

    if (k == 0) open[what] = is_needed;
    if (is_needed) scorer_set(&s, l.alpha, l.beta);
    double here = is_needed && k == 0 ? mode_streamed(l.alpha, l.beta, 0) : 0.0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int level = 0; level < SCORE_LEVELS && (open[0] || open[1]); level++) {
        if (open[what] && k < DIFFERENCE_NODES) {
            scorer_nodes(&s, what, level);
            mode[what][k] = scorer_mode_near(&s, what, k);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (open[what] && k == 0) {
            double all[DIFFERENCE_NODES];
            for (int n = 0; n < DIFFERENCE_NODES; n++) all[n] = mode[what][n];
            best = slope_more_accurate(best, mode_slope_from_nodes(&s.difference_rule, all, here));
            open[what] = slope_relative_error(best) > SLOPE_TOLERANCE;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (k > 0) return;
    SLOPES_OF(i)[2 * what] = best.value;
    SLOPES_OF(i)[2 * what + 1] = best.error;
}
