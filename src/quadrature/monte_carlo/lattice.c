/* Integrates by randomly shifted lattices, which are doubled until the error is small enough.
 *
 * The means over SHIFTS copies of the lattice, each with its own shift, are unbiased, independent and identically
 * distributed.  With their standard deviation s and skewness g, the error is
 *
 *     e_m = STUDENT s/sqrt(SHIFTS) (1 + max(|g| - SKEWED, 0)),
 *
 * where STUDENT is the quantile of Student's t with SHIFTS - 1 degrees of freedom that corresponds to one standard
 * deviation of a normal distribution: 68.3% of true errors are smaller than e_m, regardless of the number of shifts.
 * At a singularity, the few shifts that come close to it dominate the mean.  Most samples of 16 shifts contain none of
 * the closest, and their s is too small, but all of them are skewed (for normal samples, |g| exceeds 1 in 5% of cases).
 * The error estimate is at least a quarter of e_m at the previous level.  A doubling reduces the error at most by this
 * factor, which integrands with two derivatives attain; a smaller e_m is due to chance, or to a lattice that has missed
 * a peak.
 *
 * Beyond the largest lattice, further sets of SHIFTS lattices are added one after the other.
 *
 * If the importance map is used (importance_rounds.c), or beyond SMOOTH_AXES axes, the choice is between no
 * substitution and the tent; otherwise between the tent and the smooth substitution of
 * quadrature/monte_carlo/lattice_points.h.  The choice is the one with the smaller error in a trial, whose points are
 * used for nothing else.  Each axis multiplies the mean square of the weights of the smooth substitution by 10/7: in
 * many dimensions, nearly all points have a weight close to 0, and the error in a trial shows nothing.
 *
 * Devices may evaluate the integrand in single precision.  The importance map and the trial are computed in double
 * precision in any case, so that both precisions use the same points.  Before its first use, a device computes the
 * chosen trial again: the differences of the means over the shifts measure how the rounding of coordinates, constants
 * and values changes the integral.  With their mean b and its standard error, and the mean a of |f|,
 *
 *     |b| + STUDENT s_b/sqrt(SHIFTS) + SINGLE_ROUNDING a
 *
 * is added to the error.  If it exceeds FAR_FROM_DOUBLE a, or a value overflows, single precision is not used.
 */
#include <string.h>
#include "../box_jobs.h"
#include "monte_carlo.h"

#define SHIFTS   LATTICE_SHIFTS
#define SETS     64                     /* largest number of sets of SHIFTS lattices */
#define STUDENT  1.0344629130512215     /* qt(pnorm(1), SHIFTS - 1); at most 3 % too large for several sets */
#define SKEWED   1.0
#define FAR_CHANGE 2.0                    /* a tolerance changes by less than this factor from level to level */
#define TRIAL    9                      /* level of a trial */
#define SMOOTH_AXES 12                  /* largest number of axes for the smooth substitution */
#define SHARE    LATTICE_SHARE
#define PIECE    LATTICE_PIECE

struct levels {
    uint32 (*shift)[AXES_MAX];          /* of each lattice */
    double sum[SHIFTS], size;
    int m;                              /* level reached: 2^m points for each shift; -1: none */
};

/* The points that extend the lattices to level m: their number for each shift, and the sums of their values. */
struct block {
    const struct levels *of;
    int m, periodic;
    uint32 step, points;
    double sum[SHIFTS], size;
};

static struct block block_of(const struct levels *l, int m, int periodic, int is_first)
{
    struct block b = { l, m, periodic, is_first ? 1u : 2u, is_first ? 1u << m : 1u << (m - 1), { 0.0 }, 0.0 };
    return b;
}

/* --- sums ------------------------------------------------------------------------------------ */

struct part { double sum, size; };

/* Computes the sums over the points of one share. */
static struct part run_part(struct monte_carlo *c, int thread, const struct block *k, long share)
{
    long each = (k->points + SHARE - 1) / SHARE;
    const uint32 *shift = k->of->shift[share / each];
    uint32 first = (uint32)(share % each) * SHARE, last = first + SHARE < k->points ? first + SHARE : k->points;
    struct workspace *b = &c->workspace[thread];
    struct part p = { 0.0, 0.0 };

