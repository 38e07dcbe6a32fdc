/* Sums over the points of lattices (quadrature/monte_carlo/lattice_points.h; quadrature/monte_carlo/lattice.c,
 * importance_rounds.c).
 *
 * lattice_sums computes a share in each work group.  Its work items take neighbouring points; their sums are added in
 * pairs.
 *
 * lattice_bins computes the sum of v^2 over a bin of an axis in each work group, without searching for the points of
 * the bin.  Along an axis, point k has the phase k z 2^(32-m) + shift, in units of 2^-32.  With i = k z mod 2^m and s
 * the leading m bits of the shift, the leading m bits of the phase are (i + s) mod 2^m.  So the points of a bin are
 * k = (p - s)/z mod 2^m for consecutive numbers p; z is odd and therefore has an inverse.
 */
#include "lattice_kernel.h"

static struct lattice_sums lattice_joined(struct lattice_sums a, struct lattice_sums b)
{
    lattice_join(&a, &b);
    return a;
}

__kernel __attribute__((reqd_work_group_size(BOX_ITEMS, 1, 1))) void lattice_sums(
    const struct device_lattice job, __global const double *column, POOL pool, TABLES table, __global double *out)
{
    __global const uint *shift = (__global const uint *) (column + job.box.doubles);
    __global struct lattice_sums *sums = (__global struct lattice_sums *) out;
    __global double *square = (__global double *) (sums + job.shares) + AXES * MAP_BINS;
    __local struct lattice_sums partial[BOX_ITEMS];
    int item = (int) get_local_id(0), share = job.first + (int) get_group_id(0);
    struct lattice_part part = part_of(&job, share);
    ulong from = (ulong) (share - part.share) << job.share_bits;
    struct lattice_sums total = { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 };

    shift += (part.shift + from / part.points) * AXES_MAX;
    for (uint q = (uint) item; q < 1u << job.share_bits; q += BOX_ITEMS) {
        uint number = (uint) (from % part.points) + q, k = part.first + part.step * number;
        double weight, v = lattice_value(&job.box, &part, k, shift, &weight, column, pool, table);
        lattice_add_value(&total, v, weight, k);
        if (job.binned) square[number] = v * v;
    }
    REDUCE_GROUP(total, BOX_ITEMS, partial, lattice_joined);
    if (item == 0) sums[share] = total;
}

static double added(double a, double b)
{
    return a + b;
}

/* Returns 1/z modulo 2^32 for odd z, by Newton's iteration, which doubles the number of correct bits from three. */
static uint inverse(uint z)
{
    uint x = z;
    for (int k = 0; k < 4; k++) x *= 2u - z * x;
    return x;
}

__kernel __attribute__((reqd_work_group_size(BOX_ITEMS, 1, 1))) void lattice_bins(
    const struct device_lattice job, __global const double *column, POOL pool, TABLES table, __global double *out)
{
    __global const uint *shift = (__global const uint *) (column + job.box.doubles);
    __global double *bins = (__global double *) ((__global struct lattice_sums *) out + job.shares);
    __global const double *square = bins + AXES * MAP_BINS;
    __local double partial[BOX_ITEMS];
    int item = (int) get_local_id(0), number = (int) get_group_id(0), axis = number / MAP_BINS;
    int m = job.part[0].m;
    uint mask = (1u << m) - 1u, each = (1u << m) / MAP_BINS, from = (uint) (number % MAP_BINS) * each;
    uint before = shift[axis] >> (32 - m), back = inverse(lattice_generator[axis]);
    double sum = 0.0;

    for (uint p = (uint) item; p < each; p += BOX_ITEMS) sum += square[(from + p - before) * back & mask];
    REDUCE_GROUP(sum, BOX_ITEMS, partial, added);
    if (item == 0) bins[number] = sum;
}
