/* Scores by central differences that stay inside the parameter space, one-sided at a bound.
 *
 * The scores in scale and location both follow from the derivative l' of the log density l in u = (z - location)/gamma,
 *
 *     d/d log gamma = -1 - u l'(u),      d/d location = -l'(u) / gamma.
 *
 * They are computed first, because the density of this shape has just been evaluated.  A difference across the end of
 * the support carries no information and counts as zero.
 */
#include <math.h>
#include "numerical_scores.h"
#include "../base/memory.h"

#define RELATIVE_STEP 1e-4               /* of differences */

/* Columns of the evaluator's workspace: u, shifted u, log densities at both points of a difference, l'(u), and the
 * derivatives in alpha and beta. */
enum { STARTING_VALUE, MOVED, LOW, HIGH, SLOPE, IN_ALPHA, IN_BETA, COLUMNS };

static double *column(struct evaluator *e, int k)
{
    return e->room + (size_t)k * e->length;
}

static int make_room(struct evaluator *e, struct status *st)
{
    if (e->sample->n <= e->length) return ST_OK;
    double *room = memory_resize(e->room, COLUMNS * e->sample->n * sizeof *room);
    if (!room) return fail(st, ST_MEMORY, "no memory for the scores of %.0f values", (double)e->sample->n);
    e->room = room;
    e->length = e->sample->n;
    return ST_OK;
}

/* Computes the log densities of the standard law of this shape at the points x, one for each value of the sample. */
static int log_shape(struct evaluator *e, double alpha, double beta, int pm, const double *x, double *log_f,
                     struct status *st)
{
    static const double unit = 1.0, zero = 0.0;
    const struct laws l = { { &alpha, 1 }, { &beta, 1 }, { &unit, 1 }, { &zero, 1 }, pm };
    return evaluate_points(e, &l, e->sample->n, x, log_f, st);
}

static void difference(size_t n, const double *low, const double *high, double width, double *slope)
{
    for (size_t i = 0; i < n; i++) slope[i] = (high[i] - low[i]) / width;
}

/* Computes l'(u) by differences with steps of RELATIVE_STEP * (unit + |u|). */
static int slopes_in_place(struct evaluator *e, const double *y, int pm, double unit, struct status *st)
{
    const double *u = column(e, STARTING_VALUE);
    double *x = column(e, MOVED), *low = column(e, LOW), *high = column(e, HIGH);
    size_t n = e->sample->n;
    for (size_t i = 0; i < n; i++) x[i] = u[i] - RELATIVE_STEP * (unit + fabs(u[i]));
    if (log_shape(e, y[ALPHA], y[BETA], pm, x, low, st)) return st->code;
    for (size_t i = 0; i < n; i++) x[i] = u[i] + RELATIVE_STEP * (unit + fabs(u[i]));
    if (log_shape(e, y[ALPHA], y[BETA], pm, x, high, st)) return st->code;
    for (size_t i = 0; i < n; i++)
        column(e, SLOPE)[i] = (high[i] - low[i]) / (2.0 * RELATIVE_STEP * (unit + fabs(u[i])));
    return ST_OK;
}

/* Computes the derivatives of the log density in alpha or beta (j) at fixed u. */
static int slopes_in_shape(struct evaluator *e, const struct coordinates *c, const double *y, int j, double *slope,
                           struct status *st)
{
    struct sides s = coordinates_sides(c, y, j, RELATIVE_STEP * fmin(1.0, y[ALPHA]));
    double at[2] = { y[ALPHA], y[BETA] };
    at[j] = y[j] + s.below;
    if (log_shape(e, at[0], at[1], c->pm, column(e, STARTING_VALUE), column(e, LOW), st)) return st->code;
    at[j] = y[j] + s.above;
    if (log_shape(e, at[0], at[1], c->pm, column(e, STARTING_VALUE), column(e, HIGH), st)) return st->code;
    difference(e->sample->n, column(e, LOW), column(e, HIGH), s.above - s.below, slope);
    return ST_OK;
}

/* Adds the weighted scores and their outer products to the answer. */
static void add_up(struct evaluator *e, const struct coordinates *c, double unit, struct answer *a)
{
    const struct sample *s = e->sample;
    for (size_t i = 0; i < s->n; i++) {
        double slope = column(e, SLOPE)[i], w = s->weight ? s->weight[i] : 1.0;
        double score[PARAMETERS] = {
            c->moves[ALPHA] ? column(e, IN_ALPHA)[i] : 0.0, c->moves[BETA] ? column(e, IN_BETA)[i] : 0.0,
            -1.0 - column(e, STARTING_VALUE)[i] * slope, -slope * unit
        };
        for (int k = 0; k < PARAMETERS; k++) {
            if (!isfinite(score[k])) score[k] = 0.0;
            a->gradient[k] += w * score[k];
            for (int j = 0; j <= k; j++) a->outer[k][j] += w * score[k] * score[j];
        }
    }
    for (int k = 0; k < PARAMETERS; k++)
        for (int j = 0; j < k; j++) a->outer[j][k] = a->outer[k][j];
}

int scores_by_differences(struct evaluator *e, const struct coordinates *c, const double *y, struct answer *a,
                          struct status *st)
{
    const struct sample *s = e->sample;
    double gamma = exp(y[GAMMA]), location = c->centre + c->unit * y[DELTA], unit = c->unit / gamma;
    if (make_room(e, st)) return st->code;
    for (size_t i = 0; i < s->n; i++) column(e, STARTING_VALUE)[i] = (s->z[i] - location) / gamma;
    if (slopes_in_place(e, y, c->pm, unit, st)) return st->code;
    for (int j = ALPHA; j <= BETA; j++)
        if (c->moves[j] && slopes_in_shape(e, c, y, j, column(e, IN_ALPHA + j), st)) return st->code;
    add_up(e, c, unit, a);
    return ST_OK;
}
