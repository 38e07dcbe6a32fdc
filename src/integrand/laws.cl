/* Stable laws within an integrand.
 *
 * A law whose shape is the same for all points is evaluated by its packed interpolant.  Values outside the range of the
 * interpolant, and laws whose shape differs from point to point, are computed as if each point had its own law.  This
 * code takes seconds to compile, so only programs that need such values contain it (laws_interpolated.cl).
 */
#include "../stable/streamed_sum.h"
#include "interpolated_kernel.h"

/* Computes one value without an interpolant.  Not inlined: it is called from several places and, if the law has an
 * interpolant, needed at few points. */
NOINLINE double law_single(double x, struct user_law l, double mode, int what, int give_log)
{
    struct point_values y;
    point_streamed(&l, mode, x, what, give_log, &y);
    return selected_value(&y, what);
}

NOINLINE double op_stable(double x, double alpha, double beta, double gamma, double delta, int pm, int what,
                          int give_log)
{
    struct user_law l = { alpha, beta, gamma, delta, pm };
    return law_single(x, l, 0.0, what, give_log);
}

static double value_outside(__global const double *tables, const struct law_head *head, double x, struct user_law l,
                            int what, int give_log)
{
    return law_single(x, l, head->mode, what, give_log);
}
