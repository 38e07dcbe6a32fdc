/* integrate/lattice.c: a randomly shifted lattice, doubled until its error is small enough.
 *
 * SHIFTS copies of the lattice, each with a shift of its own, have means that are unbiased, independent and alike.
 * With s their standard deviation and g their skewness the error is
 *
 *     e_m = STUDENT s/sqrt(SHIFTS) (1 + max(|g| - SKEWED, 0)),
 *
 * in which STUDENT is that quantile of Student's t with SHIFTS - 1 degrees of freedom that has the probability of
 * one standard deviation of a normal law: 68.3% of true errors lie within, whatever the number of shifts.  At a
 * singularity, few shifts that come close to it decide the mean: most samples of 16 have none of the closest and see
 * too small an s, but all of them are skewed (normal ones beyond 1 in 5% of cases).  The error is claimed to be no
 * less than a quarter of that at the level before: no integrand gains more by a doubling than one with two derivatives
 * does, and small errors by chance, or of a lattice that has missed a peak at one level, are not taken at their word.
 *
 * Where the grid is of use (adapt.c), its points are taken as they are or by the tent; otherwise, by the tent or the
 * smooth substitution of core/lattice.h: whichever has the smaller error in a trial, which counts for nothing else.
 */
#ifdef _OPENMP
#  include <omp.h>
#endif
#include "carlo.h"

#define SHIFTS   16
#define STUDENT  1.0344629130512215     /* qt(pnorm(1), SHIFTS - 1) */
#define SKEWED   1.0
#define GAIN     4.0                    /* the most that a doubling divides the error by */
#define TRIAL    9                      /* level of a trial */
#define START    9                      /* level to begin with; the next one is the first to be believed */
#define ZEROS    16                     /* level up to which only zeros are not believed */
#define SHARE    4096                   /* points of a share */
#define PIECE    256                    /* shares between looks for interrupts */

struct levels {
    uint32 shift[SHIFTS][AXES_MAX];
    double sum[SHIFTS], size;
    int m;                              /* points so far: 2^m for each shift; -1: none */
};

struct part { double sum, size; };

/* Points number `part` SHARE and on of those with which level m begins. */
static struct part run_part(struct carlo *c, const struct levels *l, int m, uint32 step, long share, uint32 points)
{
    long each = (points + SHARE - 1) / SHARE;
    const uint32 *shift = l->shift[share / each];
    uint32 first = (uint32)(share % each) * SHARE, last = first + SHARE < points ? first + SHARE : points;
    int thread = carlo_thread(c);
    struct bench *b = &c->bench[thread];
    struct part p = { 0.0, 0.0 };

    for (uint32 at = first; at < last && !*c->stop; at += (uint32)b->room) {
        int count = last - at < (uint32)b->room ? (int)(last - at) : b->room;
        points_lattice(c, b, shift, m, step * at + (step - 1), step, count);
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

static int sums_on_device(struct carlo *c, struct levels *l, int m, uint32 step, uint32 points)
{
    struct lattice_sums sums[LATTICE_SHARES];
    struct lattice_job j = {
        .m = m, .shifts = SHIFTS, .first = step - 1, .step = step, .points = points, .shift = l->shift[0], .share = sums
    };
    if (!carlo_lattice_on_device(c, &j)) return 0;
    for (size_t k = 0; k < j.box.shares; k++) {
        l->sum[k / (j.box.shares / SHIFTS)] += sums[k].sum;
        l->size += sums[k].size;
    }
    return 1;
}

/* Takes the points in from those of level l->m, or none, to those of level m; 0: the work is to stop. */
static int go_to(struct carlo *c, struct levels *l, int m)
{
    struct part part[PIECE];
    uint32 step = l->m < 0 ? 1u : 2u, points = l->m < 0 ? 1u << m : 1u << (m - 1);
    long each = (points + SHARE - 1) / SHARE, shares = SHIFTS * each;
    int threads = carlo_threads(c, (double)SHIFTS * points);

    c->job->evaluations[c->integral] += (double)SHIFTS * points;
    int done = sums_on_device(c, l, m, step, points);
    if (*c->stop) return 0;
    for (long from = 0; from < shares && !done; from += PIECE) {
        long to = from + PIECE < shares ? from + PIECE : shares;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) if (threads > 1)
#endif
        for (long k = from; k < to; k++) part[k - from] = run_part(c, l, m, step, k, points);
        for (long k = from; k < to; k++) {
            l->sum[k / each] += part[k - from].sum;
            l->size += part[k - from].size;
        }
        if (carlo_stopped(c)) return 0;
    }
    (void)threads;
    l->m = m;
    return 1;
}

static void begin(struct carlo *c, struct levels *l)
{
    for (int q = 0; q < SHIFTS; q++) {
        points_shift(c, l->shift[q]);
        l->sum[q] = 0.0;
    }
    l->size = 0.0;
    l->m = -1;
}

static double mean_of(const struct levels *l)
{
    double sum = 0.0;
    for (int q = 0; q < SHIFTS; q++) sum += l->sum[q];
    return ldexp(sum / SHIFTS, -l->m);
}

static double error_of(const struct levels *l)
{
    double mean = mean_of(l), square = 0.0, cube = 0.0;
    for (int q = 0; q < SHIFTS; q++) {
        double apart = ldexp(l->sum[q], -l->m) - mean;
        square += apart * apart / SHIFTS;
        cube += apart * apart * apart / SHIFTS;
    }
    double skewness = square > 0.0 ? fabs(cube) / (square * sqrt(square)) : 0.0;
    return STUDENT * sqrt(square / (SHIFTS - 1.0)) * (1.0 + fmax(skewness - SKEWED, 0.0));
}

static double cost(int m)
{
    return SHIFTS * (double)(1 << m);
}

/* Whichever of two ways to be periodic has the smaller error; 0: the work is to stop. */
static int choose(struct carlo *c)
{
    int way[2] = { c->warped ? PERIODIC_NOT : PERIODIC_SMOOTH, PERIODIC_TENT };
    double error[2];
    if (!carlo_afford(c, 4.0 * cost(TRIAL))) {
        c->periodic = c->warped ? PERIODIC_NOT : PERIODIC_TENT;
        return 1;
    }
    for (int k = 0; k < 2; k++) {
        struct levels l;
        c->periodic = way[k];
        begin(c, &l);
        if (!go_to(c, &l, TRIAL)) return 0;
        error[k] = error_of(&l);
    }
    c->periodic = error[0] < error[1] ? way[0] : way[1];
    return 1;
}

void carlo_lattice(struct carlo *c)
{
    struct levels l;
    double mean = NAN, error = NAN, before = 0.0;
    int m = START, first;

    if (!choose(c)) return;
    while (m > 1 && !carlo_afford(c, cost(m))) m--;
    first = m;
    begin(c, &l);
    for (; m <= LATTICE_MOST && carlo_afford(c, cost(m) - (l.m < 0 ? 0.0 : cost(l.m))); m++) {
        if (!go_to(c, &l, m)) return;
        mean = mean_of(&l);
        double now = error_of(&l);
        error = fmax(now, before / GAIN);
        before = now;
        if (c->not_finite) break;
        if (m == first || (l.size == 0.0 && m < ZEROS)) continue;
        if (error > carlo_tolerance(c, mean, l.size / cost(m))) continue;
        carlo_finish(c, mean, error, INTEGRAL_CONVERGED);
        return;
    }
    carlo_finish(c, mean, error, INTEGRAL_MAX_EVAL);
}
