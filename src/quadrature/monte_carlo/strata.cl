/* Computes an iteration of stratified sampling (quadrature/monte_carlo/subcubes.h; quadrature/monte_carlo/subcubes.c),
 * share by share.
 *
 * A work group computes a share; its work items (lanes) compute equal numbers of subcubes.  The numbers of subcubes of
 * a share, a lane and a stratum are powers of two, and each begins at a multiple of its size.  A stratum therefore lies
 * within a lane, or fills several lanes, or fills several shares.  The order of summation is the same on all devices.
 */
#include "unit_cube_kernel.h"

#define DIVIDED (AXES < STRATA_AXES ? AXES : STRATA_AXES)   /* axes that are divided */

struct subcube { real from[DIVIDED], width[DIVIDED]; };

/* part: the length of the parts of each axis. */
static struct subcube cell_of(const real *part, struct strata_subcube at, const int *digit)
{
    struct subcube c;
    for (int k = 0; k < DIVIDED; k++) {
        struct strata_side side = strata_side(at, k, DIVIDED, digit[k], part[k]);
        c.from[k] = side.from;
        c.width[k] = side.length;
    }
    return c;
}

/* Returns the mean of the integrand over a pair.  The loop keeps a single call of the integrand in the text: with two,
 * the kernel takes twice as long to build. */
static real pair_mean(const struct device_strata *job, const struct subcube *c, uint pair, uint stratum,
                      __global const real *column, POOL pool, TABLES table)
{
    uint word[4 * ((AXES + 3) / 4)];
    real sum = 0.0, weight, y[AXES];

    for (uint group = 0; 4 * group < AXES; group++) {
        struct philox_block r = strata_words(job->key, pair, stratum, job->round, strata_group(group),
                                             job->integral);
        for (int j = 0; j < 4; j++) word[4 * group + j] = r.word[j];
    }
#pragma unroll 1
    for (int mirror = 0; mirror < 2; mirror++) {
        for (int k = 0; k < AXES; k++)
            y[k] = strata_coordinate(k < DIVIDED ? c->from[k] : (real) 0.0, k < DIVIDED ? c->width[k] : (real) 1.0,
                                     mirror ? ~word[k] : word[k]);
        weight = 1.0;
        sum += value_at(&job->box, y, &weight, column, pool, table);
    }
    return 0.5 * sum;
}

/* The sums of a lane.  open: the sum of e^2 in the stratum that has begun but not ended. */
struct lane { struct strata_sums sums; real open; };

/* Returns the sums of no subcube. */
static struct strata_sums empty(void)
{
#ifdef SINGLE_PRECISION
    struct strata_sums s = { { 0.0, 0.0 }, 0.0, 0.0 };
#else
    struct strata_sums s = { 0.0, 0.0, 0.0 };
#endif
    return s;
}

__kernel __attribute__((reqd_work_group_size(BOX_LANES, 1, 1))) void strata_shares(
    const struct device_strata job, __global const real *column, POOL pool, TABLES table,
    __global struct strata_sums *sums)
{
    __global float *spread = (__global float *) (sums + job.shares);
    __global const uint *order = (__global const uint *) (column + job.box.doubles);
    __local struct lane lanes[BOX_LANES];
    int lane = (int) get_local_id(0), share = job.first + (int) get_group_id(0), digit[DIVIDED];
    int lane_bits = job.share_bits - STRATA_LANE_BITS;
    uint64 t = ((uint64) share << job.share_bits) + ((uint64) lane << lane_bits), to = t + ((uint64) 1 << lane_bits);
    int unit = strata_subcube_at(&job.plan, (uint64) share << job.share_bits).level;     /* no later level is higher */
    struct lane own = { empty(), 0.0 };
    struct strata_subcube at = { 0xffffffffu, 0, 0 };
    real part[DIVIDED];

    for (int k = 0; k < DIVIDED; k++) part[k] = (real) 1.0 / (real) job.cuts[k];
    for (; t < to && t < job.plan.subcubes; t++) {
        uint before = at.rank;
        real mean[2];
        at = strata_subcube_at(&job.plan, t);
        if (at.rank != before) strata_digits(order[at.rank], job.cuts, DIVIDED, digit);
        struct subcube c = cell_of(part, at, digit);
#pragma unroll 1
        for (uint pair = 0; pair < 2; pair++)
            mean[pair] = pair_mean(&job, &c, 2 * at.number + pair, order[at.rank], column, pool, table);
        own.open += strata_add(&own.sums, (real) (1u << (unit - at.level)), mean[0], mean[1]);
        if (at.level > lane_bits || at.number + 1 < 1u << at.level) continue;
        if (at.level < job.share_bits) spread[at.rank] = strata_spread(own.open / (real) (1u << at.level));
        own.open = 0.0;
    }
    lanes[lane] = own;
    for (int bit = 0; bit < STRATA_LANE_BITS; bit++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane & ((2 << bit) - 1)) continue;
        struct lane other = lanes[lane + (1 << bit)];
        strata_join(&own.sums, &other.sums);
        if (at.level > lane_bits + bit) own.open += other.open;
        lanes[lane] = own;
    }
    int bits = at.level - lane_bits;
    if (bits > 0 && bits < STRATA_LANE_BITS && !(lane & ((1 << bits) - 1)) && at.rank != 0xffffffffu)
        spread[at.rank] = strata_spread(own.open / (real) (1u << at.level));
    if (lane == 0) sums[share] = own.sums;
}
