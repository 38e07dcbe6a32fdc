#include <math.h>
#include "points.h"
#include "../base/memory.h"
#include "../special/elementary.h"

#define INTERPOLATED   1e-10             /* error of an interpolated log density */
#define ROUNDED        1e-14             /* terms of an interpolant that are smaller than this fraction are left out */
#define MAX_POINTS     (MAX_INTERVALS * INTERVAL_NODES)
#define BLOCK          16                /* observations for which an interpolant is evaluated together */

int points_reserve(struct evaluator *e, struct status *st)
{
    size_t n = e->sample->n, length = (n > MAX_POINTS ? n : MAX_POINTS) + INTERVAL_NODES + INTERVAL_CHECKS;
    if (length <= e->length) return ST_OK;
    double *workspace = memory_resize(e->workspace, COLUMNS * length * sizeof *workspace);
    if (!workspace) return fail(st, ST_MEMORY, "no memory for the scores of %.0f values", (double)e->sample->n);
    e->workspace = workspace;
    e->length = length;
    return ST_OK;
}

int points_log_shape(struct evaluator *e, double alpha, double beta, int pm, size_t n, const double *x, double *log_f,
                     struct status *st)
{
    static const double unit = 1.0, zero = 0.0;
    const struct laws l = { { &alpha, 1 }, { &beta, 1 }, { &unit, 1 }, { &zero, 1 }, pm };
    return evaluate_points(e, &l, n, x, log_f, st);
}

/* --- interpolation ------------------------------------------------------------------- */

/* Computes the coefficients c_k.  With n = INTERVAL_NODES, the nodes j and n - 1 - j are opposite: T_k has the same
 * value at both for even k, and opposite ones for odd k. */
void points_coefficients(const struct points *p, const double *value, double *c)
{
    enum { HALF = INTERVAL_NODES / 2 };
    double part[2][HALF];
    for (int j = 0; j < HALF; j++) {
        part[0][j] = value[j] + value[INTERVAL_NODES - 1 - j];
        part[1][j] = value[j] - value[INTERVAL_NODES - 1 - j];
    }
    for (unsigned k = 0; k < INTERVAL_NODES; k++) {
        double sum = 0.0;
        for (unsigned j = 0; j < HALF; j++) sum += part[k % 2][j] * p->cosine[k * (2 * j + 1) % (4 * INTERVAL_NODES)];
        c[k] = (k ? 2.0 : 1.0) / INTERVAL_NODES * sum;
    }
}

/* Returns the number of terms without the last ones, whose sum is less than `error`; at least 2. */
static int terms_needed(const double *c, double error)
{
    int terms = INTERVAL_NODES;
    double sum = fabs(c[terms - 1]);
    while (terms > 2 && sum < error) sum += fabs(c[--terms - 1]);
    return terms;
}

/* Evaluates the polynomial at BLOCK values t by Clenshaw's recurrence (1955,
 * doi:10.1090/S0025-5718-1955-0071856-0). */
WIDE void clenshaw(int terms, const double *restrict c, const double *restrict t, double *restrict value)
{
    double next[BLOCK] = { 0.0 }, after[BLOCK] = { 0.0 };
    for (int k = terms - 1; k > 0; k--)
        for (int l = 0; l < BLOCK; l++) {
            double b = 2.0 * t[l] * next[l] - after[l] + c[k];
            after[l] = next[l];
            next[l] = b;
        }
    for (int l = 0; l < BLOCK; l++) value[l] = t[l] * next[l] - after[l] + c[0];
}

void points_polynomial(const double *c, double error, size_t n, const double *t, double *value)
{
    double position[BLOCK] = { 0.0 }, block[BLOCK];
    int terms = terms_needed(c, error);
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t used = n - i < BLOCK ? n - i : BLOCK;
        for (size_t l = 0; l < used; l++) position[l] = t[i + l];
        clenshaw(terms, c, position, block);
        for (size_t l = 0; l < used; l++) value[i + l] = block[l];
    }
}

/* Interpolates n values at the positions t from those at the nodes. */
static void interpolate(const struct points *p, const double *at_nodes, size_t n, const double *t, double *value)
{
    double c[INTERVAL_NODES];
    points_coefficients(p, at_nodes, c);
    points_polynomial(c, ROUNDED * fabs(c[0]), n, t, value);
}

void points_interpolate(struct evaluator *e, const struct points *p, const double *at_points, double *value)
{
    for (int k = 0; k < p->count; k++) {
        const struct interval *v = &p->interval[k];
        size_t n = v->to - v->from;
        if (v->half > 0.0) interpolate(p, at_points + v->at, n, points_column(e, POSITION) + v->from, value + v->from);
        else for (size_t i = 0; i < n; i++) value[v->from + i] = at_points[v->at + i];
    }
}

