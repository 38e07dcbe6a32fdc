/* Log-likelihoods of one shape and scale at many locations, for alpha below the range of the tables, from interpolants
 * (points.h) on common intervals of log |u| that contain all observations seen from all locations. */
#include <math.h>
#include "points.h"

#define SCANNED      1e-7                /* error of a log density */
#define MIN_WIDTH    1e-6                /* of an interval that is halved, relative to its end if that is above 1 */
#define MIN_HALF     1e-3                /* half the width of an interval, which may be a single point */

/* The smallest and the largest logarithm of |u| on one side of all locations; first > last if there is none. */
struct range { double first, last; };

/* Adds the observations on one side (sign) of a location, of which the nearest and the farthest have these
 * distances. */
static void extend_range(struct range *r, double nearest, double farthest)
{
    r->first = fmin(r->first, log(nearest));
    r->last = fmax(r->last, log(farthest));
}

/* Sets range[0] to that of the observations below the locations, range[1] to that above.  Returns TRUE if an
 * observation is at a location. */
static int log_ranges(const struct sample *s, double gamma, int count, const double *location, struct range *range)
{
    int is_at_location = 0;
    range[0] = range[1] = (struct range) { INFINITY, -INFINITY };
    for (int k = 0; k < count; k++) {
        double at = location[k];
        size_t below = numbers_below(s->n, s->z, at), above = below;
        while (above < s->n && s->z[above] == at) above++;
        is_at_location |= above > below;
        if (below > 0) extend_range(&range[0], (at - s->z[below - 1]) / gamma, (at - s->z[0]) / gamma);
        if (above < s->n) extend_range(&range[1], (s->z[above] - at) / gamma, (s->z[s->n - 1] - at) / gamma);
    }
    return is_at_location;
}

/* Chooses intervals between two logarithms of |u|, the smaller ones first.  Returns TRUE if there are too many or the
 * density is not finite everywhere; st->code if it fails. */
static int choose_intervals(struct choice *c, double sign, double first, double last, struct status *st)
{
    struct interval v = { 0, 0, 0, 0.5 * (first + last), fmax(0.5 * (last - first), MIN_HALF) };
    int fits = 0;
    if (c->p->count == MAX_INTERVALS) return 1;
    if (points_try_interval(c, &v, sign, &fits, st)) return st->code;
    if (fits) return 0;
    if (last - first < MIN_WIDTH * fmax(1.0, fabs(first))) return 1;
    return choose_intervals(c, sign, first, v.middle, st) || choose_intervals(c, sign, v.middle, last, st);
}

/* Interpolants for many locations: of side 0 (u < 0) the first `split` intervals, of side 1 the others, each with |u|
 * increasing; coefficients in HIGH.  at_zero: the log density at 0, NaN if no observation is there. */
struct common { struct points p; int split; double at_zero; };

/* TRUE if no interpolant is needed on this side: there is no observation, or the density is 0. */
static int is_without(const double *y, const struct range *r, double sign)
{
    return r->first > r->last || y[BETA] * sign == -1.0;
}

/* Chooses the interpolants.  Returns TRUE if this is not possible, or fails (st->code). */
static int choose_common(struct evaluator *e, const double *y, const struct range *range, int is_at_location,
                         struct common *m, struct status *st)
{
    static const double zero = 0.0;
    struct points *p = &m->p;
    struct choice c = { e, y[ALPHA], y[BETA], SCANNED, 1, p };
    points_begin(p);
    for (int side = 0; side < 2; side++) {
        double sign = side ? 1.0 : -1.0;
        if (side) m->split = p->count;
        if (is_without(y, &range[side], sign)) continue;
        if (!isfinite(range[side].last - range[side].first)) return 1;
        if (choose_intervals(&c, sign, range[side].first, range[side].last, st)) return 1;
    }
    for (int k = 0; k < p->count; k++)
        points_coefficients(p, points_column(e, HERE) + p->interval[k].at, points_column(e, HIGH) + p->interval[k].at);
    m->at_zero = NAN;
    return is_at_location && points_log_shape(e, y[ALPHA], y[BETA], 1, 1, &zero, &m->at_zero, st);
}

/* Computes the log densities of the observations from <= i < to by the interpolant of interval k. */
static void log_densities(struct evaluator *e, const struct interval *v, size_t from, size_t to)
{
    const double *u = points_column(e, STANDARDISED) + from;
    double *t = points_column(e, POSITION) + from;
    if (from >= to) return;
    points_positions(to - from, u, v->middle, v->half, t);
    points_polynomial(points_column(e, HIGH) + v->at, SCANNED, to - from, t, points_column(e, LOG_DENSITY) + from);
}

/* Computes the log densities of the observations for one location, given the number of those below it, and of those
 * not above it. */
static void densities_at(struct evaluator *e, const struct common *m, size_t below, size_t above)
{
    const double *u = points_column(e, STANDARDISED);
    double *log_f = points_column(e, LOG_DENSITY);
    size_t n = e->sample->n, from = 0;
    for (size_t i = 0; i < n; i++) log_f[i] = i >= below && i < above ? m->at_zero : -INFINITY;
    for (int k = m->split - 1; k >= 0; k--) {
        const struct interval *v = &m->p.interval[k];
        size_t to = k ? numbers_below(below, u, -exp(v->middle - v->half)) : below;
        log_densities(e, v, from, to);
        from = to;
    }
    from = above;
    for (int k = m->split; k < m->p.count; k++) {
        const struct interval *v = &m->p.interval[k];
        size_t to = k < m->p.count - 1 ? above + numbers_below(n - above, u + above, exp(v->middle + v->half)) : n;
        log_densities(e, v, from, to);
        from = to;
    }
}

/* Returns the log-likelihood for one location. */
static double value_at(struct evaluator *e, const struct common *m, const double *y, double location)
{
    const struct sample *s = e->sample;
    double *u = points_column(e, STANDARDISED), gamma = exp(y[GAMMA]);
    size_t below = numbers_below(s->n, s->z, location), above = below;
    while (above < s->n && s->z[above] == location) above++;
    for (size_t i = 0; i < s->n; i++) u[i] = (s->z[i] - location) / gamma;
    densities_at(e, m, below, above);
    return points_loglik(e, y);
}

int differences_locations(struct evaluator *e, const struct coordinates *c, int count, double (*y)[PARAMETERS],
                          double *value, struct status *st)
{
    struct common m;
    struct range range[2];
    double location[MAX_AT_ONCE];
    for (int k = 0; k < count; k++) location[k] = c->centre + c->unit * y[k][DELTA];
    if (points_reserve(e, st)) return st->code;
    int is_at_location = log_ranges(e->sample, exp(y[0][GAMMA]), count, location, range), fails = c->pm != 1;
    if (!fails) fails = choose_common(e, y[0], range, is_at_location, &m, st);
    if (st->code) return st->code;
    for (int k = 0; k < count; k++) {
        if (!fails) value[k] = value_at(e, &m, y[k], location[k]);
        else if (differences_value(e, c, y[k], &value[k], st)) return st->code;
    }
    return ST_OK;
}
