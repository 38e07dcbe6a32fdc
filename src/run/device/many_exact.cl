/* Sums of exact log densities over many samples, each with its own law (many.cl), with one work-group per part of a
 * request; over all elements, or over those outside the tensor approximation. */
#include "../../special/called.h"
#include "shared.h"
#include "rows_kernel.h"
#include "pieces_kernel.h"
#include "../../stable/streamed_sum.h"

static double log_density(const struct user_law *l, const struct standard *law, double x)
{
    int nans;
    struct user_argument at;
    struct point_values y;
    struct stable_value v;
    if (user_argument(l, 0.0, x, WANT_PDF, 1, &at, &y, &nans)) return y.pdf;
    value_streamed(law, at.z, 1, &v);
    user_values(l, &at, &v, WANT_PDF, 1, &y);
    return y.pdf;
}

__kernel __attribute__((reqd_work_group_size(PARTIAL_SUMS, 1, 1)))
void many_exact(__global const struct device_request *request, int first, __global const double *tables,
                const struct device_tables at, __global const double *x, __global double *sums)
{
    __local struct double_double partial[PARTIAL_SUMS];
    int part = (int) get_group_id(0), item = (int) get_local_id(0);
    __global const struct device_request *r = request + first + get_group_id(1);
    if (part >= r->parts) return;
    __global const int *base = (__global const int *) tables + at.base + 2 * r->base;
    __global const int *entry = (__global const int *) tables + at.piece;
    struct approximation_frame f = r->frame;
    int end = min((part + 1) * MANY_EXACT_PART, r->n), only_outside = r->pieces > 0;
    double root, t;
    struct double_double sum = { 0.0, 0.0 };
    struct user_law l = r->law;
    struct standard law;

    standard_set(&law, l.alpha, l.beta);
    for (int i = part * MANY_EXACT_PART + item; i < end; i += PARTIAL_SUMS) {
        double at_x = x[r->first + i], y = approximation_y(&f, approximation_z(&f, at_x));
        if (only_outside && piece_of(r, &f, base, entry, y, &root, &t) >= 0) continue;
        sum = compensated_add(sum, log_density(&l, &law, at_x));
    }
    sum = add_partial_sums(sum, partial);
    if (item == 0) sums[r->part + part] = sum.hi + sum.lo;
}
