/* Chooses the strata and allocates subcubes to them.
 *
 * The number of parts of each axis is the one that gives the most subcubes along the axis if all strata are bisected
 * equally often, with at most COUNT_MAX strata in all and at most one for EACH subcubes.  (One for 4 subcubes needs as
 * many evaluations over the suite of m-Cubes, but the allocation then takes longer than a device takes for the samples.
 * On one axis it is one for 4, because of singular endpoints: the errors of x^-0.45 at a tolerance of 1e-4 have a
 * standard deviation of 3.1 error estimates with EACH, and of 1.5 with EACH_LINE.)
 *
 * Of many axes the first STRATA_AXES are divided.  If only the first one is divided, the errors for integrals of four
 * of Genz's families with 1e6 points are up to 2.3 times as large in 20 dimensions, and about the same in 64.
 *
 * On one axis the number of parts differs from iteration to iteration.  A jump lies in a single subcube there, and the
 * two points of an antithetic pair lie on different sides of it if it is near the centre: all pairs then agree,
 * although their mean is wrong by the distance from the centre times the height of the jump.  With another number of
 * parts the jump lies elsewhere in its subcube, so that the iterations differ, which enters the error estimate
 * (vegas.c).  On several axes a jump crosses many subcubes.
 *
 * Subcubes are allocated evenly at first, then in proportion to s_h^0.75 as in vegas+ (Lepage 2021,
 * doi:10.1016/j.jcp.2021.110386), rounded down to a power of 2.  s_h^2 is the observed variance of the mean of a
 * subcube in stratum h.  Because it is estimated from few values, s_h^0.75 is averaged over the previous iterations
 * with weights 1/2, 1/4, ...
 */
#include <string.h>
#include "monte_carlo.h"
#include "../../base/memory.h"

#define COUNT_MAX    65536
#define COUNT_CHOSEN 4194304            /* the same if users choose the number of samples in a stratum */
#define EACH         16.0
#define EACH_LINE    4.0                /* replaces EACH on one axis */
#define PARTS_VARIED 0.25               /* share of the parts of a single axis that may be left out */
#define GOLDEN       0.6180339887498949 /* its multiples are spread evenly modulo 1 */
#define SHARES       4096               /* approximate number of shares, if there are enough subcubes */
#define MIN_BITS     6
#define MAX_BITS     14
#define STEPS        16                 /* keys per octave */
#define KEYS         (STRATA_LEVELS * STEPS)

void strata_free(struct strata *u)
{
    if (!u) return;
    memory_release(u->spread);
    memory_release(u->order);
    memory_release(u->observed);
    memory_release(u->key);
    memory_release(u->share);
    memory_release(u);
}

struct strata *strata_new(void)
{
    return memory_zeroed(1, sizeof(struct strata));
}

/* --- strata ---------------------------------------------------------------------------------------- */

/* Returns the number of parts of an axis, at most `maximum`, that repeated bisection brings closest to `wanted`. */
static int best_cut(double wanted, int maximum)
{
    double reached = 0.0;
    int best = 1;
    for (int cut = maximum; cut > 0 && 2 * cut > maximum; cut--) {
        double subcubes = ldexp(cut, ilogb(wanted / cut));
        if (!(subcubes > reached * (1.0 + 1e-9))) continue;
        reached = subcubes;
        best = cut;
    }
    return best;
}

/* Gives each stratum the spread of the previous stratum that contains its centre. */
static void transfer_spread(const struct strata *u, const int *before, const float *spread, float *now)
{
    for (size_t h = 0; h < u->count; h++) {
        size_t rest = h, there = 0, stride = 1;
        for (int k = 0; k < u->dim; k++) {
            size_t cuts = (size_t)u->cuts[k], was = (size_t)before[k];
            there += stride * ((2 * (rest % cuts) + 1) * was / (2 * cuts));
            rest /= cuts;
            stride *= was;
        }
        now[h] = spread[there];
    }
}

static int reserve(struct strata *u)
{
    if (u->count <= u->capacity) return 1;
    memory_release(u->order);
    memory_release(u->observed);
    memory_release(u->key);
    u->capacity = u->count;
    u->order = memory_allocate(u->capacity * sizeof *u->order);
    u->observed = memory_allocate(u->capacity * sizeof *u->observed);
    u->key = memory_allocate(u->capacity * sizeof *u->key);
    if (u->order && u->observed && u->key) return 1;
    u->capacity = 0;
    return 0;
}

