/* Derivatives of log f from direct values at neighbouring shapes and points.
 *
 * f(x; alpha, beta) of S0 is analytic in alpha and beta, also across alpha = 1 and beyond the boundaries alpha = 2 and
 * |beta| = 1.  An interval inside the parameter space that ends at the boundary is therefore as good as one centred at
 * the point.  On the interval, f is interpolated by a polynomial through DIFFER_NODES values (differences.c); a tilt
 * of -log |x| per unit of alpha removes the power from the tail.  For alpha < 1, a distribution varies on the scale of
 * log|x - zeta| next to zeta.  There, values are computed at a fixed distance from zeta, and
 *
 *     d/d alpha at fixed x = d/d alpha at fixed x - zeta  -  (d zeta/d alpha) d/dx.
 *
 * The first interval has half-width USUAL.  Shorter and longer ones follow until the error estimate is below ENOUGH;
 * the result with the smallest estimate is returned.  d/dx is computed from the node set (shape_slope) if its rounding
 * error is small, otherwise by the series at zeta or by a difference in x.
 *
 * Error: the estimate is the truncation error of the polynomial (differences.c) plus the rounding error of the values.
 * Most of the error estimated in struct stable_value is smooth in alpha, beta and x, and contributes little to a
 * derivative; the part that differs from node to node is below NOISE.
 */
#include <string.h>
#include "differences.h"
#include "score.h"
#include "../base/memory.h"

#define USUAL    0.03           /* half-width of an interval in beta and in alpha (times alpha if alpha < 1) */
#define USUAL_X  0.1            /* ... in x, relative to the length scale of f */
#define SHRINK   0.25
#define WIDER    3.0            /* longer intervals, in units of the usual one */
#define WIDEST   8.0
#define LEVELS   10
#define NOISE    2e-15          /* rounding error of log f, relative to max(1, |log f|) */
#define DOUBTFUL 1e-10          /* a larger estimated error is not assumed to be smooth */
#define LIGHT    3.9e12         /* -log f above which no node set is built: exp(29) */
#define BY_DISTANCE 0.7         /* alpha below which only the distance from zeta is held fixed */
#define ROUGH    1e-4           /* step of approximate differences, times alpha if alpha < 1 */
#define BORDER   1e-6           /* ... at a boundary, towards the interior */

enum { IN_ALPHA, IN_BETA };

struct grid {
    int set, modes_set;
    struct differ differ;
    struct shape *shape[DIFFER_NODES];
    double mode[DIFFER_NODES];
};

struct scorer {
    double alpha, beta;
    double tangent;                     /* tan(pi alpha/2); not used at alpha = 1 */
    double zeta_slope[2];               /* d zeta/d alpha, d zeta/d beta */
    struct shape *shape;
    struct grid grid[2][LEVELS];
    struct pair { int set; double from, to; struct shape *shape[2]; } pair[2];
};

static int shapes_new(struct scorer *s)
{
    s->shape = shape_new();
    if (!s->shape) return 0;
    for (int what = 0; what < 2; what++) {
        for (int level = 0; level < LEVELS; level++)
            for (int k = 0; k < DIFFER_NODES; k++)
                if (!(s->grid[what][level].shape[k] = shape_new())) return 0;
        for (int k = 0; k < 2; k++)
            if (!(s->pair[what].shape[k] = shape_new())) return 0;
    }
    return 1;
}

struct scorer *scorer_new(void)
{
    struct scorer *s = memory_zeroed(1, sizeof *s);
    if (s && shapes_new(s)) return s;
    scorer_free(s);
    return NULL;
}

void scorer_free(struct scorer *s)
{
    if (!s) return;
    shape_free(s->shape);
    for (int what = 0; what < 2; what++) {
        for (int level = 0; level < LEVELS; level++)
            for (int k = 0; k < DIFFER_NODES; k++) shape_free(s->grid[what][level].shape[k]);
        for (int k = 0; k < 2; k++) shape_free(s->pair[what].shape[k]);
    }
    memory_release(s);
}

