/* The scores of one distribution on the CPU, which stores the neighbouring distributions (score_rule.h), and scores of
 * low accuracy. */
#include <string.h>
#include "score_rule.h"
#include "scorer.h"
#include "shape.h"
#include "../base/memory.h"

#define DIFFERENCE_STEP 1e-4    /* step of approximate differences, times alpha if alpha < 1 */
#define BOUNDARY_STEP 1e-6      /* ... at a boundary, towards the interior */

#define SHAPES (1 + 2 * (SCORE_LEVELS * DIFFERENCE_NODES + 2))

static void assign_shapes(struct scorer *s)
{
    int next = 0;
    s->shape = shapes_at(s->all, next++);
    for (int what = 0; what < 2; what++) {
        for (int level = 0; level < SCORE_LEVELS; level++)
            for (int k = 0; k < DIFFERENCE_NODES; k++) s->grid[what][level].shape[k] = shapes_at(s->all, next++);
        for (int k = 0; k < 2; k++) s->pair[what].shape[k] = shapes_at(s->all, next++);
    }
}

struct scorer *scorer_new(void)
{
    struct scorer *s = memory_zeroed(1, sizeof *s);
    if (!s) return NULL;
    s->all = shapes_new(SHAPES);
    if (!s->all) {
        scorer_free(s);
        return NULL;
    }
    assign_shapes(s);
    return s;
}

void scorer_free(struct scorer *s)
{
    if (!s) return;
    shapes_free(s->all, SHAPES);
    memory_release(s);
}

void scorer_set(struct scorer *s, double alpha, double beta)
{
    if (alpha == s->alpha && beta == s->beta) return;
    score_set(s, alpha, beta);
    shape_set(s->shape, alpha, beta, 1);
    for (int what = 0; what < 2; what++) {
        for (int level = 0; level < SCORE_LEVELS; level++)
            s->grid[what][level].set = s->grid[what][level].modes_set = 0;
        s->pair[what].set = 0;
    }
}

/* --- values of the distribution and of its neighbours --- */

const struct standard *scorer_law(const struct scorer *s)
{
    return shape_law(s->shape);
}

void scorer_value(struct scorer *s, struct argument x, struct stable_value *v)
{
    shape_eval(s->shape, x, v);
}

double scorer_slope(struct scorer *s, struct argument x)
{
    return shape_slope(s->shape, x);
}

const struct difference_rule *scorer_nodes(struct scorer *s, int what, int level)
{
    struct grid *g = &s->grid[what][level];
    if (g->set) return &g->difference_rule;
    score_place_nodes(s, what, level, &g->difference_rule);
    for (int k = 0; k < DIFFERENCE_NODES; k++) {
        double p = g->difference_rule.node[k];
        shape_set(g->shape[k], what == IN_ALPHA ? p : s->alpha, what == IN_ALPHA ? s->beta : p, 1);
    }
    g->set = 1;
    return &g->difference_rule;
}

void scorer_value_near(struct scorer *s, int what, int level, int k, struct argument x, struct stable_value *v)
{
    shape_eval(s->grid[what][level].shape[k], x, v);
}

/* Returns the modes at the nodes of an interval. */
static const double *modes_of(struct grid *g)
{
    for (int k = 0; !g->modes_set && k < DIFFERENCE_NODES; k++) g->mode[k] = shape_mode(g->shape[k]);
    g->modes_set = 1;
    return g->mode;
}

void scorer_eval(struct scorer *s, struct argument x, int fixed_x, struct scores *y)
{
    score_at(s, x, fixed_x, y);
}

/* Returns the derivative of the mode from the interval with the smallest error estimate. */
static struct slope mode_slope(struct scorer *s, int what)
{
    struct slope best = { 0.0, INFINITY };
    double here = shape_mode(s->shape);
    for (int level = 0; level < SCORE_LEVELS && slope_relative_error(best) > SLOPE_TOLERANCE; level++) {
        const struct difference_rule *nodes = scorer_nodes(s, what, level);
        best = slope_more_accurate(best, mode_slope_from_nodes(nodes, modes_of(&s->grid[what][level]), here));
    }
    return best;
}

void scorer_mode(struct scorer *s, struct mode_slopes *m)
{
    m->alpha = mode_slope(s, IN_ALPHA);
    m->beta = mode_slope(s, IN_BETA);
}

/* --- scores of low accuracy --- */

static double log_density(struct shape *shape, struct argument x)
{
    struct stable_value v;
    shape_eval(shape, x, &v);
    return value_pdf(&v, 1);
}

/* Returns two shapes next to the current one, one on either side; at a boundary, one of them is the current one.  If
 * distances from zeta are held fixed, the shapes do not reach alpha = 1. */
static const struct pair *neighbours_of(struct scorer *s, int what, int by_distance)
{
    struct pair *p = &s->pair[what];
    double at = what == IN_ALPHA ? s->alpha : s->beta;
    double lo = what == IN_ALPHA ? 0.0 : -1.0, hi = what == IN_ALPHA ? 2.0 : 1.0;
    double step = DIFFERENCE_STEP * (s->alpha < 1.0 ? s->alpha : 1.0), one = fabs(s->alpha - 1.0);
    if (p->set) return p;
    if (at < hi && step > 0.1 * (hi - at)) step = 0.1 * (hi - at);
    if (at > lo && step > 0.1 * (at - lo)) step = 0.1 * (at - lo);
    if (by_distance && what == IN_ALPHA && step > 0.1 * one) step = 0.1 * one;
    p->from = at == hi ? hi - BOUNDARY_STEP : at == lo ? lo : at - step;
    p->to = at == lo ? lo + BOUNDARY_STEP : at == hi ? hi : at + step;
    for (int k = 0; k < 2; k++) {
        double there = k ? p->to : p->from;
        shape_set(p->shape[k], what == IN_ALPHA ? there : s->alpha, what == IN_ALPHA ? s->beta : there, 1);
    }
    p->set = 1;
    return p;
}

/* The errors of log f, about 1e-15, and those of the differences, of second order in the step, are not estimated. */
void scorer_approximate(struct scorer *s, struct argument x, int fixed_x, struct scores *y)
{
    int by_distance = !fixed_x || s->alpha < SCORE_BY_DISTANCE;
    struct slope *slope[2] = { &y->alpha, &y->beta }, unknown = { 0.0, INFINITY };
    struct score_point h;
    score_point_set(&h, s, x);
    y->alpha = y->beta = y->z = unknown;
    if (!(h.log_f > -INFINITY)) return;
    y->z = score_in_x(s, &h);
    y->z.error = 0.0;
    for (int what = 0; what < 2; what++) {
        const struct pair *p = neighbours_of(s, what, by_distance);
        double from = log_density(p->shape[0], h.x[by_distance]);
        double to = log_density(p->shape[1], h.x[by_distance]);
        slope[what]->value = (to - from) / (p->to - p->from);
        if (by_distance && fixed_x) slope[what]->value -= s->zeta_slope[what] * y->z.value;
        slope[what]->error = 0.0;
    }
}
