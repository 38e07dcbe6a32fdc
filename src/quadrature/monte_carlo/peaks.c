/* Sets a first importance map for integrands that are negligible except near a few peaks.
 *
 * Line searches (quadrature/monte_carlo/importance_map.h) start at the centre and at the best point of each share.
 * They are repeated until no point moves, at most LINE_SEARCHES times.  The map is set from |f| on the lines through
 * the peaks found, with equal weights for all peaks that are not negligible, plus a uniform part.  For a product of
 * functions of one variable, the lines through its peak determine it completely.
 */
#include <string.h>
#include "../box_jobs.h"
#include "monte_carlo.h"

#define LINE_SEARCHES   3
#define PEAKS    MC_PEAKS
#define MIN_INTEGRAL   1e-3             /* least estimated integral of a peak, relative to the largest */

/* --- a line search ---------------------------------------------------------------------------- */

/* Computes |f| along axis k through the peak, and moves the peak to the largest value. */
static void search_line(struct monte_carlo *c, int thread, struct peak *p, int k)
{
    int best = -1;
    struct workspace *b = &c->workspace[thread];
    for (int done = 0; done < LINE_POINTS; done += b->capacity) {
        int count = LINE_POINTS - done < b->capacity ? LINE_POINTS - done : b->capacity;
        for (int axis = 0; axis < c->dim; axis++)
            for (int q = 0; q < count; q++) b->y[axis][q] = axis == k ? line_search_place(done + q) : p->at[axis];
        if (stop_is_set(c->stop) || !points_values(c, thread, b, count)) return;
        for (int q = 0; q < count; q++) p->line[k][done + q] = fabs(b->value[q]);
    }
    for (int j = 0; j < LINE_POINTS; j++)
        if (p->line[k][j] > p->height) {
            p->height = p->line[k][j];
            best = j;
        }
    if (best >= 0) p->at[k] = line_search_place(best);
}

struct searches { struct monte_carlo *c; struct peak *peak; };

static void run_searches(void *context, int thread, size_t from, size_t to)
{
    const struct searches *s = context;
    for (size_t i = from; i < to; i++)
        for (int k = 0; k < s->c->dim; k++) search_line(s->c, s->c->thread + thread, &s->peak[i], k);
}

static int line_search_on_device(struct monte_carlo *c, struct peak *p, int count)
{
    double parameter[BOX_INPUTS], *from = c->space->line_search_from, *found = c->space->line_search_found;
    size_t d = (size_t)c->dim, each = LINE_SEARCH_DOUBLES(d);
    struct line_search_job j = { .box = { .use = FOR_LINE_SEARCH, .shares = (size_t)count }, .from = from, .found =
                                 found };

    if (!mc_box(c, &j.box, parameter)) return 0;
    for (int i = 0; i < count; i++) {
        memcpy(from + (size_t)i * (d + 1), p[i].at, d * sizeof *from);
        from[(size_t)i * (d + 1) + d] = p[i].height;
    }
    if (!mc_on_device(c, &j.box, (double)count * LINE_POINTS * c->dim)) return 0;
    for (int i = 0; i < count; i++) {
        const double *at = found + (size_t)i * each, *line = at + d + 1;
        memcpy(p[i].at, at, d * sizeof *at);
        p[i].height = at[d];
        memcpy(p[i].line, line, d * sizeof p[i].line[0]);
        for (size_t q = 0; q < d * LINE_POINTS; q++) mc_check_finite(c, line[q]);
    }
    return 1;
}

/* Runs one line search from each point.  TRUE if any point has moved. */
static int line_search(struct monte_carlo *c, struct peak *p, int count)
{
    double before[PEAKS], points = (double)count * LINE_POINTS * c->dim;
    struct searches s = { c, p };
    int has_moved = 0;
    for (int i = 0; i < count; i++) before[i] = p[i].height;
    c->job->evaluations[c->integral] += points;
    if (!line_search_on_device(c, p, count) && !stop_is_set(c->stop))
        mc_for(c, (size_t)count, points, run_searches, &s);
    for (int i = 0; i < count; i++) has_moved |= p[i].height > before[i];
    return has_moved;
}