void scorer_set(struct scorer *s, double alpha, double beta)
{
    if (alpha == s->alpha && beta == s->beta) return;
    s->alpha = alpha;
    s->beta = beta;
    s->tangent = 1.0 / tan(HALF_PI * (1.0 - alpha));
    s->zeta_slope[IN_ALPHA] = -beta * HALF_PI * (1.0 + s->tangent * s->tangent);
    s->zeta_slope[IN_BETA] = -s->tangent;
    shape_set(s->shape, alpha, beta);
    for (int what = 0; what < 2; what++) {
        for (int level = 0; level < LEVELS; level++) s->grid[what][level].set = s->grid[what][level].modes_set = 0;
        s->pair[what].set = 0;
    }
}

/* Returns the half-width at a level in units of the usual one. */
static double width_at(int level)
{
    return level == 0 ? 1.0 : level == 1 ? WIDER : level == 2 ? WIDEST : pow(SHRINK, level - 2);
}

/* Returns the interval of a level, set up for the current shape. */
static struct grid *grid_for(struct scorer *s, int what, int level)
{
    struct grid *g = &s->grid[what][level];
    double half = USUAL * width_at(level);
    if (g->set) return g;
    if (what == IN_ALPHA) differ_set(&g->differ, s->alpha, half * (s->alpha < 1.0 ? s->alpha : 1.0), 0.0, 2.0);
    else differ_set(&g->differ, s->beta, half, -1.0, 1.0);
    for (int k = 0; k < DIFFER_NODES; k++) {
        double p = g->differ.node[k];
        shape_set(g->shape[k], what == IN_ALPHA ? p : s->alpha, what == IN_ALPHA ? s->beta : p);
    }
    g->set = 1;
    return g;
}

/* Returns the part of the error that differs from node to node. */
static double noise_of(const struct stable_value *v)
{
    return v->error > DOUBTFUL || v->error < NOISE ? v->error : NOISE;
}

/* Returns log f at x, -Inf outside the support, and stores the absolute error. */
static double log_of(const struct stable_value *v, double *error)
{
    double log_f = value_pdf(v, 1), size = fabs(log_f);
    *error = size < INFINITY ? noise_of(v) * (size > 1.0 ? size : 1.0) : 0.0;
    return log_f;
}

static double log_density(struct shape *shape, struct abscissa x, double *error)
{
    struct stable_value v;
    shape_eval(shape, x, &v);
    return log_of(&v, error);
}

/* The point x as S0 argument (x[0]) and as distance from zeta (x[1]), and log f there. */
struct here {
    struct abscissa x[2];
    struct stable_value value;
    double log_f, error;
};

static void here_set(struct here *h, struct scorer *s, struct abscissa x)
{
    struct abscissa zeta = standard_zeta(shape_law(s->shape));
    double sign = x.shifted ? 1.0 : -1.0;
    h->x[x.shifted] = h->x[!x.shifted] = x;
    if (s->alpha != 1.0) {
        struct double_double at = { x.hi, x.lo }, move = { sign * zeta.hi, sign * zeta.lo };
        at = two_add(at, move);
        h->x[!x.shifted].hi = at.hi;
        h->x[!x.shifted].lo = at.lo;
        h->x[!x.shifted].shifted = !x.shifted;
    }
    shape_eval(s->shape, x, &h->value);
    h->log_f = log_of(&h->value, &h->error);
}

/* Returns d/d alpha or d/d beta at fixed x or fixed distance from zeta, from the interval of one level. */
static struct slope on_level(struct scorer *s, int what, int level, const struct here *h, int by_distance)
{
    const struct grid *g = grid_for(s, what, level);
    struct abscissa x = h->x[by_distance];
    struct node_values v;
    struct slope unknown = { 0.0, INFINITY };
    if (by_distance && what == IN_ALPHA && g->differ.node[DIFFER_NODES - 1] >= 1.0) return unknown;
    for (int k = 0; k < DIFFER_NODES; k++) v.log_f[k] = log_density(g->shape[k], x, &v.error[k]);
    v.tilt = what == IN_ALPHA && fabs(x.hi) > 1.0 ? -log(fabs(x.hi)) : 0.0;
    v.log_here = h->log_f;
    v.error_here = h->error;
    return estimate_slope(&g->differ, &v);
}

/* Returns the level to be tried next: the long intervals first if rounding errors dominate, otherwise last. */
static int level_after(int tried, const struct here *h)
{
    if (h->error > NOISE * 50.0) return tried;
    return tried == 0 ? 0 : tried + 2 < LEVELS ? tried + 2 : tried + 3 - LEVELS;
}

