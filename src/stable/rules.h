/* The trapezoidal rules of several laws at once.
 *
 * Where every element has a law of its own, half of the time of a density is the search for the peak of its integrand,
 * whose steps depend on each other.  The searches of NODES elements are therefore made in the lanes of vectors, for
 * integrands without a plateau; the others are searched one by one.  The rule of an element does not depend on the other
 * ones.  For C only.
 */
#ifndef STABLECL_STABLE_RULES_H
#define STABLECL_STABLE_RULES_H

#include "trapezoidal_rule.h"

#define TOP_STEPS 20            /* a search that takes longer is repeated alone */

/* What w(r) depends on in the plain decomposition, and the position of the corner, for one integrand in each lane. */
struct peak_lanes {
    double alpha[NODES], eps[NODES], sign[NODES], kappa[NODES], L[NODES], h[NODES], rest[NODES];
    double log_G[NODES], dir[NODES], half_cell[NODES], corner[NODES];
};

/* TRUE if the rule of an integrand can be set in a lane: it has no plateau, hence a single peak. */
FN int fits_lane(const struct integrand_peak *b)
{
    return !b->near_one && peak_corner(b) >= -3.0;
}

FN void peak_put(struct peak_lanes *p, int k, const struct integrand_peak *b)
{
    p->alpha[k] = b->law->alpha;
    p->eps[k] = b->law->eps;
    p->sign[k] = b->law->sign;
    p->kappa[k] = b->law->kappa;
    p->L[k] = b->side->L;
    p->h[k] = b->side->h;
    p->rest[k] = b->side->rest;
    p->log_G[k] = b->log_G;
    p->dir[k] = b->dir;
    p->half_cell[k] = b->half_cell;
    p->corner[k] = peak_corner(b);
}

/* Returns the sample point of lane k at r. */
LANE struct sample_point sample_point_of(const struct peak_lanes *p, int k, double r)
{
    struct law law = { .alpha = p->alpha[k], .eps = p->eps[k], .sign = p->sign[k], .kappa = p->kappa[k] };
    struct side side = { .L = p->L[k], .h = p->h[k], .rest = p->rest[k] };
    struct integrand_peak b = { &law, &side, 0, p->log_G[k], p->dir[k], 0.0 };
    struct sample_point s;
    peak_sample_point(&b, r, &s);
    return s;
}

struct top_lanes {
    double r[NODES], w[NODES], slope[NODES], lo[NODES], hi[NODES], below[NODES], above[NODES], next[NODES];
    uint64 is_open[NODES];
};

LANE struct top_search top_of(const struct top_lanes *t, int k)
{
    struct top_search s = { t->r[k], t->w[k], t->slope[k], t->lo[k], t->hi[k], t->below[k], t->above[k], t->next[k],
                            t->is_open[k] };
    return s;
}

LANE void top_put(struct top_lanes *t, int k, const struct top_search *s)
{
    t->r[k] = s->r;
    t->w[k] = s->w;
    t->slope[k] = s->slope;
    t->lo[k] = s->lo;
    t->hi[k] = s->hi;
    t->below[k] = s->below;
    t->above[k] = s->above;
    t->next[k] = s->next;
    t->is_open[k] = s->is_open;
}

WIDE void tops_begin(struct top_lanes *t)
{
    for (int k = 0; k < NODES; k++) {
        struct top_search s = { 0 };
        top_start(&s, -R_MAX, R_MAX);
        top_put(t, k, &s);
    }
}

WIDE void tops_step(struct top_lanes *t, const struct peak_lanes *b, int step)
{
    OWN(struct peak_lanes, p, b);
    OWN(struct top_lanes, from, t);
    for (int k = 0; k < NODES; k++) {
        struct top_search s = top_of(from, k);
        struct sample_point at = sample_point_of(p, k, s.next);
        double near = top_bracket(&s, &at, p->dir[k], p->L[k]), far = top_way(&s);
        top_move(&s, pick(top_is_far(&s), far, near), step);
        top_put(t, k, &s);
    }
}

/* Returns 1 if the search continues in a lane. */
FN int any_open(const uint64 *is_open)
{
    uint64 any = 0;
    for (int k = 0; k < NODES; k++) any |= is_open[k];
    return any != 0;
}

struct rise_lanes { double r[NODES], slope[NODES], level[NODES]; uint64 is_open[NODES]; };

WIDE void rises_begin(struct rise_lanes *t, const struct top_lanes *top, const struct peak_lanes *b)
{
    OWN(struct top_lanes, from, top);
    OWN(struct peak_lanes, p, b);
    for (int k = 0; k < NODES; k++) {
        struct rise_search s = { 0 };
        rise_start(&s, from->r[k], from->w[k], NEGLIGIBLE * node_exp(p->half_cell[k]));
        t->r[k] = s.r;
        t->slope[k] = from->slope[k];
        t->level[k] = s.level;
        t->is_open[k] = s.is_open;
    }
}

