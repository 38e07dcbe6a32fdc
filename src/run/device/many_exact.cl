/* Sums of exact log densities over many samples, each with its own law (many.cl).  One work-group per request. */
#include "../../special/called.h"
#include "shared.h"
#include "rows_kernel.h"
#include "../../stable/streamed_sum.h"

static double log_density(const struct user_law *l, const struct standard *law, double x)
{
    int nans;
    struct user_argument at;
    struct point_values y;
    struct stable_value v;
    if (user_argument(l, 0.0, x, WANT_PDF, 1, &at, &y, &nans)) return y.pdf;
    value_single(law, at.z, 1, &v);
    user_values(l, &at, &v, WANT_PDF, 1, &y);
    return y.pdf;
}

__kernel __attribute__((reqd_work_group_size(TOTAL_LANES, 1, 1)))
void many_exact(__global const struct device_request *request, int first, __global const double *x,
                __global double *sums)
{
    __local struct double_double lanes[TOTAL_LANES];
    int group = first + (int) get_group_id(0), lane = (int) get_local_id(0);
    __global const struct device_request *r = request + group;
    struct double_double sum = { 0.0, 0.0 };
    struct user_law l = r->law;
    struct standard law;

    standard_set(&law, l.alpha, l.beta);
    for (int i = lane; i < r->n; i += TOTAL_LANES) sum = total_take(sum, log_density(&l, &law, x[r->first + i]));
    sum = join_lanes(sum, lanes);
    if (lane == 0) sums[group] = sum.hi + sum.lo;
}