/* Returns d/d alpha or d/d beta at fixed x (fixed_x) or at a fixed distance from zeta; z is d/dx. */
static struct slope in_shape(struct scorer *s, int what, const struct here *h, int fixed_x, struct slope z)
{
    struct slope best = { 0.0, INFINITY };
    int near = s->alpha < BY_DISTANCE, either = !near && s->alpha < 1.0;
    if (what == IN_BETA && s->alpha == 2.0) best.error = 0.0;
    for (int tried = 0; tried < LEVELS && best.error > 0.0; tried++) {
        for (int by_distance = near; by_distance <= (near || either); by_distance++) {
            struct slope d = on_level(s, what, level_after(tried, h), h, by_distance);
            if (by_distance == fixed_x) d = slope_add(d, (fixed_x ? -1.0 : 1.0) * s->zeta_slope[what], z);
            best = estimate_better(best, d);
            if (estimate_miss(best) <= ENOUGH) return best;
        }
    }
    return best;
}

/* Returns the length on which f changes at x: about f(zeta)/f'(zeta) next to zeta, otherwise the distance. */
static double scale_at(const struct scorer *s, const struct here *h)
{
    double a = s->alpha, far = 1.0 + fabs(h->x[0].hi), y = fabs(h->x[1].hi), peak;
    if (a == 1.0) return far;
    peak = exp(lgamma(1.0 / a) - lgamma(2.0 / a) + shape_law(s->shape)->law.log_sec / a);
    if (y < peak) y = peak;
    return y < far ? y : far;
}

/* Returns d/dx from values next to x. */
static struct slope by_difference(struct scorer *s, const struct here *h, double enough)
{
    struct slope best = { 0.0, INFINITY };
    double usual = USUAL_X * scale_at(s, h);
    for (int level = 0; level < LEVELS; level++) {
        struct differ d;
        struct node_values v;
        struct slope t;
        differ_set(&d, 0.0, usual * width_at(level), -INFINITY, INFINITY);
        for (int k = 0; k < DIFFER_NODES; k++)
            v.log_f[k] = log_density(s->shape, argument_shift(h->x[1], d.node[k]), &v.error[k]);
        v.tilt = 0.0;
            v.log_here = h->log_f;
        v.error_here = h->error;
        t = estimate_slope(&d, &v);
        if (t.error < best.error) best = t;
        if (best.error <= enough) break;
    }
    return best;
}

/* Returns d/dx from the node set; its error is that of the terms.  Where Laplace's method is used instead of a node set
 * (value_laplace), log f is -G0, which is proportional to G. */
static struct slope by_node_set(struct scorer *s, const struct here *h)
{
    struct slope d = { 0.0, INFINITY };
    struct position p;
    argument_set(&p, &shape_law(s->shape)->law, h->x[1]);
    if (p.at_zeta) return d;
    if (h->log_f < -LIGHT) {
        d.value = h->log_f * (p.left ? -p.dlog_G : p.dlog_G);
        d.error = fabs(d.value) * (60.0 / LIGHT);
        return d;
    }
    d.value = shape_slope(s->shape, h->x[1]);
    d.error = 4.0 * noise_of(&h->value) * (2.0 * fabs(p.dlog_front) + fabs(p.dlog_G) + fabs(d.value));
    if (!(d.error < INFINITY)) d.error = INFINITY;
    return d;
}

/* Returns d/dx from the series at zeta. */
static struct slope by_centre(struct scorer *s, const struct here *h)
{
    struct slope d = { 0.0, INFINITY };
    if (s->alpha >= 1.0) return d;
    d.value = centre_slope_below_one(&shape_law(s->shape)->law, h->x[1].hi, &d.error);
    if (!(d.error < INFINITY)) d.error = INFINITY;
    return d;
}

/* Returns d/dx from the first method that is accurate enough. */
static struct slope in_x(struct scorer *s, const struct here *h)
{
    double z = h->x[0].hi, size = fabs(z) > 1.0 ? fabs(z) : 1.0, enough;
    struct slope d = { -0.5 * z, 0.0 };
    if (s->alpha == 2.0) return d;
    d.value = -2.0 / (z + 1.0 / z);
    if (standard_is_closed(s->alpha, s->beta)) return d;
    d.value = 0.0;
    if (s->beta == 0.0 && z == 0.0) return d;
    d = by_node_set(s, h);
    enough = ENOUGH * (fabs(d.value) > 1.0 / size ? fabs(d.value) : 1.0 / size);
    if (d.error <= enough) return d;
    d = estimate_better(d, by_centre(s, h));
    return d.error <= enough ? d : estimate_better(d, by_difference(s, h, enough));
}

