/* Stratified sampling with the importance map: m-Cubes (Sakiotis et al. 2022) with the adaptive stratification of
 * vegas+ (Lepage 2021, doi:10.1016/j.jcp.2021.110386) and the antithetic pairs of Haber (1967).
 *
 * An iteration places two pairs of points in each subcube (quadrature/monte_carlo/subcubes.h).  Subcubes are allocated
 * to the strata by the variances observed in the previous iterations (strata.c).  Neither the map nor the subcubes
 * depend on the points of the iteration itself, so its estimate is unbiased.  With the mean m_i and half the difference
 * e_i of the two pairs in subcube i, whose volume is v_i,
 *
 *     I_j = sum v_i m_i,      sigma_j^2 = (1 + FEW/nu)^2 sum v_i^2 e_i^2,
 *
 * where nu is the effective number of subcubes in the second sum (Satterthwaite 1946).  It is large except at
 * singularities, where one subcube has most of the variance, which is then estimated from the difference of two pairs
 * alone.  The factor is squared because the pairs of such a subcube more often miss the singularity than hit it
 * (bench/errors.R measures the effect).
 *
 * sigma_j^2 decreases like n^-(1 + 4/d) if the integrand is smooth, and like n^-(1 + 1/d) if it has jumps.  Iterations
 * are averaged with weights in proportion to n^(1 + 4/d), which are not random; weights 1/sigma_j^2 would favour
 * iterations that have missed a peak.  At least BATCH iterations must agree: they are inconsistent if
 * chi^2 = sum (I_j - I)^2/sigma_j^2 exceeds its quantile for the upper tail probability 1e-3 (DOUBT_Z).  In that case
 * all iterations are discarded, and sampling starts again with FORGET times as many points; if these exceed the
 * evaluations left, the status of the integral is "inconsistent".
 *
 * On one axis the sigma_j can miss a jump (strata.c).  There each sigma_j^2 is at least the variance of the I_j about
 * their mean, and chi^2 tests nothing.
 */
#include <limits.h>
#include <string.h>
#include "../box_jobs.h"
#include "monte_carlo.h"

#define BATCH      5
#define JOINT      2.0                  /* iterations of the next size that are expected to reach the tolerance */
#define ITERATIONS 256
#define FIRST      16384.0              /* points of the first iteration */
#define FORGET     4.0
#define MORE       1.1                  /* safety factor of the variance in the choice of the next number of points */
#define GROWTH     16.0                 /* largest ratio of the points of successive iterations */
#define CARRIED    0.2                  /* effective share of the points above which sharp refinement is tried */
#define SHARPENING 2                    /* rounds of sharp refinement */
#define PILOT      14                   /* a round of sharp refinement has 2^PILOT points at first */
#define PILOT_MOST 19
#define PILOT_SHARE 8.0                 /* later rounds take at most 1/PILOT_SHARE of the points of an iteration */
#define ROUNDED    1e-14                /* least relative error: pairs may agree to the last digit, sums do not */
#define FEW        8.0                  /* degrees of freedom that are few for a variance */
#define DOUBT_Z    3.0902323061678132   /* a standard normal variate exceeds this with probability 1e-3 */

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
    *open += strata_add(s, subcube.level, one, two);
    if (subcube.level >= u->share_bits || subcube.number + 1 < 1u << subcube.level) return;
    u->seen[subcube.rank] = strata_spread(*open / (1u << subcube.level));
    *open = 0.0;
}