int strata_cut(struct strata *u, int axes, double subcubes, int samples, uint32 round)
{
    int dim = axes < STRATA_AXES ? axes : STRATA_AXES;
    int before[STRATA_AXES];
    double each = samples ? (double)samples / STRATA_POINTS : dim == 1 ? EACH_LINE : EACH;
    double maximum = fmax(fmin(subcubes / each, samples ? COUNT_CHOSEN : COUNT_MAX), 1.0);
    double root = 1.0 / dim, up = 1.0 + 1e-9;
    int cut = best_cut(pow(subcubes, root) * up, (int)(pow(maximum, root) * up));
    if (dim == 1) cut -= (int)(PARTS_VARIED * cut * fmod(GOLDEN * round, 1.0));

    if (!u->even && cut == u->cuts[0]) return 1;
    memcpy(before, u->cuts, sizeof before);
    u->dim = dim;
    u->count = 1;
    for (int k = 0; k < dim; k++) u->count *= (size_t)(u->cuts[k] = cut);
    float *spread = memory_allocate(u->count * sizeof *spread);
    if (!spread || !reserve(u)) {
        memory_release(spread);
        return 0;
    }
    if (!u->even) transfer_spread(u, before, u->spread, spread);
    memory_release(u->spread);
    u->spread = spread;
    return 1;
}

/* --- subcubes -------------------------------------------------------------------------------------- */

/* Returns 4 plus the approximate binary logarithm of a number of subcubes, in units of 1/STEPS; at least 0. */
static int key_of(double subcubes)
{
    int octave;
    if (!(subcubes > 1.0 / 16.0)) return 0;
    double mantissa = frexp(subcubes, &octave);
    int key = (octave + 3) * STEPS + (int)((2.0 * mantissa - 1.0) * STEPS);
    return key < KEYS ? key : KEYS - 1;
}

static int level_of(int key, int shift)
{
    int level = (key + shift - 4 * STEPS) / STEPS;
    return key + shift < 4 * STEPS ? 0 : level < STRATA_LEVELS ? level : STRATA_LEVELS - 1;
}

static double total_of(const size_t *count, int shift)
{
    double total = 0.0;
    for (int key = 0; key < KEYS; key++) total += ldexp((double)count[key], level_of(key, shift));
    return total;
}

/* Returns the largest shift of the keys with which the allocation needs no more than `subcubes`. */
static int shift_for(const size_t *count, double subcubes)
{
    int shift = STEPS;
    while (shift > -KEYS && total_of(count, shift) > subcubes) shift--;
    return shift;
}

/* Sorts the strata by level, the highest first, and sets the plan. */
static void set_order(struct strata *u, const size_t *count, int shift)
{
    struct strata_plan *p = &u->plan;
    uint32 next[STRATA_LEVELS], members[STRATA_LEVELS] = { 0 };

    for (int key = 0; key < KEYS; key++) members[level_of(key, shift)] += (uint32)count[key];
    p->subcubes = p->highest = 0;
    uint32 rank = 0;
    for (int q = STRATA_LEVELS - 1; q >= 0; q--) {
        if (members[q] && q > p->highest) p->highest = q;
        p->start[q] = p->subcubes;
        p->rank[q] = next[q] = rank;
        rank += members[q];
        p->subcubes += (uint64)members[q] << q;
    }
    for (size_t h = 0; h < u->count; h++) u->order[next[level_of(u->key[h], shift)]++] = (uint32)h;
}

static int set_shares(struct strata *u)
{
    double each = (double)u->plan.subcubes / SHARES;
    int bits = each > 1.0 ? ilogb(each) : 0;
    u->share_bits = bits < MIN_BITS ? MIN_BITS : bits > MAX_BITS ? MAX_BITS : bits;
    u->shares = (size_t)((u->plan.subcubes - 1) >> u->share_bits) + 1;
    if (u->shares <= u->share_capacity) return 1;
    memory_release(u->share);
    u->share = memory_allocate(u->shares * sizeof *u->share);
    u->share_capacity = u->share ? u->shares : 0;
    return u->share != NULL;
}

int strata_allocate(struct strata *u, double subcubes)
{
    size_t count[KEYS] = { 0 };
    double sum = 0.0;

    for (size_t h = 0; h < u->count && !u->even; h++) sum += u->spread[h];
    int even = u->even || !(sum > 0.0) || isinf(sum);
    for (size_t h = 0; h < u->count; h++) {
        double share = even ? 1.0 / (double)u->count : u->spread[h] / sum;
        u->key[h] = (unsigned short)key_of(subcubes * share);
        count[u->key[h]]++;
    }
    set_order(u, count, shift_for(count, subcubes));
    return set_shares(u);
}

/* --- observed variances ------------------------------------------------------------------------------- */

/* The variance of a stratum that fills one or more shares follows from the sums of the shares. */
void strata_update_spread(struct strata *u)
{
    const struct strata_plan *p = &u->plan;
    for (int q = p->highest; q >= u->share_bits; q--) {
        size_t each = (size_t)1 << (q - u->share_bits), next = (size_t)(p->start[q] >> u->share_bits);
        for (uint32 rank = p->rank[q]; rank < (q > 0 ? p->rank[q - 1] : (uint32)u->count); rank++) {
            double square = 0.0;
            for (size_t k = 0; k < each; k++) square += u->share[next++].square;
            u->observed[rank] = strata_spread(ldexp(square, q));
        }
    }
    for (size_t rank = 0; rank < u->count; rank++) {
        float *spread = &u->spread[u->order[rank]];
        *spread = u->even ? u->observed[rank] : 0.5f * (*spread + u->observed[rank]);
    }
    u->even = 0;
}