void scorer_eval(struct scorer *s, struct abscissa x, int fixed_x, struct scores *y)
{
    struct slope unknown = { 0.0, INFINITY };
    struct here h;
    here_set(&h, s, x);
    y->alpha = y->beta = y->z = unknown;
    if (!(h.log_f > -INFINITY)) return;
    y->z = in_x(s, &h);
    y->alpha = in_shape(s, IN_ALPHA, &h, fixed_x, y->z);
    y->beta = in_shape(s, IN_BETA, &h, fixed_x, y->z);
}

/* Returns two shapes next to the current one, one on either side; at a boundary, one of them is the current one.  If
 * distances from zeta are held fixed, the shapes do not reach alpha = 1. */
static const struct pair *pair_for(struct scorer *s, int what, int by_distance)
{
    struct pair *p = &s->pair[what];
    double at = what == IN_ALPHA ? s->alpha : s->beta;
    double lo = what == IN_ALPHA ? 0.0 : -1.0, hi = what == IN_ALPHA ? 2.0 : 1.0;
    double step = ROUGH * (s->alpha < 1.0 ? s->alpha : 1.0), one = fabs(s->alpha - 1.0);
    if (p->set) return p;
    if (at < hi && step > 0.1 * (hi - at)) step = 0.1 * (hi - at);
    if (at > lo && step > 0.1 * (at - lo)) step = 0.1 * (at - lo);
    if (by_distance && what == IN_ALPHA && step > 0.1 * one) step = 0.1 * one;
    p->from = at == hi ? hi - BORDER : at == lo ? lo : at - step;
    p->to = at == lo ? lo + BORDER : at == hi ? hi : at + step;
    for (int k = 0; k < 2; k++) {
        double there = k ? p->to : p->from;
        shape_set(p->shape[k], what == IN_ALPHA ? there : s->alpha, what == IN_ALPHA ? s->beta : there);
    }
    p->set = 1;
    return p;
}

/* The errors of log f, about 1e-15, and those of the differences, of second order in the step, are not estimated. */
void scorer_approximate(struct scorer *s, struct abscissa x, int fixed_x, struct scores *y)
{
    int by_distance = !fixed_x || s->alpha < BY_DISTANCE;
    struct slope *slope[2] = { &y->alpha, &y->beta }, unknown = { 0.0, INFINITY };
    struct here h;
    double unused;
    here_set(&h, s, x);
    y->alpha = y->beta = y->z = unknown;
    if (!(h.log_f > -INFINITY)) return;
    y->z = in_x(s, &h);
    y->z.error = 0.0;
    for (int what = 0; what < 2; what++) {
        const struct pair *p = pair_for(s, what, by_distance);
        double from = log_density(p->shape[0], h.x[by_distance], &unused);
        double to = log_density(p->shape[1], h.x[by_distance], &unused);
        slope[what]->value = (to - from) / (p->to - p->from);
        if (by_distance && fixed_x) slope[what]->value -= s->zeta_slope[what] * y->z.value;
        slope[what]->error = 0.0;
    }
}

/* Returns the derivative of the mode from the interval with the smallest error estimate. */
static struct slope mode_slope(struct scorer *s, int what)
{
    struct slope best = { 0.0, INFINITY };
    double here = shape_mode(s->shape);
    for (int level = 0; level < LEVELS && estimate_miss(best) > ENOUGH; level++) {
        struct grid *g = grid_for(s, what, level);
        double error[DIFFER_NODES], truncation;
        struct slope d;
        for (int k = 0; k < DIFFER_NODES; k++) {
            if (!g->modes_set) g->mode[k] = shape_mode(g->shape[k]);
            error[k] = 1e-14 * (1.0 + fabs(g->mode[k]));
        }
        g->modes_set = 1;
        d.value = differ_slope(&g->differ, g->mode, here, &truncation);
        d.error = truncation + differ_noise(&g->differ, error);
        best = estimate_better(best, d);
    }
    return best;
}

void scorer_mode(struct scorer *s, struct mode_slopes *m)
{
    m->alpha = mode_slope(s, IN_ALPHA);
    m->beta = mode_slope(s, IN_BETA);
}
