/* The log-likelihood and its derivatives from log densities, for alpha below the range of the tables.
 *
 * In spiked coordinates (problem.h) a standardised observation u is a value of S1, whose peak or end of the support is
 * at 0.  For small alpha its density varies with powers of |u|: on either side, the log density is a smooth function of
 * s = log |u|.  It is interpolated there at Chebyshev points,
 *
 *     l(u) = sum_k c_k T_k(t),     t = (s - middle)/half,
 *     c_k  = 2/m sum_j l(u_j) cos(pi k (j + 1/2)/m)  (half of this for k = 0),
 *     |u_j| = exp(middle + half cos(pi (j + 1/2)/m)),
 *
 * on intervals that are halved until the log densities at their ends and in the middle agree to INTERPOLATED.  With
 * fewer than twice as many observations as Chebyshev points in an interval, the observations are the points themselves,
 * as they are in S0.  A sample of 1000 needs about 70 points.
 *
 * The derivatives are central differences at these points that stay inside the parameter space, one-sided at a bound.
 * They are interpolated in the same way.  The scores in scale and location both follow from the derivative l' of the
 * log density in u,
 *
 *     d/d log gamma = -1 - u l'(u),      d/d location = -l'(u) / gamma,
 *
 * which is interpolated as l'(u) (unit + |u|), where `unit` is the width of the peak: on this scale l' is smooth.  A
 * difference across the end of the support carries no information and counts as zero.
 */
#include <math.h>
#include "evaluate.h"
#include "../base/memory.h"
#include "../special/elementary.h"

#define RELATIVE_STEP  1e-4              /* of differences */
#define INTERPOLATED   1e-10             /* error of an interpolated log density */
#define INTERVAL_NODES 32                /* Chebyshev points of an interval */
#define INTERVAL_CHECKS 3                /* points where the interpolant is checked */
#define MOST_INTERVALS 64
#define BLOCK          16                /* observations for which an interpolant is evaluated together */

/* The observations from <= i < to, whose log densities are interpolated at the points from `at` on, or, if half is 0,
 * are those of the points. */
struct interval { size_t from, to, at; double middle, half; };

/* The points at which log densities of one shape are computed. */
struct points {
    int count;
    struct interval interval[MOST_INTERVALS];
    size_t size;                                            /* number of points */
    double cosine[4 * INTERVAL_NODES];                      /* cos(pi k/(2 INTERVAL_NODES)) */
};

/* Columns of the evaluator's workspace.  At the observations: u, t, and the log density, l'(u) (unit + |u|), and the
 * derivatives in alpha and beta.  At the points: u, shifted u, and log densities at both points of a difference. */
enum { STANDARDISED, POSITION, LOG_DENSITY, SLOPE, IN_ALPHA, IN_BETA, POINT, MOVED, LOW, HIGH, COLUMNS };

static double *column(struct evaluator *e, int k)
{
    return e->room + (size_t)k * e->length;
}

static int make_room(struct evaluator *e, struct status *st)
{
    size_t length = e->sample->n + INTERVAL_NODES + INTERVAL_CHECKS;
    if (length <= e->length) return ST_OK;
    double *room = memory_resize(e->room, COLUMNS * length * sizeof *room);
    if (!room) return fail(st, ST_MEMORY, "no memory for the scores of %.0f values", (double)e->sample->n);
    e->room = room;
    e->length = length;
    return ST_OK;
}

/* Computes the log densities of the standard law of this shape at n points x. */
static int log_shape(struct evaluator *e, double alpha, double beta, int pm, size_t n, const double *x, double *log_f,
                     struct status *st)
{
    static const double unit = 1.0, zero = 0.0;
    const struct laws l = { { &alpha, 1 }, { &beta, 1 }, { &unit, 1 }, { &zero, 1 }, pm };
    return evaluate_points(e, &l, n, x, log_f, st);
}

/* --- interpolation ------------------------------------------------------------------- */

/* Computes the coefficients c_k. */
static void coefficients_of(const struct points *p, const double *value, double *c)
{
    for (int k = 0; k < INTERVAL_NODES; k++) {
        double sum = 0.0;
        for (int j = 0; j < INTERVAL_NODES; j++) sum += value[j] * p->cosine[k * (2 * j + 1) % (4 * INTERVAL_NODES)];
        c[k] = (k ? 2.0 : 1.0) / INTERVAL_NODES * sum;
    }
}

/* Evaluates the polynomial at BLOCK values t by Clenshaw's recurrence (1955,
 * doi:10.1090/S0025-5718-1955-0071856-0). */
WIDE void clenshaw(const double *restrict c, const double *restrict t, double *restrict value)
{
    double next[BLOCK] = { 0.0 }, after[BLOCK] = { 0.0 };
    for (int k = INTERVAL_NODES - 1; k > 0; k--)
        for (int l = 0; l < BLOCK; l++) {
            double b = 2.0 * t[l] * next[l] - after[l] + c[k];
            after[l] = next[l];
            next[l] = b;
        }
    for (int l = 0; l < BLOCK; l++) value[l] = t[l] * next[l] - after[l] + c[0];
}

