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
 * chi^2 = sum (I_j - I)^2/sigma_j^2 exceeds its quantile for the upper tail probability 1e-3 (CHI2_NORMAL).  In that
 * case all iterations are discarded, and sampling starts again with RESTART_GROWTH times as many points; if these
 * exceed the evaluations left, the status of the integral is "inconsistent".
 *
 * Devices may evaluate the integrand in single precision (subcubes.c).  The importance map is computed in double
 * precision in any case.  Values are then scaled such that the largest of the last round of the map is about 1, so that
 * squares do not leave the range of single precision.
 *
 * On one axis the sigma_j can miss a jump (strata.c).  There each sigma_j^2 is at least the variance of the I_j about
 * their mean, and chi^2 tests nothing.
 */
#include <limits.h>
#include <string.h>
#include "monte_carlo.h"

#define BATCH      5
#define ITERATIONS_AHEAD 2.0            /* iterations of the next size that are expected to reach the tolerance */
#define ITERATIONS 256
#define FIRST      16384.0              /* points of the first iteration */
#define RESTART_GROWTH 4.0
#define VARIANCE_SAFETY 1.1             /* safety factor of the variance in the choice of the next number of points */
#define GROWTH     16.0                 /* largest ratio of the points of successive iterations */
#define SHARE_MIN   0.2                 /* effective share of the points above which sharp refinement is tried */
#define SHARP_ROUNDS 2                  /* rounds of sharp refinement */
#define PILOT      14                   /* a round of sharp refinement has 2^PILOT points at first */
#define PILOT_MAX  19
#define PILOT_SHARE 8.0                 /* later rounds take at most 1/PILOT_SHARE of the points of an iteration */
#define ROUNDED    1e-14                /* least relative error: pairs may agree to the last digit, sums do not */
#define ROUNDED_SINGLE 0x1p-24          /* the same in single precision */
#define FEW        8.0                  /* degrees of freedom that are few for a variance */
#define CHI2_NORMAL 3.0902323061678132  /* a standard normal variate exceeds this with probability 1e-3 */


/* --- iterations ------------------------------------------------------------------------------------ */

struct iteration { double points, mean, square; };  /* square: the squared standard error */

/* Scales values for single precision, which requires a round of the map. */
static void begin_single(struct monte_carlo *c)
{
    if (c->largest < 0.0) c->single = CANNOT_USE;
    mc_rescale(c, c->largest, 1.0);
}

/* Runs an iteration and updates the strata.  Returns 0 if the computation must stop. */
static int iterate(struct monte_carlo *c, struct iteration *i)
{
    struct strata *u = c->strata;
    double count = (double)u->count;

    i->points = STRATA_POINTS * (double)u->plan.subcubes;
    c->job->evaluations[c->integral] += i->points;
    if (!strata_sample(c, i->points)) return 0;
    double fourth = 0.0;
    i->mean = i->square = 0.0;
    for (size_t k = 0; k < u->shares; k++) {
        i->mean += u->share[k].mean / count;
        i->square += u->share[k].square / (count * count);
        fourth += u->share[k].fourth / (count * count * count * count);
    }
    if (fourth > 0.0) {
        double inflation = 1.0 + FEW / fmax(3.0 * i->square * i->square / fourth - 2.0, 1.0);
        i->square *= inflation * inflation;
    }
    double rounded = c->rounding > 0.0 ? ROUNDED_SINGLE : ROUNDED;
    i->square = fmax(i->square, rounded * rounded * i->mean * i->mean);
    if (u->even) mc_compare_again(c);
    strata_update_spread(u);
    return 1;
}

/* The combined estimate of `count` iterations: mean, squared standard error, and chi^2. */
struct combined { double mean, square, chi2; int count; };

/* Returns the variance of the last BATCH estimates, or of all if they are fewer, about their mean. */
static double variance_between(const struct iteration *all, int count)
{
    int first = count > BATCH ? count - BATCH : 0, n = count - first;
    double mean = 0.0, square = 0.0;
    for (int j = first; j < count; j++) mean += all[j].mean / n;
    for (int j = first; j < count; j++) square += (all[j].mean - mean) * (all[j].mean - mean);
    return n > 1 ? square / (n - 1) : 0.0;
}