    for (uint32 at = first; at < last && !stop_is_set(c->stop); at += (uint32)b->capacity) {
        int count = last - at < (uint32)b->capacity ? (int)(last - at) : b->capacity;
        points_lattice(c, b, shift, k->m, k->step * at + (k->step - 1), k->step, count);
        if (!points_values(c, thread, b, count)) break;
        double sum = 0.0, size = 0.0;
        for (int q = 0; q < count; q++) {
            sum += b->value[q];
            size += fabs(b->value[q]);
        }
        p.sum += sum;
        p.size += size;
    }
    return p;
}

/* Shares of a block, from number `first` on. */
struct shares { struct monte_carlo *c; const struct block *block; long first; struct part part[PIECE]; };

static void run_shares(void *context, int thread, size_t from, size_t to)
{
    struct shares *s = context;
    for (size_t k = from; k < to; k++)
        s->part[k] = run_part(s->c, s->c->thread + thread, s->block, s->first + (long)k);
}

/* Computes the sums of a block in threads.  Returns 0 if the computation must stop. */
static int sums_in_threads(struct monte_carlo *c, struct block *b)
{
    struct shares s = { .c = c, .block = b };
    long each = (b->points + SHARE - 1) / SHARE, shares = SHIFTS * each;

    c->periodic = b->periodic;
    for (; s.first < shares; s.first += PIECE) {
        long count = shares - s.first < PIECE ? shares - s.first : PIECE;
        mc_for(c, (size_t)count, (double)SHIFTS * b->points, run_shares, &s);
        if (is_stop_requested(c->stop)) return 0;
        for (long k = 0; k < count; k++) {
            b->sum[(s.first + k) / each] += s.part[k].sum;
            b->size += s.part[k].size;
        }
    }
    return 1;
}

/* --- levels ------------------------------------------------------------------------------------ */

/* Starts lattices with new shifts, which are stored in set number `set`. */
static void begin(struct monte_carlo *c, struct levels *l, int set)
{
    l->shift = c->space->shift[set];
    for (int q = 0; q < SHIFTS; q++) {
        points_shift(c, l->shift[q]);
        l->sum[q] = 0.0;
    }
    l->size = 0.0;
    l->m = -1;
}

/* Adds the sums of a block, which extends the lattices to its level. */
static void add_block_sums(struct levels *l, const struct block *b)
{
    for (int q = 0; q < SHIFTS; q++) l->sum[q] += b->sum[q];
    l->size += b->size;
    l->m = b->m;
}

/* The means over the points of each shift, of one or several sets. */
struct means { int count; double of[SETS * SHIFTS]; };

static void add_means(struct means *s, const struct levels *l)
{
    for (int q = 0; q < SHIFTS; q++) s->of[s->count++] = ldexp(l->sum[q], -l->m);
}

double lattice_mean(const double *means, int count)
{
    double sum = 0.0;
    for (int q = 0; q < count; q++) sum += means[q];
    return sum / count;
}

double lattice_error(const double *means, int count)
{
    double mean = lattice_mean(means, count), square = 0.0, third = 0.0;
    for (int q = 0; q < count; q++) {
        double apart = means[q] - mean;
        square += apart * apart / count;
        third += apart * apart * apart / count;
    }
    double skewness = square > 0.0 ? fabs(third) / (square * sqrt(square)) : 0.0;
    return STUDENT * sqrt(square / (count - 1.0)) * (1.0 + fmax(skewness - SKEWED, 0.0));
}

static double mean_of(const struct means *s)
{
    return lattice_mean(s->of, s->count);
}

static double error_of(const struct means *s)
{
    return lattice_error(s->of, s->count);
}

static struct means means_of(const struct levels *l)
{
    struct means s;
    s.count = 0;
    add_means(&s, l);
    return s;
}

static double cost(int m)
{
    return SHIFTS * (double)(1 << m);
}

/* --- devices ------------------------------------------------------------------------------------- */

