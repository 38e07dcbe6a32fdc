/* quadrature/monte_carlo/peaks.c: a first grid for integrands that are next to nothing but near a few peaks.
 *
 * From the centre and from the best point of each share, sweeps (quadrature/monte_carlo/line_search.h) go on until no point moves any more, or
 * SWEEPS of them are done.  The lines through the peaks so found, each peak of some weight with the same share, and
 * some points spread evenly make the grid.  Lines through the peak are all there is to know about a product of
 * functions of one variable.
 */
#include <string.h>
#ifdef _OPENMP
#  include <omp.h>
#endif
#include "monte_carlo.h"

#define SWEEPS   3
#define PEAKS    CARLO_PEAKS
#define WORTH    1e-3                   /* a peak's estimated integral, of the largest */

/* --- a sweep ---------------------------------------------------------------------------------- */

/* |f| along axis k through the peak, which moves to the largest value. */
static void look_along(struct carlo *c, struct peak *p, int k)
{
    int thread = carlo_thread(c), best = -1;
    struct bench *b = &c->bench[thread];
    for (int done = 0; done < SWEEP_LINE; done += b->room) {
        int count = SWEEP_LINE - done < b->room ? SWEEP_LINE - done : b->room;
        for (int axis = 0; axis < c->dim; axis++)
            for (int q = 0; q < count; q++) b->y[axis][q] = axis == k ? sweep_place(done + q) : p->at[axis];
        if (ATOMIC_READ(c->stop) || !points_values(c, thread, b, count)) return;
        for (int q = 0; q < count; q++) p->line[k][done + q] = fabs(b->value[q]);
    }
    for (int j = 0; j < SWEEP_LINE; j++)
        if (p->line[k][j] > p->height) {
            p->height = p->line[k][j];
            best = j;
        }
    if (best >= 0) p->at[k] = sweep_place(best);
}

static void sweep_in_threads(struct carlo *c, struct peak *p, int count)
{
    int threads = carlo_threads(c, (double)count * SWEEP_LINE * c->dim);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) if (threads > 1)
#endif
    for (int i = 0; i < count; i++)
        for (int k = 0; k < c->dim; k++) look_along(c, &p[i], k);
    (void)threads;
}

static int sweep_on_device(struct carlo *c, struct peak *p, int count)
{
    double parameter[BOX_INPUTS], *from = c->space->sweep_from, *found = c->space->sweep_found;
    size_t d = (size_t)c->dim, each = SWEEP_DOUBLES(d);
    struct sweep_job j = { .box = { .use = FOR_SWEEP, .shares = (size_t)count }, .from = from, .found = found };

    if (!carlo_box(c, &j.box, parameter)) return 0;
    for (int i = 0; i < count; i++) {
        memcpy(from + (size_t)i * (d + 1), p[i].at, d * sizeof *from);
        from[(size_t)i * (d + 1) + d] = p[i].height;
    }
    if (!carlo_on_device(c, &j.box, (double)count * SWEEP_LINE * c->dim)) return 0;
    for (int i = 0; i < count; i++) {
        const double *at = found + (size_t)i * each, *line = at + d + 1;
        memcpy(p[i].at, at, d * sizeof *at);
        p[i].height = at[d];
        memcpy(p[i].line, line, d * sizeof p[i].line[0]);
        for (size_t q = 0; q < d * SWEEP_LINE; q++) carlo_see(c, line[q]);
    }
    return 1;
}

/* Has any point moved? */
static int sweep(struct carlo *c, struct peak *p, int count)
{
    double before[PEAKS];
    int has_moved = 0;
    for (int i = 0; i < count; i++) before[i] = p[i].height;
    c->job->evaluations[c->integral] += (double)count * SWEEP_LINE * c->dim;
    if (!sweep_on_device(c, p, count) && !ATOMIC_READ(c->stop)) sweep_in_threads(c, p, count);
    for (int i = 0; i < count; i++) has_moved |= p[i].height > before[i];
    return has_moved;
}

/* --- peaks ------------------------------------------------------------------------------------ */

static int is_near(const struct carlo *c, const struct peak *p, const struct peak *q)
{
    for (int k = 0; k < c->dim; k++)
        if (fabs(p->at[k] - q->at[k]) > 1.5 / SWEEP_LINE) return 0;
    return 1;
}

/* Peaks from which to go on: no two at one place, and none where all is 0. */
static int distinct(const struct carlo *c, struct peak *p, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        int is_new = p[i].height > 0.0;
        for (int j = 0; j < kept; j++) is_new = is_new && !is_near(c, &p[i], &p[j]);
        if (is_new) p[kept++] = p[i];
    }
    return kept;
}

/* Sums along the lines; the integral of the product that these make, in units of their cells. */
static double worth(const struct carlo *c, const struct peak *p, double *sum)
{
    double w = p->height;
    for (int k = 0; k < c->dim; k++) {
        sum[k] = 0.0;
        for (int j = 0; j < SWEEP_LINE; j++) sum[k] += p->line[k][j];
        w *= fmax(sum[k] / p->height, 1.0);
    }
    return w;
}

static void grid_from_peaks(struct carlo *c, struct peak *p, int count)
{
    double sum[PEAKS][AXES_MAX], worth_of[PEAKS], most = 0.0, (*line)[SWEEP_LINE] = c->space->line;
    memset(line, 0, (size_t)c->dim * sizeof *line);
    for (int i = 0; i < count; i++) {
        worth_of[i] = worth(c, &p[i], sum[i]);
        most = fmax(most, worth_of[i]);
    }
    for (int i = 0; i < count; i++) {
        if (!(worth_of[i] >= WORTH * most)) continue;
        for (int k = 0; k < c->dim; k++)
            for (int j = 0; j < SWEEP_LINE && sum[i][k] > 0.0; j++) line[k][j] += p[i].line[k][j] / sum[i][k];
    }
    grid_from_lines(c, line);
}

/* --- the search ------------------------------------------------------------------------------- */

double peaks_cost(const struct carlo *c)
{
    return (double)SWEEPS * PEAKS * SWEEP_LINE * c->dim;
}

/* Where to begin; the number of points. */
static int set_out(const struct carlo *c, const struct tally *tally, struct peak *p)
{
    int count = 1;
    memset(p, 0, PEAKS * sizeof *p);
    for (int k = 0; k < c->dim; k++) p[0].at[k] = 0.5;
    for (int share = 0; share < CARLO_PARTS; share++)
        if (tally[share].largest > 0.0) memcpy(p[count++].at, tally[share].at, sizeof p->at);
    return count;
}

int peaks_search(struct carlo *c, const struct tally *tally)
{
    struct peak *p = c->space->peak;
    int count = set_out(c, tally, p), has_moved = 1;
    double highest = 0.0;

    c->warped = 0;
    for (int k = 0; k < SWEEPS && has_moved; k++) {
        has_moved = sweep(c, p, count);
        count = distinct(c, p, count);
        if (carlo_stopped(c)) return 0;
    }
    c->warped = 1;
    for (int i = 0; i < count; i++) highest = fmax(highest, p[i].height);
    if (!count) return 1;
    if (!(highest < CARLO_RANGE && highest > 1.0 / CARLO_RANGE)) carlo_rescale(c, highest, 1.0);
    grid_from_peaks(c, p, count);
    return 1;
}
