/* The log-likelihood and its derivatives from log densities at points (points.h), for alpha below the range of the
 * tables.
 *
 * The derivatives are central differences at these points that stay inside the parameter space, one-sided at a bound.
 * During a search (is_rough) those in alpha and beta are one-sided everywhere, which takes three shapes instead of
 * five.  Their steps h are shorter: the maximum is displaced by h/2, some 1e-5 standard errors.  The derivatives are
 * interpolated like the log density.  The scores in scale and location both follow from the derivative l' of the log
 * density in u,
 *
 *     d/d log gamma = -1 - u l'(u),      d/d location = -l'(u) / gamma,
 *
 * which is interpolated as l'(u) (unit + |u|), where `unit` is the width of the peak: on this scale l' is smooth.  A
 * difference across the end of the support carries no information and counts as zero.
 */
#include <math.h>
#include "points.h"

#define RELATIVE_STEP  1e-4              /* of differences, ... */
#define ROUGH_STEP     1e-6              /* ... and of one-sided ones */

/* Computes l'(u) (unit + |u|) by differences with steps of RELATIVE_STEP (unit + |u|). */
static int slopes_in_u(struct evaluator *e, const struct points *p, const double *y, int pm, double unit,
                       struct status *st)
{
    const double *u = points_column(e, POINT);
    double *x = points_column(e, MOVED), *low = points_column(e, LOW), *high = points_column(e, HIGH);
    for (size_t i = 0; i < p->size; i++) x[i] = u[i] - RELATIVE_STEP * (unit + fabs(u[i]));
    if (points_log_shape(e, y[ALPHA], y[BETA], pm, p->size, x, low, st)) return st->code;
    for (size_t i = 0; i < p->size; i++) x[i] = u[i] + RELATIVE_STEP * (unit + fabs(u[i]));
    if (points_log_shape(e, y[ALPHA], y[BETA], pm, p->size, x, high, st)) return st->code;
    for (size_t i = 0; i < p->size; i++) low[i] = (high[i] - low[i]) / (2.0 * RELATIVE_STEP);
    points_interpolate(e, p, low, points_column(e, SLOPE));
    return ST_OK;
}

/* Computes the log densities of the points for the shape with a step in alpha or beta (j). */
static int log_shifted(struct evaluator *e, const struct points *p, int pm, const double *y, int j, double step,
                       double *log_f, struct status *st)
{
    double at[2] = { y[ALPHA], y[BETA] };
    at[j] += step;
    return points_log_shape(e, at[0], at[1], pm, p->size, points_column(e, POINT), log_f, st);
}

/* Returns the steps of a difference in alpha or beta (j). */
static struct sides sides_in_shape(const struct evaluator *e, const struct coordinates *c, const double *y, int j)
{
    double h = (e->is_rough ? ROUGH_STEP : RELATIVE_STEP) * fmin(1.0, y[ALPHA]);
    struct sides s = coordinates_sides(c, y, j, h);
    if (e->is_rough && s.above > 0.0) s.below = 0.0;
    return s;
}

/* Computes the derivatives of the log density in alpha or beta (j) at fixed u. */
static int slopes_in_shape(struct evaluator *e, const struct points *p, const struct coordinates *c, const double *y,
                           int j, struct status *st)
{
    struct sides s = sides_in_shape(e, c, y, j);
    const double *here = points_column(e, HERE), *low = s.below < 0.0 ? points_column(e, LOW) : here;
    const double *high = s.above > 0.0 ? points_column(e, HIGH) : here;
    double *slope = points_column(e, LOW);
    if (s.below < 0.0 && log_shifted(e, p, c->pm, y, j, s.below, points_column(e, LOW), st)) return st->code;
    if (s.above > 0.0 && log_shifted(e, p, c->pm, y, j, s.above, points_column(e, HIGH), st)) return st->code;
    for (size_t i = 0; i < p->size; i++) slope[i] = (high[i] - low[i]) / (s.above - s.below);
    points_interpolate(e, p, slope, points_column(e, IN_ALPHA + j));
    return ST_OK;
}

/* Adds the weighted scores and their outer products to the answer. */
static void add_up(struct evaluator *e, const struct coordinates *c, double unit, struct answer *a)
{
    const struct sample *s = e->sample;
    if (c->moves[ALPHA]) a->gradient[ALPHA] -= s->excess;
    for (size_t i = 0; i < s->n; i++) {
        double u = points_column(e, STANDARDISED)[i], slope = points_column(e, SLOPE)[i] / (unit + fabs(u));
        double w = sample_weight(s, i);
        double score[PARAMETERS] = {
            c->moves[ALPHA] ? points_column(e, IN_ALPHA)[i] : 0.0, c->moves[BETA] ? points_column(e, IN_BETA)[i] : 0.0,
            -1.0 - u * slope, -slope * unit
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

/* Chooses the points for the law of y, and computes the log-likelihood from them. */
static int value_from_points(struct evaluator *e, const struct coordinates *c, const double *y, struct points *p,
                             double *value, struct status *st)
{
    const struct sample *s = e->sample;
    double gamma = exp(y[GAMMA]), location = c->centre + c->unit * y[DELTA];
    if (points_reserve(e, st)) return st->code;
    for (size_t i = 0; i < s->n; i++) points_column(e, STANDARDISED)[i] = (s->z[i] - location) / gamma;
    if (points_choose(e, y, c->pm, p, st)) return st->code;
    points_interpolate(e, p, points_column(e, HERE), points_column(e, LOG_DENSITY));
    *value = points_loglik(e, y);
    return ST_OK;
}

int differences_value(struct evaluator *e, const struct coordinates *c, const double *y, double *value,
                      struct status *st)
{
    struct points p;
    return value_from_points(e, c, y, &p, value, st);
}

int differences_answer(struct evaluator *e, const struct coordinates *c, const double *y, struct answer *a,
                       struct status *st)
{
    struct points p;
    double unit = c->unit / exp(y[GAMMA]);
    if (value_from_points(e, c, y, &p, &a->value, st) || a->value == -INFINITY) return st->code;
    if (slopes_in_u(e, &p, y, c->pm, unit, st)) return st->code;
    for (int j = ALPHA; j <= BETA; j++)
        if (c->moves[j] && slopes_in_shape(e, &p, c, y, j, st)) return st->code;
    add_up(e, c, unit, a);
    return ST_OK;
}
