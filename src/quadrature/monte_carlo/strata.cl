/* Computes an iteration of stratified sampling (quadrature/monte_carlo/subcubes.h; quadrature/monte_carlo/subcubes.c),
 * share by share.
 *
 * A work group computes a share; its work items compute equal numbers of subcubes.  The numbers of subcubes of a
 * share, of a work item and of a stratum are powers of two, and each begins at a multiple of its size.  The subcubes of
 * a stratum are therefore a part of those of one work item, or all those of several work items, or all those of several
 * shares.  The order of summation is the same on all devices.
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

/* The sums of a work item.  open: the sum of e^2 in the stratum that has begun but not ended. */
struct item_sums { struct strata_sums sums; real open; };

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

__kernel __attribute__((reqd_work_group_size(BOX_ITEMS, 1, 1))) void strata_shares(
    const struct device_strata job, __global const real *column, POOL pool, TABLES table,
    __global struct strata_sums *sums)
{
    __global float *spread = (__global float *) (sums + job.shares);
    __global const uint *order = (__global const uint *) (column + job.box.doubles);
    __local struct item_sums partial[BOX_ITEMS];
    int item = (int) get_local_id(0), share = job.first + (int) get_group_id(0), digit[DIVIDED];
    int item_bits = job.share_bits - BOX_ITEM_BITS;
    uint64 t = ((uint64) share << job.share_bits) + ((uint64) item << item_bits), to = t + ((uint64) 1 << item_bits);
    int unit = strata_subcube_at(&job.plan, (uint64) share << job.share_bits).level;     /* no later level is higher */
    struct item_sums total = { empty(), 0.0 };
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
        total.open += strata_add(&total.sums, (real) (1u << (unit - at.level)), mean[0], mean[1]);
        if (at.level > item_bits || at.number + 1 < 1u << at.level) continue;
        if (at.level < job.share_bits) spread[at.rank] = strata_spread(total.open / (real) (1u << at.level));
        total.open = 0.0;
    }
    partial[item] = total;
    for (int bit = 0; bit < BOX_ITEM_BITS; bit++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item & ((2 << bit) - 1)) continue;
        struct item_sums other = partial[item + (1 << bit)];
        strata_join(&total.sums, &other.sums);
        if (at.level > item_bits + bit) total.open += other.open;
        partial[item] = total;
    }
    int bits = at.level - item_bits;
    if (bits > 0 && bits < BOX_ITEM_BITS && !(item & ((1 << bits) - 1)) && at.rank != 0xffffffffu)
        spread[at.rank] = strata_spread(total.open / (real) (1u << at.level));
    if (item == 0) sums[share] = total.sums;
}
