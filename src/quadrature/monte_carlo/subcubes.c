/* Computes the shares of an iteration of stratified sampling (subcubes.h), on a device or in threads.
 *
 * Devices may evaluate the integrand in single precision.  After the first iteration of a device, and after each change
 * of the importance map or of the way in which subcubes are allocated, the CPU computes n of its N shares again.  With
 * d_k the difference of the sum of v_i m_i (vegas.c) over share k, the N d_k are n estimates of the effect of rounding
 * on the integral, which enter the error as the differences between lattices do (lattice.c).  The mean of |f| is at
 * least that of the absolute values of N times the sums.  The shares begin with the strata of the largest variance, so
 * that those of a singularity are always compared.
 */
#include <stdlib.h>
#include <string.h>
#include "../box_jobs.h"
#include "monte_carlo.h"

#define COMPARED       64               /* largest number of shares that are computed again */
#define COMPARED_MIN   16               /* the CPU computes iterations of fewer shares */
#define SCALE_EXPONENT_MAX  126              /* of the scale of values in single precision */

/* --- a share ------------------------------------------------------------------------------------ */

#define STRIP MC_STRIP               /* first points of the pairs of a strip; their reflections follow */
#define STRIP_SUBCUBES (STRIP / 2)

/* The pairs of STRIP_SUBCUBES subcubes, along one axis. */
struct strip {
    uint32 pair[STRIP], stratum[STRIP], word[4][STRIP];
    double from[STRIP], width[STRIP];
};

static void set_axis(const struct strata *u, const struct strata_subcube *subcube, int (*digit)[STRATA_AXES], int k,
                     struct strip *s)
{
    int is_divided = k < u->dim;
    double part = is_divided ? 1.0 / u->cuts[k] : 1.0;
    for (int i = 0; i < STRIP_SUBCUBES; i++) {
        struct strata_side side = { 0.0, 1.0 };
        if (is_divided) side = strata_side(subcube[i], k, u->dim, digit[i][k], part);
        s->from[2 * i] = s->from[2 * i + 1] = side.from;
        s->width[2 * i] = s->width[2 * i + 1] = side.length;
    }
}

/* Not WIDE, for the reason given in run/element.c. */
static void set_words(const struct monte_carlo *c, struct strip *s, uint32 round, uint32 group)
{
    struct philox_key key = c->job->option.sampling.key;
    uint32 integral = mc_index(c);
    for (int q = 0; q < STRIP; q++) {
        struct philox_block r = strata_words(key, s->pair[q], s->stratum[q], round, group, integral);
        for (int j = 0; j < 4; j++) s->word[j][q] = r.word[j];
    }
}

WIDE void strip_coordinates(const double *restrict from, const double *restrict width, const uint32 *restrict word,
                      double *restrict y)
{
    for (int q = 0; q < STRIP; q++) y[q] = strata_coordinate(from[q], width[q], word[q]);
    for (int q = 0; q < STRIP; q++) y[STRIP + q] = strata_coordinate(from[q], width[q], ~word[q]);
}

/* Sets the points of the subcubes from number t on; if there are too few, the last one is repeated. */
static void fill_strip(const struct monte_carlo *c, uint32 round, uint64 t, struct strata_subcube *subcube,
                       struct workspace *b, int at)
{
    const struct strata *u = c->strata;
    struct strip s;
    int digit[STRIP_SUBCUBES][STRATA_AXES];
    for (int i = 0; i < STRIP_SUBCUBES; i++, t += t + 1 < u->plan.subcubes) {
        subcube[i] = strata_subcube_at(&u->plan, t);
        if (i && subcube[i].rank == subcube[i - 1].rank) memcpy(digit[i], digit[i - 1], sizeof digit[i]);
        else strata_digits(u->order[subcube[i].rank], u->cuts, u->dim, digit[i]);
        for (uint32 pair = 0; pair < 2; pair++) {
            s.pair[2 * i + (int)pair] = 2 * subcube[i].number + pair;
            s.stratum[2 * i + (int)pair] = u->order[subcube[i].rank];
        }
    }
    for (int k = 0; k < c->dim; k++) {
        if (k % 4 == 0) set_words(c, &s, round, strata_group((uint32)k / 4u));
        set_axis(u, subcube, digit, k, &s);
        strip_coordinates(s.from, s.width, s.word[k % 4], b->y[k] + at);
    }
}

/* Adds a subcube to the sums of its share.  `open` is the sum of e^2 in the stratum that has begun but not ended. */
static void add_subcube(struct strata *u, struct strata_subcube subcube, const double *value, struct strata_sums *s,
                        double *open)
{
    double one = 0.5 * (value[0] + value[STRIP]), two = 0.5 * (value[1] + value[STRIP + 1]);
    *open += strata_add(s, 1.0 / (1u << subcube.level), one, two);
    if (subcube.level >= u->share_bits || subcube.number + 1 < 1u << subcube.level) return;
    u->observed[subcube.rank] = strata_spread(*open / (1u << subcube.level));
    *open = 0.0;
}