/* --- peaks ------------------------------------------------------------------------------------ */

static int is_near(const struct monte_carlo *c, const struct peak *p, const struct peak *q)
{
    for (int k = 0; k < c->dim; k++)
        if (fabs(p->at[k] - q->at[k]) > 1.5 / LINE_POINTS) return 0;
    return 1;
}

/* Removes duplicate peaks and those with height 0.  Returns the number of peaks left. */
static int distinct(const struct monte_carlo *c, struct peak *p, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        int is_new = p[i].height > 0.0;
        for (int j = 0; j < kept; j++) is_new = is_new && !is_near(c, &p[i], &p[j]);
        if (is_new) p[kept++] = p[i];
    }
    return kept;
}

/* Returns the estimated integral of |f| over a peak, in units of the volume of a cell: that of the product of the lines
 * through it.  Sets `sum` to the sums of |f| along these. */
static double integral_of(const struct monte_carlo *c, const struct peak *p, double *sum)
{
    double w = p->height;
    for (int k = 0; k < c->dim; k++) {
        sum[k] = 0.0;
        for (int j = 0; j < LINE_POINTS; j++) sum[k] += p->line[k][j];
        w *= fmax(sum[k] / p->height, 1.0);
    }
    return w;
}

static void grid_from_peaks(struct monte_carlo *c, struct peak *p, int count)
{
    double sum[PEAKS][AXES_MAX], peak_integral[PEAKS], maximum = 0.0, (*line)[LINE_POINTS] = c->space->line;
    memset(line, 0, (size_t)c->dim * sizeof *line);
    for (int i = 0; i < count; i++) {
        peak_integral[i] = integral_of(c, &p[i], sum[i]);
        maximum = fmax(maximum, peak_integral[i]);
    }
    for (int i = 0; i < count; i++) {
        if (!(peak_integral[i] >= MIN_INTEGRAL * maximum)) continue;
        for (int k = 0; k < c->dim; k++)
            for (int j = 0; j < LINE_POINTS && sum[i][k] > 0.0; j++) line[k][j] += p[i].line[k][j] / sum[i][k];
    }
    grid_from_lines(c, line);
}

/* --- the search ------------------------------------------------------------------------------- */

double peaks_cost(const struct monte_carlo *c)
{
    return (double)LINE_SEARCHES * PEAKS * LINE_POINTS * c->dim;
}

/* Sets the starting points of the search.  Returns their number. */
static int start_points(const struct monte_carlo *c, const struct accumulator *accumulator, struct peak *p)
{
    int count = 1;
    memset(p, 0, PEAKS * sizeof *p);
    for (int k = 0; k < PEAKS; k++) p[k].line = c->space->peak_line + k * c->dim;
    for (int k = 0; k < c->dim; k++) p[0].at[k] = 0.5;
    for (int share = 0; share < MC_PARTS; share++)
        if (accumulator[share].sums.largest > 0.0) memcpy(p[count++].at, accumulator[share].at, sizeof p->at);
    return count;
}

int peaks_search(struct monte_carlo *c, const struct accumulator *accumulator)
{
    struct peak *p = c->space->peak;
    int count = start_points(c, accumulator, p), has_moved = 1;
    double highest = 0.0;

    c->mapped = 0;
    for (int k = 0; k < LINE_SEARCHES && has_moved; k++) {
        has_moved = line_search(c, p, count);
        count = distinct(c, p, count);
        if (is_stop_requested(c->stop)) return 0;
    }
    c->mapped = 1;
    for (int i = 0; i < count; i++) highest = fmax(highest, p[i].height);
    if (!count) return 1;
    if (!(highest < MC_RANGE && highest > 1.0 / MC_RANGE)) mc_rescale(c, highest, 1.0);
    grid_from_peaks(c, p, count);
    return 1;
}