WIDE void rises_step(struct rise_lanes *t, const struct peak_lanes *b)
{
    OWN(struct peak_lanes, p, b);
    OWN(struct rise_lanes, from, t);
    for (int k = 0; k < NODES; k++) {
        struct rise_search s = { from->r[k], from->slope[k], from->level[k], from->is_open[k] };
        struct sample_point at = sample_point_of(p, k, s.r);
        rise_step(&s, at.w, at.slope);
        t->r[k] = s.r;
        t->slope[k] = s.slope;
        t->is_open[k] = s.is_open;
    }
}

/* Sets `left` to the last bend of the integrand, as peaks_find() does without a plateau. */
WIDE void lefts_set(double *left, const struct top_lanes *top, const struct peak_lanes *b)
{
    OWN(struct top_lanes, t, top);
    OWN(struct peak_lanes, p, b);
    for (int k = 0; k < NODES; k++) {
        double right = t->r[k], width = p->half_cell[k], end = smaller(p->corner[k], right);
        double least = peak_log(t->w[k] + width, right) - NEGLIGIBLE;
        struct sample_point at_end = sample_point_of(p, k, end), at_0 = sample_point_of(p, k, 0.0);
        end = pick(when(peak_log(at_end.w + width, end) < least), right, end);
        left[k] = pick(when(end > 0.0) & when(peak_log(at_0.w + width, 0.0) > least), 0.0, end);
    }
}

struct map_lanes {
    double r0[NODES], fine[NODES], coarse[NODES], end[NODES], bend[NODES], spread[NODES];
    uint64 fits[NODES];
};

WIDE void maps_set(struct map_lanes *m, const double *left, const struct top_lanes *top,
                   const struct rise_lanes *rise, const struct peak_lanes *b)
{
    OWN(struct top_lanes, t, top);
    OWN(struct rise_lanes, front, rise);
    OWN(struct peak_lanes, p, b);
    for (int k = 0; k < NODES; k++) {
        struct node_map l;
        double slope = t->slope[k], steepest = pick(when(slope > front->slope[k]), slope, front->slope[k]);
        double slope_left = sample_point_of(p, k, left[k] - 3.0).slope;
        double coarse = smaller(1.0 / (1.0 + slope_left), STEP_COARSE);
        uint64 to_the_right = when(t->r[k] > 0.0) & when(p->alpha[k] < 0.5);
        m->fits[k] = node_map_fill(&l, t->r[k], left[k], slope, steepest, slope_left, coarse, p->half_cell[k])
                   & ~(to_the_right | t->is_open[k] | front->is_open[k]);
        m->r0[k] = l.r0;
        m->fine[k] = l.fine;
        m->coarse[k] = l.coarse;
        m->end[k] = l.end;
        m->bend[k] = l.bend;
        m->spread[k] = l.spread;
    }
}

FN void rule_put(struct trapezoidal_rule *o, const struct map_lanes *m, const struct top_lanes *t, int k)
{
    struct node_map l = { m->r0[k], m->fine[k], m->coarse[k], m->end[k], m->bend[k], m->spread[k] };
    o->node_map = l;
    o->uses_node_map = 1;
    o->c = 1.0;
    o->r0 = t->r[k];
    o->T0 = t->w[k];
    o->slope = t->slope[k];
    o->left = l.end;
    o->right = INFINITY;
}

/* Sets the rules of NODES integrands, where they are node maps. */
FN void maps_search(struct map_lanes *m, struct top_lanes *top, const struct peak_lanes *p)
{
    struct rise_lanes rise;
    double left[NODES];
    tops_begin(top);
    for (int step = 0; step < TOP_STEPS && any_open(top->is_open); step++) tops_step(top, p, step);
    rises_begin(&rise, top, p);
    for (int step = 0; step < RISE_STEPS && any_open(rise.is_open); step++) rises_step(&rise, p);
    lefts_set(left, top, p);
    maps_set(m, left, top, &rise, p);
}

/* Sets the rule of each of n <= NODES integrands. */
FN void rules_set(int n, const struct integrand_peak *b, struct trapezoidal_rule *o)
{
    struct peak_lanes p;
    struct top_lanes top;
    struct map_lanes m;
    int lane[NODES], used = 0;
    for (int k = 0; k < n; k++) {
        lane[k] = fits_lane(&b[k]) ? used++ : -1;
        if (lane[k] >= 0) peak_put(&p, lane[k], &b[k]);
    }
    for (int k = n - 1; used && k >= 0; k--)
        if (lane[k] >= 0) for (int j = used; j < NODES; j++) peak_put(&p, j, &b[k]);
    if (used) maps_search(&m, &top, &p);
    for (int k = 0; k < n; k++) {
        if (lane[k] >= 0 && m.fits[lane[k]]) rule_put(&o[k], &m, &top, lane[k]);
        else rule_set(&o[k], &b[k]);
    }
}

#endif