/* Returns the combined estimate of `count` iterations. */
static struct combined combine(const struct iteration *all, int count, int dim)
{
    struct combined v = { 0.0, 0.0, 0.0, count };
    double sum = 0.0, weights = 0.0, centre = 0.0, power = 1.0 + 4.0 / dim, maximum = all[count - 1].points;
    double minimum = dim == 1 ? variance_between(all, count) : 0.0;
    for (int j = 0; j < count; j++) sum += pow(all[j].points / maximum, power);
    for (int j = 0; j < count; j++) {
        double share = pow(all[j].points / maximum, power) / sum, square = fmax(all[j].square, minimum);
        v.mean += share * all[j].mean;
        v.square += share * share * square;
        weights += 1.0 / square;
        centre += all[j].mean / square;
    }
    for (int j = 0; j < count && v.square > 0.0; j++) {
        double apart = all[j].mean - centre / weights, square = fmax(all[j].square, minimum);
        if (square > 0.0) v.chi2 += apart * apart / square;
    }
    return v;
}

/* TRUE if chi^2 exceeds its quantile for the upper tail probability 1e-3.  Its cube root is nearly normal (Wilson and
 * Hilferty 1931). */
static int is_inconsistent(const struct combined *v)
{
    if (v->count < 2) return 0;
    double k = v->count - 1.0, s = 2.0 / (9.0 * k);
    return cbrt(v->chi2 / k) > 1.0 - s + CHI2_NORMAL * sqrt(s);
}

/* Stores the results of the integral. */
static void store_result(const struct monte_carlo *c, const struct combined *v, int status)
{
    const struct sampling *s = c->job->sampling;
    if (v->count > 1) {
        s->chi2[c->integral] = v->chi2;
        s->freedom[c->integral] = v->count - 1;
    }
    mc_finish(c, v->mean, sqrt(v->square) + c->rounding, status);
}

/* Stores a result whose error is small enough, or which more points would not improve.  Returns 0 if it is neither. */
static int is_finished(const struct monte_carlo *c, const struct combined *v, double tolerance)
{
    double error = sqrt(v->square);
    int is_rounded = c->rounding > tolerance && error < c->rounding;
    if (!is_rounded && !(error + c->rounding <= tolerance)) return 0;
    store_result(c, v, is_rounded ? INTEGRAL_ROUNDOFF : INTEGRAL_CONVERGED);
    return 1;
}

/* Returns the number of points with which ITERATIONS_AHEAD further iterations should reach the tolerance.  It assumes
 * that sigma^2 continues to decrease as it has since iteration `first`, which had fewer points; if there is none, like
 * n^-(1 + 2/d). */
static double next_points(const struct iteration *first, const struct iteration *last, double tolerance, int dim)
{
    double fall = 1.0 + 2.0 / dim, grown = last->points / first->points;
    if (grown > 1.2) fall = fmin(fmax(log(first->square / last->square) / log(grown), 1.0), 1.0 + 4.0 / dim);
    double factor = VARIANCE_SAFETY * last->square / (ITERATIONS_AHEAD * tolerance * tolerance);
    double wanted = last->points * pow(factor, 1.0 / fall);
    return fmin(fmax(wanted, last->points), GROWTH * last->points);
}

/* Iterations whose subcubes are allocated evenly serve only to estimate the variances of the strata.  They are not part
 * of the result, because a singularity lies in one of their subcubes, whose two pairs give an estimate of the variance
 * with one degree of freedom.  is_sharp: the sharply refined map is in use, and not the previous one. */
struct trial { struct iteration result[2]; int count, is_sharp; };

/* Chooses the map after an even iteration: if the effective share of the points is large, refines the map sharply for a
 * second even iteration, and then keeps the map with the smaller variance.  Returns 0 if the computation must stop. */