/* Computes the sums of blocks on a device.  to_come: as in mc_lattice_on_device(). */
static int blocks_on_device(struct monte_carlo *c, struct block *b, int count, double to_come)
{
    uint32 (*shift)[SHIFTS][AXES_MAX] = c->space->sent;
    struct lattice_sums *sums = c->space->lattice;
    struct lattice_job j = { .parts = count, .shifts = SHIFTS, .shift = shift[0][0], .share = sums };

    j.box.use = mc_is_single(c) ? FOR_LATTICE_SINGLE : FOR_LATTICE;
    for (int k = 0; k < count; k++) {
        memcpy(shift[k], b[k].of->shift, sizeof shift[k]);
        j.part[k].m = b[k].m;
        j.part[k].periodic = b[k].periodic;
        j.part[k].first = b[k].step - 1;
        j.part[k].step = b[k].step;
        j.part[k].points = b[k].points;
    }
    if (!mc_lattice_on_device(c, &j, to_come)) return 0;
    for (int k = 0; k < count; k++) {
        size_t each = b[k].points >> j.share_bits, first = (size_t)j.part[k].share;
        for (size_t q = 0; q < SHIFTS * each; q++) {
            b[k].sum[q / each] += sums[first + q].sum;
            b[k].size += sums[first + q].size;
        }
    }
    return 1;
}

/* Compares the trial with that of a device in single precision.  Returns 0 if single precision is not used. */
static int compare_precisions(struct monte_carlo *c, double to_come)
{
    struct levels l = { .shift = c->space->trial_shift };
    struct block b = block_of(&l, TRIAL, c->periodic, 1);
    double apart[SHIFTS];

    if (c->single != NOT_COMPARED) return c->single == IS_COMPARED;
    if (c->not_finite || !blocks_on_device(c, &b, 1, to_come)) return 0;
    for (int q = 0; q < SHIFTS; q++) apart[q] = ldexp(b.sum[q] - c->space->trial_sum[q], -TRIAL);
    ATOMIC_WRITE(&c->not_finite, 0);
    return mc_compare_precisions(c, apart, SHIFTS, c->space->trial_size / cost(TRIAL));
}

static int sums_on_device(struct monte_carlo *c, struct block *b, int count)
{
    double points = 0.0;
    for (int k = 0; k < count; k++) points += (double)SHIFTS * b[k].points;
    if (mc_is_single(c) && (!c->sampler->device || !compare_precisions(c, points))) return 0;
    return blocks_on_device(c, b, count, 0.0);
}

/* Computes the sums of several blocks, on a device in one job if possible.  in_double: in double precision.  Returns 0
 * if the computation must stop. */
static int compute(struct monte_carlo *c, struct block *b, int count, int in_double)
{
    for (int k = 0; k < count; k++) c->job->evaluations[c->integral] += (double)SHIFTS * b[k].points;
    if (!(in_double && mc_is_single(c)) && sums_on_device(c, b, count)) return 1;
    for (int k = 0; k < count && !stop_is_set(c->stop); k++) sums_in_threads(c, &b[k]);
    return !stop_is_set(c->stop);
}

/* --- the integral -------------------------------------------------------------------------------- */

/* Keeps a trial for compare_precisions(). */
static void store_trial(struct monte_carlo *c, const struct levels *l)
{
    memcpy(c->space->trial_shift, l->shift, sizeof c->space->trial_shift);
    memcpy(c->space->trial_sum, l->sum, sizeof c->space->trial_sum);
    c->space->trial_size = l->size;
}