/* Interpolates n values at the positions t from those at the nodes. */
static void interpolate(const struct points *p, const double *at_nodes, size_t n, const double *t, double *value)
{
    double c[INTERVAL_NODES], position[BLOCK] = { 0.0 }, block[BLOCK];
    coefficients_of(p, at_nodes, c);
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t used = n - i < BLOCK ? n - i : BLOCK;
        for (size_t l = 0; l < used; l++) position[l] = t[i + l];
        clenshaw(c, position, block);
        for (size_t l = 0; l < used; l++) value[i + l] = block[l];
    }
}

/* Carries the values at the points over to the observations. */
static void carry_over(struct evaluator *e, const struct points *p, const double *at_points, double *value)
{
    for (int k = 0; k < p->count; k++) {
        const struct interval *v = &p->interval[k];
        size_t n = v->to - v->from;
        if (v->half > 0.0) interpolate(p, at_points + v->at, n, column(e, POSITION) + v->from, value + v->from);
        else for (size_t i = 0; i < n; i++) value[v->from + i] = at_points[v->at + i];
    }
}

/* --- the choice of points -------------------------------------------------------------- */

/* A shape, and the points chosen for it so far. */
struct choice { struct evaluator *e; double alpha, beta; int pm; struct points *p; };

/* Uses the observations from <= i < to as points, and computes their log densities. */
static int take_all(struct choice *c, size_t from, size_t to, struct status *st)
{
    struct points *p = c->p;
    struct interval *last = p->count ? &p->interval[p->count - 1] : NULL;
    const double *u = column(c->e, STANDARDISED);
    double *x = column(c->e, POINT) + p->size;
    if (from == to) return ST_OK;
    for (size_t i = from; i < to; i++) x[i - from] = u[i];
    if (log_shape(c->e, c->alpha, c->beta, c->pm, to - from, x, column(c->e, LOW) + p->size, st)) return st->code;
    if (last && last->half == 0.0 && last->to == from) last->to = to;
    else p->interval[p->count++] = (struct interval) { from, to, p->size, 0.0, 0.0 };
    p->size += to - from;
    return ST_OK;
}

/* Chooses the Chebyshev points of an interval if their interpolant is accurate (*fits). */
static int try_interval(struct choice *c, struct interval *v, int *fits, struct status *st)
{
    static const double check[INTERVAL_CHECKS] = { 1.0, 0.0, -1.0 };
    struct points *p = c->p;
    const double *u = column(c->e, STANDARDISED);
    double *x = column(c->e, POINT) + p->size, *log_f = column(c->e, LOW) + p->size;
    double *t = column(c->e, POSITION), value[INTERVAL_CHECKS];
    int n = INTERVAL_NODES + INTERVAL_CHECKS;
    for (int j = 0; j < n; j++) {
        double node = j < INTERVAL_NODES ? p->cosine[2 * j + 1] : check[j - INTERVAL_NODES];
        x[j] = copysign(exp(v->middle + v->half * node), u[v->from]);
    }
    if (log_shape(c->e, c->alpha, c->beta, c->pm, (size_t)n, x, log_f, st)) return st->code;
    interpolate(p, log_f, INTERVAL_CHECKS, check, value);
    *fits = 1;
    for (int j = 0; j < INTERVAL_CHECKS; j++)
        if (!(fabs(value[j] - log_f[INTERVAL_NODES + j]) <= INTERPOLATED)) *fits = 0;
    if (!*fits) return ST_OK;
    for (size_t i = v->from; i < v->to; i++) t[i] = (log(fabs(u[i])) - v->middle) / v->half;
    v->at = p->size;
    p->interval[p->count++] = *v;
    p->size += INTERVAL_NODES;
    return ST_OK;
}

/* Chooses points for the observations from <= i < to, which have the same sign. */
static int choose_between(struct choice *c, size_t from, size_t to, struct status *st)
{
    const double *u = column(c->e, STANDARDISED);
    int fits = 0;
    if (to - from < 2 * INTERVAL_NODES || c->p->count >= MOST_INTERVALS / 2) return take_all(c, from, to, st);
    double first = log(fabs(u[from])), last = log(fabs(u[to - 1]));
    struct interval v = { from, to, 0, 0.5 * (first + last), 0.5 * fabs(last - first) };
    if (!(v.half > 0.0)) return take_all(c, from, to, st);
    if (try_interval(c, &v, &fits, st)) return st->code;
    if (fits) return ST_OK;
    size_t middle = from + numbers_below(to - from, u + from, copysign(exp(v.middle), u[from]));
    if (middle == from || middle == to) return take_all(c, from, to, st);
    if (choose_between(c, from, middle, st)) return st->code;
    return choose_between(c, middle, to, st);
}