double points_loglik(struct evaluator *e, const double *y)
{
    const struct sample *s = e->sample;
    const double *log_f = points_column(e, LOG_DENSITY);
    double sum = -s->total * y[GAMMA] - (1.0 + y[ALPHA]) * s->excess;
    for (size_t i = 0; i < s->n; i++) sum += sample_weight(s, i) * log_f[i];
    return isnan(sum) ? -INFINITY : sum;
}

/* --- the choice of points -------------------------------------------------------------- */

/* Uses the observations from <= i < to as points, and computes their log densities. */
static int use_observations(struct choice *c, size_t from, size_t to, struct status *st)
{
    struct points *p = c->p;
    struct interval *last = p->count ? &p->interval[p->count - 1] : NULL;
    const double *u = points_column(c->e, STANDARDISED);
    double *x = points_column(c->e, POINT) + p->size;
    if (from == to) return ST_OK;
    for (size_t i = from; i < to; i++) x[i - from] = u[i];
    if (points_log_shape(c->e, c->alpha, c->beta, c->pm, to - from, x, points_column(c->e, HERE) + p->size, st))
        return st->code;
    if (last && last->half == 0.0 && last->to == from) last->to = to;
    else p->interval[p->count++] = (struct interval) { from, to, p->size, 0.0, 0.0 };
    p->size += to - from;
    return ST_OK;
}

int points_try_interval(struct choice *c, struct interval *v, double sign, int *fits, struct status *st)
{
    static const double check[INTERVAL_CHECKS] = { 1.0, 0.0, -1.0 };
    struct points *p = c->p;
    double *x = points_column(c->e, POINT) + p->size, *log_f = points_column(c->e, HERE) + p->size;
    double value[INTERVAL_CHECKS];
    int n = INTERVAL_NODES + INTERVAL_CHECKS;
    for (int j = 0; j < n; j++) {
        double node = j < INTERVAL_NODES ? p->cosine[2 * j + 1] : check[j - INTERVAL_NODES];
        x[j] = copysign(exp(v->middle + v->half * node), sign);
    }
    if (points_log_shape(c->e, c->alpha, c->beta, c->pm, (size_t)n, x, log_f, st)) return st->code;
    interpolate(p, log_f, INTERVAL_CHECKS, check, value);
    *fits = 1;
    for (int j = 0; j < INTERVAL_CHECKS; j++)
        if (!(fabs(value[j] - log_f[INTERVAL_NODES + j]) <= c->error)) *fits = 0;
    if (!*fits) return ST_OK;
    v->at = p->size;
    p->interval[p->count++] = *v;
    p->size += INTERVAL_NODES;
    return ST_OK;
}

WIDE void set_positions(size_t n, const double *restrict u, double middle, double half, double *restrict t)
{
    for (size_t i = 0; i < n; i++) t[i] = (log_any(fabs(u[i])) - middle) / half;
}

void points_positions(size_t n, const double *u, double middle, double half, double *t)
{
    set_positions(n, u, middle, half, t);
}

/* Chooses points for the observations from <= i < to, which have the same sign. */
static int choose_between(struct choice *c, size_t from, size_t to, struct status *st)
{
    const double *u = points_column(c->e, STANDARDISED);
    int fits = 0;
    if (to - from < 2 * INTERVAL_NODES || c->p->count >= MAX_INTERVALS / 2) return use_observations(c, from, to, st);
    double first = log(fabs(u[from])), last = log(fabs(u[to - 1]));
    struct interval v = { from, to, 0, 0.5 * (first + last), 0.5 * fabs(last - first) };
    if (!(v.half > 0.0)) return use_observations(c, from, to, st);
    if (points_try_interval(c, &v, u[from], &fits, st)) return st->code;
    if (fits) {
        points_positions(to - from, u + from, v.middle, v.half, points_column(c->e, POSITION) + from);
        return ST_OK;
    }
    size_t middle = from + numbers_below(to - from, u + from, copysign(exp(v.middle), u[from]));
    if (middle == from || middle == to) return use_observations(c, from, to, st);
    if (choose_between(c, from, middle, st)) return st->code;
    return choose_between(c, middle, to, st);
}

void points_begin(struct points *p)
{
    p->count = 0;
    p->size = 0;
    for (int k = 0; k < 4 * INTERVAL_NODES; k++) p->cosine[k] = cos(PI * k / (2.0 * INTERVAL_NODES));
}

int points_choose(struct evaluator *e, const double *y, int pm, struct points *p, struct status *st)
{
    struct choice c = { e, y[ALPHA], y[BETA], INTERPOLATED, pm, p };
    const double *u = points_column(e, STANDARDISED);
    size_t n = e->sample->n, below = numbers_below(n, u, 0.0), above = below;
    points_begin(p);
    if (pm != 1) return use_observations(&c, 0, n, st);
    while (above < n && u[above] == 0.0) above++;
    if (choose_between(&c, 0, below, st) || use_observations(&c, below, above, st)) return st->code;
    return choose_between(&c, above, n, st);
}