int lattice_choose(struct monte_carlo *c)
{
    int is_smooth = !c->mapped && c->dim <= SMOOTH_AXES;
    int substitution[2] = { is_smooth ? PERIODIC_SMOOTH : PERIODIC_NOT, PERIODIC_TENT };
    struct levels l[2];
    struct block b[2];
    double error[2];
    if (!mc_may_evaluate(c, 4.0 * cost(TRIAL))) {
        c->periodic = c->mapped ? PERIODIC_NOT : PERIODIC_TENT;
        c->single = CANNOT_USE;
        return 1;
    }
    for (int k = 0; k < 2; k++) {
        begin(c, &l[k], k);
        b[k] = block_of(&l[k], TRIAL, substitution[k], 1);
    }
    if (!compute(c, b, 2, 1)) return 0;
    for (int k = 0; k < 2; k++) {
        add_block_sums(&l[k], &b[k]);
        struct means s = means_of(&l[k]);
        error[k] = error_of(&s);
    }
    int chosen = error[0] < error[1] ? 0 : 1;
    c->periodic = substitution[chosen];
    store_trial(c, &l[chosen]);
    return 1;
}

/* Extends the lattices by `wanted` levels, or as many of them as the evaluations left allow.  Returns their number; 0
 * if there are none, or if the computation must stop.  error, before: as in mc_lattice(). */
static int extend_lattices(struct monte_carlo *c, struct levels *l, int m, int wanted, double *error, double *before)
{
    struct block b[LATTICE_PARTS];
    double spent = l->m < 0 ? 0.0 : cost(l->m);
    int count = 0;
    for (; count < wanted && m + count <= LATTICE_MAX && mc_may_evaluate(c, cost(m + count) - spent); count++)
        b[count] = block_of(l, m + count, c->periodic, l->m < 0 && count == 0);
    if (!count || !compute(c, b, count, 0)) return 0;
    for (int k = 0; k < count; k++) {
        add_block_sums(l, &b[k]);
        struct means s = means_of(l);
        double now = error_of(&s);
        *error = fmax(now, *before / LATTICE_GAIN);
        *before = now;
    }
    return count;
}

/* Adds further sets of lattices of the same size until the tolerance is met.  Returns early if the computation must
 * stop. */
static void add_sets(struct monte_carlo *c, const struct levels *last, double error)
{
    struct means s = means_of(last);
    double size = last->size / cost(last->m), tolerance = 0.0;
    while (error > tolerance && s.count < SETS * SHIFTS && mc_may_evaluate(c, cost(last->m))) {
        struct levels l;
        begin(c, &l, 1);
        struct block b = block_of(&l, last->m, c->periodic, 1);
        if (!compute(c, &b, 1, 0)) return;
        add_block_sums(&l, &b);
        add_means(&s, &l);
        error = error_of(&s) + c->rounding;
        tolerance = mc_tolerance(c, mean_of(&s), size);
    }
    mc_finish(c, mean_of(&s), error, error <= tolerance ? INTEGRAL_CONVERGED : INTEGRAL_MAX_EVAL);
}

/* `error` is the error estimate of a level, `before` the e_m of that level.  If the first of two levels would not
 * converge anyway, both are computed together, for which a device takes no longer than for one. */
void mc_lattice(struct monte_carlo *c)
{
    struct levels l;
    double error = NAN, before = 0.0, mean = NAN;
    int m = LATTICE_START, first, more = 2, count;

    if (!lattice_choose(c)) return;
    while (m > 1 && !mc_may_evaluate(c, cost(m))) m--;
    first = m;
    begin(c, &l, 0);
    while ((count = extend_lattices(c, &l, m, more, &error, &before)) > 0) {
        struct means s = means_of(&l);
        m += count;
        mean = mean_of(&s);
        if (c->not_finite) break;
        if (l.m == first || (l.size == 0.0 && l.m < LATTICE_ZEROS)) continue;
        double tolerance = mc_tolerance(c, mean, l.size / cost(l.m));
        int is_rounded = c->rounding > tolerance && error < c->rounding;
        if (error + c->rounding <= tolerance || is_rounded) {
            mc_finish(c, mean, error + c->rounding, is_rounded ? INTEGRAL_ROUNDOFF : INTEGRAL_CONVERGED);
            return;
        }
        more = before > FAR_CHANGE * LATTICE_GAIN * tolerance ? 2 : 1;
    }
    if (stop_is_set(c->stop)) return;
    if (l.m == LATTICE_MAX && !c->not_finite) add_sets(c, &l, error + c->rounding);
    else mc_finish(c, mean, error + c->rounding, INTEGRAL_MAX_EVAL);
}