/* Chooses the points for the shape of y, and computes their log densities (LOW).  `standardised` must be sorted. */
static int choose_points(struct evaluator *e, const double *y, int pm, struct points *p, struct status *st)
{
    struct choice c = { e, y[ALPHA], y[BETA], pm, p };
    const double *u = column(e, STANDARDISED);
    size_t n = e->sample->n, below = numbers_below(n, u, 0.0), above = below;
    p->count = 0;
    p->size = 0;
    if (pm != 1) return take_all(&c, 0, n, st);
    for (int k = 0; k < 4 * INTERVAL_NODES; k++) p->cosine[k] = cos(PI * k / (2.0 * INTERVAL_NODES));
    while (above < n && u[above] == 0.0) above++;
    if (choose_between(&c, 0, below, st) || take_all(&c, below, above, st)) return st->code;
    return choose_between(&c, above, n, st);
}

/* --- differences ------------------------------------------------------------------------ */

/* Computes l'(u) (unit + |u|) by differences with steps of RELATIVE_STEP (unit + |u|). */
static int slopes_in_place(struct evaluator *e, const struct points *p, const double *y, int pm, double unit,
                           struct status *st)
{
    const double *u = column(e, POINT);
    double *x = column(e, MOVED), *low = column(e, LOW), *high = column(e, HIGH);
    for (size_t i = 0; i < p->size; i++) x[i] = u[i] - RELATIVE_STEP * (unit + fabs(u[i]));
    if (log_shape(e, y[ALPHA], y[BETA], pm, p->size, x, low, st)) return st->code;
    for (size_t i = 0; i < p->size; i++) x[i] = u[i] + RELATIVE_STEP * (unit + fabs(u[i]));
    if (log_shape(e, y[ALPHA], y[BETA], pm, p->size, x, high, st)) return st->code;
    for (size_t i = 0; i < p->size; i++) low[i] = (high[i] - low[i]) / (2.0 * RELATIVE_STEP);
    carry_over(e, p, low, column(e, SLOPE));
    return ST_OK;
}

/* Computes the derivatives of the log density in alpha or beta (j) at fixed u. */
static int slopes_in_shape(struct evaluator *e, const struct points *p, const struct coordinates *c, const double *y,
                           int j, struct status *st)
{
    struct sides s = coordinates_sides(c, y, j, RELATIVE_STEP * fmin(1.0, y[ALPHA]));
    double at[2] = { y[ALPHA], y[BETA] }, *low = column(e, LOW), *high = column(e, HIGH);
    at[j] = y[j] + s.below;
    if (log_shape(e, at[0], at[1], c->pm, p->size, column(e, POINT), low, st)) return st->code;
    at[j] = y[j] + s.above;
    if (log_shape(e, at[0], at[1], c->pm, p->size, column(e, POINT), high, st)) return st->code;
    for (size_t i = 0; i < p->size; i++) low[i] = (high[i] - low[i]) / (s.above - s.below);
    carry_over(e, p, low, column(e, IN_ALPHA + j));
    return ST_OK;
}

/* Adds the weighted scores and their outer products to the answer. */
static void add_up(struct evaluator *e, const struct coordinates *c, double unit, struct answer *a)
{
    const struct sample *s = e->sample;
    for (size_t i = 0; i < s->n; i++) {
        double u = column(e, STANDARDISED)[i], slope = column(e, SLOPE)[i] / (unit + fabs(u));
        double w = s->weight ? s->weight[i] : 1.0;
        double score[PARAMETERS] = {
            c->moves[ALPHA] ? column(e, IN_ALPHA)[i] : 0.0, c->moves[BETA] ? column(e, IN_BETA)[i] : 0.0,
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
    double gamma = exp(y[GAMMA]), location = c->centre + c->unit * y[DELTA], sum = -s->total * y[GAMMA];
    if (make_room(e, st)) return st->code;
    for (size_t i = 0; i < s->n; i++) column(e, STANDARDISED)[i] = (s->z[i] - location) / gamma;
    if (choose_points(e, y, c->pm, p, st)) return st->code;
    carry_over(e, p, column(e, LOW), column(e, LOG_DENSITY));
    for (size_t i = 0; i < s->n; i++) sum += (s->weight ? s->weight[i] : 1.0) * column(e, LOG_DENSITY)[i];
    *value = isnan(sum) ? -INFINITY : sum;
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
    if (slopes_in_place(e, &p, y, c->pm, unit, st)) return st->code;
    for (int j = ALPHA; j <= BETA; j++)
        if (c->moves[j] && slopes_in_shape(e, &p, c, y, j, st)) return st->code;
    add_up(e, c, unit, a);
    return ST_OK;
}
