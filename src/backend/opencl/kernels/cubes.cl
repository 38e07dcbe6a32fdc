/* backend/opencl/kernels/cubes.cl: an iteration of stratified sampling (core/cubes.h; integrate/vegas.c), share by
 * share.
 *
 * A group for each share, a run of cubes; a work item for each cube, CUBES_LANES of them at a time.  The host says
 * where each share begins and the number of its first sample; those before a cube in its share are counted here.  Sums
 * are formed in one order, whatever the device.
 */
#include "integrand.h"

#ifndef AXES                            /* a kernel that is compiled without an integrand */
#  define AXES 2
#endif

/* --- a sample ------------------------------------------------------------------------------ */

struct cube { int digit[AXES]; };

static struct cube cube_of(const struct device_cubes *job, uint number)
{
    struct cube c;
    for (int k = 0; k < AXES; k++) {
        c.digit[k] = (int) (number % (uint) job->cuts[k]);
        number /= (uint) job->cuts[k];
    }
    return c;
}

static double value_at(const struct device_cubes *job, const struct cube *c, uint64 number,
                       __global const double *column, SLOTS slot, TABLES table)
{
    __global const double *node = column + job->parameters;
    double x[INPUTS], weight = 1.0;

    for (int group = 0; 4 * group < AXES; group++) {
        struct philox_block r = cubes_words(job->key, number, job->round, (uint32) group, job->integral);
        for (int j = 0; j < 4 && 4 * group + j < AXES; j++) {
            int k = 4 * group + j;
            double y = cubes_place(c->digit[k], job->part[k], r.word[j]);
            if (job->warped) {
                struct warped w = warp(node + k * WARP_ROOM, y, warp_bin(y));
                y = w.x;
                weight *= w.slope;
            }
            x[k] = job->low[k] + job->width[k] * y;
        }
    }
    for (int k = AXES; k < INPUTS; k++) x[k] = column[k - AXES];
    return weight == 0.0 ? 0.0 : integrand(x, slot, table) * weight * job->scale;
}

/* --- a cube ---------------------------------------------------------------------------------- */

/* Of the values in a cube: mean, and the variance of the mean. */
struct outcome { double mean, square; };

/* The sums are over differences from the first value, which keep their digits. */
static struct outcome sample_cube(const struct device_cubes *job, uint number, uint n, uint64 first,
                                  __global const double *column, SLOTS slot, TABLES table, __global float *spread)
{
    struct cube c = cube_of(job, number);
    double origin = 0.0, sum = 0.0, square = 0.0;
    for (uint q = 0; q < n; q++) {
        double v = value_at(job, &c, first + q, column, slot, table);
        if (q == 0) origin = v;
        v -= origin;
        sum += v;
        square += v * v;
    }
    double mean = sum / n, variance = fmax((square - sum * mean) / (n - 1.0), 0.0), root = sqrt(sqrt(variance));
    struct outcome o = { origin + mean, variance / n };
    *spread = (float) fmin(root * sqrt(root), 1e30);
    return o;
}

/* --- a group ---------------------------------------------------------------------------------- */

__kernel __attribute__((reqd_work_group_size(CUBES_LANES, 1, 1))) void cubes_shares(
    const struct device_cubes job, __global const double *column, SLOTS slot, TABLES table, __global double *sums)
{
    __global const ulong *sample = (__global const ulong *) (column + job.doubles);
    __global const uint *start = (__global const uint *) (sample + job.shares), *points = start + job.shares + 1;
    __global float *spread = (__global float *) (sums + 2 * job.shares);
    __local uint count[CUBES_LANES];
    __local struct outcome lanes[CUBES_LANES];
    int lane = (int) get_local_id(0), share = (int) get_group_id(0);
    uint from = start[share], to = start[share + 1];
    uint64 number = sample[share];
    struct outcome all = { 0.0, 0.0 };

    for (uint base = from; base < to; base += CUBES_LANES) {
        uint k = base + (uint) lane, n = k < to ? points[k] : 0, before = 0, total = 0;
        count[lane] = n;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < CUBES_LANES; j++) {
            before += j < lane ? count[j] : 0;
            total += count[j];
        }
        if (n > 0 && n <= CUBES_HEAVY) {
            struct outcome o = sample_cube(&job, (uint) job.first + k, n, number + before, column, slot, table,
                                           spread + k);
            all.mean += o.mean;
            all.square += o.square;
        }
        number += total;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    lanes[lane] = all;
    for (int apart = CUBES_LANES / 2; apart > 0; apart /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane >= apart) continue;
        lanes[lane].mean += lanes[lane + apart].mean;
        lanes[lane].square += lanes[lane + apart].square;
    }
    if (lane > 0) return;
    sums[2 * share] = lanes[0].mean;
    sums[2 * share + 1] = lanes[0].square;
}