static void run_share(struct monte_carlo *c, int thread, uint32 round, size_t share)
{
    struct strata *u = c->strata;
    int room = c->workspace[thread].room / STRATA_POINTS;
    struct workspace *b = &c->workspace[thread];
    struct strata_subcube subcube[MC_ROOM / STRATA_POINTS];
    struct strata_sums sums = { 0.0, 0.0, 0.0 };
    uint64 t = (uint64)share << u->share_bits, to = t + ((uint64)1 << u->share_bits);
    double open = 0.0;

    if (to > u->plan.subcubes) to = u->plan.subcubes;
    while (t < to) {
        int count = to - t < (uint64)room ? (int)(to - t) : room;
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

/* --- iterations ------------------------------------------------------------------------------------ */

struct iteration { double points, mean, square; };  /* square: the squared standard error */

/* Runs an iteration on a device, if it is useful.  Returns 0 if the threads must run it. */
static int run_on_device(struct monte_carlo *c, uint32 round)
{
    const struct integral_job *job = c->job;
    struct strata *u = c->strata;
    double parameter[BOX_INPUTS];
    struct strata_job d = {
        .cuts = u->cuts, .key = job->option.sampling.key, .round = round, .integral = mc_index(c),
        .share_bits = u->share_bits, .plan = u->plan, .order = u->order, .strata = u->count,
        .box = { .use = FOR_STRATA, .shares = u->shares }, .share = u->share, .spread = u->seen
    };

    if (!mc_box(c, &d.box, parameter) || !mc_on_device(c, &d.box, STRATA_POINTS * (double)u->plan.subcubes))
        return 0;
    for (size_t k = 0; k < u->shares; k++) mc_see(c, u->share[k].mean);
    return 1;
}

struct round { struct monte_carlo *c; uint32 number; };

static void run_shares(void *context, int thread, size_t from, size_t to)
{
    const struct round *r = context;
    for (size_t k = from; k < to; k++) run_share(r->c, r->c->thread + thread, r->number, k);
}

/* Runs an iteration and updates the strata.  Returns 0 if the computation must stop. */
static int iterate(struct monte_carlo *c, struct iteration *i)
{
    struct strata *u = c->strata;
    double count = (double)u->count;

    i->points = STRATA_POINTS * (double)u->plan.subcubes;
    c->job->evaluations[c->integral] += i->points;
    struct round r = { c, c->rounds++ };
    if (!run_on_device(c, r.number) && !stop_is_set(c->stop)) mc_for(c, u->shares, i->points, run_shares, &r);
    if (is_stop_requested(c->stop)) return 0;
    double fourth = 0.0;
    i->mean = i->square = 0.0;
    for (size_t k = 0; k < u->shares; k++) {
        i->mean += u->share[k].mean / count;
        i->square += u->share[k].square / (count * count);
        fourth += u->share[k].fourth / (count * count * count * count);
    }
    if (fourth > 0.0) {
        double caution = 1.0 + FEW / fmax(3.0 * i->square * i->square / fourth - 2.0, 1.0);
        i->square *= caution * caution;
    }
    i->square = fmax(i->square, ROUNDED * ROUNDED * i->mean * i->mean);
    strata_learn(u);
    return 1;
}

/* The combined estimate of `count` iterations: mean, squared standard error, and chi^2. */
struct verdict { double mean, square, chi2; int count; };

/* Returns the variance of the last BATCH estimates, or of all if they are fewer, about their mean. */
static double variance_between(const struct iteration *all, int count)
{
    int first = count > BATCH ? count - BATCH : 0, n = count - first;
    double mean = 0.0, square = 0.0;
    for (int j = first; j < count; j++) mean += all[j].mean / n;
    for (int j = first; j < count; j++) square += (all[j].mean - mean) * (all[j].mean - mean);
    return n > 1 ? square / (n - 1) : 0.0;
}

static struct verdict judge(const struct iteration *all, int count, int dim)
{
    struct verdict v = { 0.0, 0.0, 0.0, count };
    double sum = 0.0, weights = 0.0, centre = 0.0, power = 1.0 + 4.0 / dim, most = all[count - 1].points;
    double least = dim == 1 ? variance_between(all, count) : 0.0;
    for (int j = 0; j < count; j++) sum += pow(all[j].points / most, power);
    for (int j = 0; j < count; j++) {
        double share = pow(all[j].points / most, power) / sum, square = fmax(all[j].square, least);
        v.mean += share * all[j].mean;
        v.square += share * share * square;
        weights += 1.0 / square;
        centre += all[j].mean / square;
    }
    for (int j = 0; j < count && v.square > 0.0; j++) {
        double apart = all[j].mean - centre / weights, square = fmax(all[j].square, least);
        if (square > 0.0) v.chi2 += apart * apart / square;
    }
    return v;
}

/* TRUE if chi^2 exceeds its quantile for the upper tail probability 1e-3.  Its cube root is nearly normal (Wilson and
 * Hilferty 1931). */
static int is_doubtful(const struct verdict *v)
{
    if (v->count < 2) return 0;
    double k = v->count - 1.0, s = 2.0 / (9.0 * k);
    return cbrt(v->chi2 / k) > 1.0 - s + DOUBT_Z * sqrt(s);
}

static void report(const struct monte_carlo *c, const struct verdict *v, int status)
{
    const struct sampling *s = c->job->sampling;
    if (v->count > 1) {
        s->chi2[c->integral] = v->chi2;
        s->freedom[c->integral] = v->count - 1;
    }
    mc_finish(c, v->mean, sqrt(v->square), status);
}

/* Returns the number of points with which JOINT further iterations should reach the tolerance.  It assumes that sigma^2
 * continues to decrease as it has since iteration `first`, which had fewer points; if there is no such iteration, like
 * n^-(1 + 2/d). */
static double next_points(const struct iteration *first, const struct iteration *last, double tolerance, int dim)
{
    double fall = 1.0 + 2.0 / dim, grown = last->points / first->points;
    if (grown > 1.2) fall = fmin(fmax(log(first->square / last->square) / log(grown), 1.0), 1.0 + 4.0 / dim);
    double wanted = last->points * pow(MORE * last->square / (JOINT * tolerance * tolerance), 1.0 / fall);
    return fmin(fmax(wanted, last->points), GROWTH * last->points);
}

/* Iterations whose subcubes are allocated evenly serve only to estimate the variances of the strata.  They are not part
 * of the result, because a singularity lies in one of their subcubes, whose two pairs give an estimate of the variance
 * with one degree of freedom.  is_left: the sharply refined map is in use, and not the previous one. */
struct trial { struct iteration seen[2]; int count, is_left; };

/* Called after an even iteration.  If many of the points carry the values, it refines the map sharply for a second even
 * iteration, after which it keeps the map with the smaller variance.  Returns 0 if the computation must stop. */
static int learn(struct monte_carlo *c, const struct iteration *seen, struct trial *t)
{
    size_t size = (size_t)c->dim * sizeof *c->node;
    if (t->count == 2 || !(c->carried > CARRIED)) return 1;
    t->seen[t->count++] = *seen;
    if (t->count == 2) {
        t->is_left = t->seen[1].square <= t->seen[0].square;
        if (!t->is_left) memcpy(c->node, c->space->node, size);
        return 1;
    }
    memcpy(c->space->node, c->node, size);
    c->strata->even = 1;
    return mc_refine_map(c, SHARPENING, PILOT);
}

/* Refines the map with more points before larger iterations, which reduces its noise.  Returns 0 if the computation
 * must stop. */
static int refine_more(struct monte_carlo *c, const struct trial *t, double points)
{
    int m = ilogb(points / PILOT_SHARE);
    if (!t->is_left || m <= PILOT) return 1;
    return mc_refine_map(c, 1, m < PILOT_MOST ? m : PILOT_MOST);
}

/* The number of iterations, the least of those that are averaged, and the points of the first.  If users choose the
 * number, all have equal parts of the evaluations left. */
struct schedule { int left, least; double points; };

static struct schedule schedule_of(const struct monte_carlo *c)
{
    const struct sampling_options *o = &c->job->option.sampling;
    double left = c->job->max_eval - c->job->evaluations[c->integral];
    struct schedule s = { INT_MAX, BATCH, fmin(FIRST, floor(left / BATCH)) };
    if (!o->iterations) return s;
    int rounds = o->adjust < 0 ? (int)c->rounds : o->adjust;
    s.left = rounds < o->iterations ? o->iterations - rounds : 1;
    s.least = s.left > BATCH ? BATCH : s.left > 2 ? s.left - 1 : 1;
    s.points = floor(left / s.left);
    return s;
}

/* Sets the strata of an iteration.  Returns 0 if memory is short. */
static int stratify(struct monte_carlo *c, double points)
{
    double subcubes = floor(points / STRATA_POINTS);
    if (strata_cut(c->strata, c->dim, subcubes, c->job->option.sampling.samples_per_cube, c->rounds) &&
        strata_allocate(c->strata, subcubes)) return 1;
    stop_all(c->stop, ST_MEMORY, "no memory for the subcubes of an integral");
    return 0;
}

void mc_vegas(struct monte_carlo *c)
{
    struct iteration all[ITERATIONS];
    struct verdict v = { NAN, NAN, 0.0, 0 };
    struct schedule schedule = schedule_of(c);
    double left, points = schedule.points;
    int before = 0, from = 0;           /* an iteration of the previous size; the first one of the current size */
    int has_run = 0;
    struct trial trial = { .count = 0 };

    c->strata->even = 1;
    while (points >= STRATA_POINTS && v.count < ITERATIONS && schedule.left-- > 0 && mc_afford(c, points)) {
        if (!stratify(c, points)) return;
        int is_even = c->strata->even;
        if (!iterate(c, &all[v.count])) return;
        has_run = 1;
        if (c->not_finite) break;
        if (is_even) {
            if (!learn(c, &all[v.count], &trial)) return;
            continue;
        }
        v = judge(all, v.count + 1, c->dim);
        if (v.count < schedule.least) continue;
        double tolerance = mc_tolerance(c, v.mean, fabs(v.mean)), error = sqrt(v.square);
        int doubtful = is_doubtful(&v);
        if (error <= tolerance && !doubtful) {
            report(c, &v, INTEGRAL_CONVERGED);
            return;
        }
        if (c->job->option.sampling.iterations || (v.count - from) % BATCH) continue;
        double next = doubtful ? FORGET * points : next_points(&all[before], &all[v.count - 1], tolerance, c->dim);
        left = c->job->max_eval - c->job->evaluations[c->integral];
        if (next * JOINT > left && !doubtful) next = fmax(floor(left / JOINT), points);
        if (doubtful && next * BATCH > left) break;
        if (next > 1.2 * points) {
            if (!refine_more(c, &trial, next)) return;
            points = next;
            before = v.count - 1;
            from = v.count;
        }
        if (doubtful) v.count = before = from = 0;
        c->strata->even |= doubtful;
    }
    if (v.count == 0 && has_run) v = judge(all, 1, c->dim);  /* the only iteration */
    report(c, &v, v.count > 1 && is_doubtful(&v) ? INTEGRAL_INCONSISTENT : INTEGRAL_MAX_EVAL);
}
