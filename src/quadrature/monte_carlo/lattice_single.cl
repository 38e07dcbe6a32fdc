/* Sums over the points of lattices in single precision, a share in each work group, as in lattice.cl.
 *
 * Each sum is an unevaluated sum hi + lo of two numbers.  The error-free transformation of Knuth (TAOCP 2, 4.2.2) gives
 * the rounding error of each addition, which is added to lo: the relative error of a sum of n values is about n^2 2^-48
 * of the sum of their absolute values, and the rounding errors of the values themselves dominate.
 */
#define SINGLE_PRECISION
#include "lattice_kernel.h"

static struct lattice_single_sums single_added(struct lattice_single_sums s, real v, real size)
{
    real sum = s.sum + v, part = sum - s.sum, all = s.size + size, share = all - s.size;
    s.sum_low += (s.sum - (sum - part)) + (v - part);
    s.size_low += (s.size - (all - share)) + (size - share);
    s.sum = sum;
    s.size = all;
    return s;
}

static struct lattice_single_sums single_joined(struct lattice_single_sums a, struct lattice_single_sums b)
{
    a.sum_low += b.sum_low;
    a.size_low += b.size_low;
    return single_added(a, b.sum, b.size);
}

__kernel __attribute__((reqd_work_group_size(BOX_ITEMS, 1, 1))) void lattice_single(
    const struct device_lattice job, __global const real *column, POOL pool, TABLES table,
    __global struct lattice_single_sums *sums)
{
    __global const uint *shift = (__global const uint *) (column + job.box.doubles);
    __local struct lattice_single_sums partial[BOX_ITEMS];
    int item = (int) get_local_id(0), share = job.first + (int) get_group_id(0);
    struct lattice_part part = part_of(&job, share);
    ulong from = (ulong) (share - part.share) << job.share_bits;
    struct lattice_single_sums total = { 0.0, 0.0, 0.0, 0.0 };

    shift += (part.shift + from / part.points) * AXES_MAX;
    for (uint q = (uint) item; q < 1u << job.share_bits; q += BOX_ITEMS) {
        uint k = part.first + part.step * ((uint) (from % part.points) + q);
        real weight, v = lattice_value(&job.box, &part, k, shift, &weight, column, pool, table);
        total = single_added(total, v, fabs(v));
    }
    REDUCE_GROUP(total, BOX_ITEMS, partial, single_joined);
    if (item == 0) sums[share] = total;
}