static int choose_map(struct monte_carlo *c, const struct iteration *result, struct trial *t)
{
    size_t size = (size_t)c->dim * sizeof *c->node;
    if (t->count == 2 || !(c->effective_share > SHARE_MIN)) return 1;
    t->result[t->count++] = *result;
    if (t->count == 2) {
        t->is_sharp = t->result[1].square <= t->result[0].square;
        if (!t->is_sharp) memcpy(c->node, c->space->node, size);
        return 1;
    }
    memcpy(c->space->node, c->node, size);
    c->strata->even = 1;
    return mc_refine_map(c, SHARP_ROUNDS, PILOT);
}

/* Refines the map with more points before larger iterations, which reduces its noise.  Returns 0 if the computation
 * must stop. */
static int refine_more(struct monte_carlo *c, const struct trial *t, double points)
{
    int m = ilogb(points / PILOT_SHARE);
    if (!t->is_sharp || m <= PILOT) return 1;
    return mc_refine_map(c, 1, m < PILOT_MAX ? m : PILOT_MAX);
}

/* The number of iterations, the least of those that are averaged, and the points of the first.  If users choose the
 * number, all have equal parts of the evaluations left. */
struct schedule { int left, minimum; double points; };

static struct schedule schedule_of(const struct monte_carlo *c)
{
    const struct sampling_options *o = &c->job->option.sampling;
    double left = c->job->max_eval - c->job->evaluations[c->integral];
    struct schedule s = { INT_MAX, BATCH, fmin(FIRST, floor(left / BATCH)) };
    if (!o->iterations) return s;
    int rounds = o->adjust < 0 ? (int)c->rounds : o->adjust;
    s.left = rounds < o->iterations ? o->iterations - rounds : 1;
    s.minimum = s.left > BATCH ? BATCH : s.left > 2 ? s.left - 1 : 1;
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
    struct combined v = { NAN, NAN, 0.0, 0 };
    struct schedule schedule = schedule_of(c);
    double left, points = schedule.points;
    int before = 0, from = 0;           /* an iteration of the previous size; the first one of the current size */
    int has_run = 0;
    struct trial trial = { .count = 0 };

    c->strata->even = 1;
    if (mc_is_single(c)) begin_single(c);
    while (points >= STRATA_POINTS && v.count < ITERATIONS && schedule.left-- > 0 && mc_may_evaluate(c, points)) {
        if (!stratify(c, points)) return;
        int is_even = c->strata->even;
        if (!iterate(c, &all[v.count])) return;
        has_run = 1;
        if (c->not_finite) break;
        if (is_even) {
            if (!choose_map(c, &all[v.count], &trial)) return;
            continue;
        }
        v = combine(all, v.count + 1, c->dim);
        if (v.count < schedule.minimum) continue;
        double tolerance = mc_tolerance(c, v.mean, fabs(v.mean));
        int inconsistent = is_inconsistent(&v);
        if (!inconsistent && is_finished(c, &v, tolerance)) return;
        tolerance = tolerance > c->rounding ? tolerance - c->rounding : c->rounding;
        if (c->job->option.sampling.iterations || (v.count - from) % BATCH) continue;
        double next = inconsistent ? RESTART_GROWTH * points
                                   : next_points(&all[before], &all[v.count - 1], tolerance, c->dim);
        left = c->job->max_eval - c->job->evaluations[c->integral];
        if (next * ITERATIONS_AHEAD > left && !inconsistent) next = fmax(floor(left / ITERATIONS_AHEAD), points);
        if (inconsistent && next * BATCH > left) break;
        if (next > 1.2 * points) {
            if (!refine_more(c, &trial, next)) return;
            points = next;
            before = v.count - 1;
            from = v.count;
        }
        if (inconsistent) v.count = before = from = 0;
        c->strata->even |= inconsistent;
    }
    if (v.count == 0 && has_run) v = combine(all, 1, c->dim); /* the only iteration */
    store_result(c, &v, v.count > 1 && is_inconsistent(&v) ? INTEGRAL_INCONSISTENT : INTEGRAL_MAX_EVAL);
}