static void run_share(struct monte_carlo *c, int thread, uint32 round, size_t share)
{
    struct strata *u = c->strata;
    int capacity = c->workspace[thread].capacity / STRATA_POINTS;
    struct workspace *b = &c->workspace[thread];
    struct strata_subcube subcube[BLOCK_POINTS_MAX / STRATA_POINTS];
    struct strata_sums sums = { 0.0, 0.0, 0.0 };
    uint64 t = (uint64)share << u->share_bits, to = t + ((uint64)1 << u->share_bits);
    double open = 0.0;

    if (to > u->plan.subcubes) to = u->plan.subcubes;
    while (t < to) {
        int count = to - t < (uint64)capacity ? (int)(to - t) : capacity;
        int strips = (count + STRIP_SUBCUBES - 1) / STRIP_SUBCUBES;
        for (int j = 0; j < strips; j++)
            fill_strip(c, round, t + (uint64)(j * STRIP_SUBCUBES), subcube + j * STRIP_SUBCUBES, b, 2 * STRIP * j);
        if (stop_is_set(c->stop) || !points_values(c, thread, b, 2 * STRIP * strips)) return;
        for (int i = 0; i < count; i++)
            add_subcube(u, subcube[i], b->value + i / STRIP_SUBCUBES * 2 * STRIP + i % STRIP_SUBCUBES * 2, &sums,
                        &open);
        t += (uint64)count;
    }
    u->share[share] = sums;
}
/* Shares of an iteration for threads.  at: their numbers; NULL: all. */
struct some_shares { struct monte_carlo *c; uint32 round; const size_t *at; };

static void run_shares(void *context, int thread, size_t from, size_t to)
{
    const struct some_shares *s = context;
    for (size_t k = from; k < to; k++) run_share(s->c, s->c->thread + thread, s->round, s->at ? s->at[k] : k);
}

/* --- a device ------------------------------------------------------------------------------------- */

/* Compares shares that a device has computed in single precision with those of the CPU.  Returns 0 if single precision
 * is of no use, or the computation must stop. */
static int compare_shares(struct monte_carlo *c, uint32 round)
{
    struct strata *u = c->strata;
    size_t count = u->shares < COMPARED ? u->shares : COMPARED, at[COMPARED];
    struct some_shares again = { c, round, at };
    struct strata_sums single[COMPARED];
    double apart[COMPARED], size = 0.0, all = (double)u->shares / (double)u->count;

    for (size_t k = 0; k < count; k++) {
        at[k] = k * u->shares / count;
        single[k] = u->share[at[k]];
    }
    mc_for(c, count, (double)count * ldexp(STRATA_POINTS, u->share_bits), run_shares, &again);
    if (stop_is_set(c->stop)) return 0;
    for (size_t k = 0; k < count; k++) {
        double right = u->share[at[k]].mean;
        apart[k] = all * (single[k].mean - right);
        size += all * fabs(right) / (double)count;
        u->share[at[k]] = single[k];
    }
    return mc_compare_precisions(c, apart, (int)count, size);
}

/* Checks an iteration in single precision.  Returns 0 if the threads must run it in double precision, or the
 * computation must stop. */
static int is_usable(struct monte_carlo *c, uint32 round)
{
    const struct strata *u = c->strata;
    for (size_t k = 0; k < u->shares; k++) {
        if (isfinite(u->share[k].mean)) continue;
        mc_refuse_single(c);
        return 0;
    }
    return c->single == IS_COMPARED || compare_shares(c, round);
}

/* TRUE if a device may compute an iteration in the precision chosen. */
static int may_use(struct monte_carlo *c)
{
    if (!mc_is_single(c)) return 1;
    if (c->single == CANNOT_USE || !c->sampler->device || c->strata->shares < COMPARED_MIN) return 0;
    if (abs(ilogb(c->scale)) > SCALE_EXPONENT_MAX) mc_refuse_single(c);
    return c->single != CANNOT_USE;
}

/* Runs an iteration on a device, if it is useful.  Returns 0 if the threads must run it. */
static int run_on_device(struct monte_carlo *c, uint32 round)
{
    const struct integral_job *job = c->job;
    struct strata *u = c->strata;
    double parameter[BOX_INPUTS];
    int is_single = mc_is_single(c);
    struct strata_job d = {
        .cuts = u->cuts, .key = job->option.sampling.key, .round = round, .integral = mc_index(c),
        .share_bits = u->share_bits, .plan = u->plan, .order = u->order, .strata = u->count,
        .box = { .use = is_single ? FOR_STRATA_SINGLE : FOR_STRATA, .shares = u->shares }, .share = u->share,
        .spread = u->observed
    };

    if (!may_use(c) || !mc_box(c, &d.box, parameter) ||
        !mc_on_device(c, &d.box, STRATA_POINTS * (double)u->plan.subcubes) || (is_single && !is_usable(c, round)))
        return 0;
    for (size_t k = 0; k < u->shares; k++) mc_check_finite(c, u->share[k].mean);
    return 1;
}

int strata_sample(struct monte_carlo *c, double points)
{
    struct some_shares all = { c, c->rounds++, NULL };
    if (!run_on_device(c, all.round) && !stop_is_set(c->stop)) mc_for(c, c->strata->shares, points, run_shares, &all);
    return !is_stop_requested(c->stop);
}
