/* core/march.h: the nodes of the rule one after the other, each with its weights.
 *
 * With E an exponential variable, W = log E, and phi(w) the inverse of
 * w = log G + log V(phi),
 *
 *     f(x) = |kappa| / (pi y) E[ |d phi/d w| (W) ],
 *     P(X > x) = E[ psi(W) ] / pi,     P(zeta < X <= x) = E[ phi(W) ] / pi:
 *
 * three sums over the same nodes (layout.h), all of whose terms are positive.
 * The angle that the smaller tail needs is taken: in r the left one vanishes
 * as r -> -inf, the right one as r -> +inf, and
 *
 *     E[left angle]  = Int e^{-g} phi psi/L dr        = Int left  slope g e^{-g} dr,
 *     E[right angle] = Int (1-e^{-g}) phi psi/L dr    = Int right slope g e^{-g} dr + L (1-e^{-g(-inf)}).
 *
 * The form by parts shares its exponentials with the density.  It starts from the
 * front and is not used where a plateau carries the left angle, nor for
 * alpha < 1/2, where slope is small.
 */
#ifndef STABLECL_MARCH_H
#define STABLECL_MARCH_H

#include "layout.h"

#define EPSILON 2.220446049250313e-16

/* Which form the tail takes. */
struct form {
    int upper;                  /* tail: psi, P(X > x), or phi, P(zeta < X <= x) */
    int parts;                  /* tail integrated by parts: weight of g exp(-g) */
    int complement;             /* tail from 1 - exp(-g) */
    double edge, edge_g;        /* adds edge (1 - exp(-edge_g)) to the tail */
};

struct node {
    double w, g;                /* log g, g */
    double pdf;                 /* weight of exp(-g) in the density */
    double tail;                /* weight of exp(-g), or of 1 - exp(-g), in the tail */
};

/* The next node to one side of the origin. */
struct march {
    int dir, j, idle;           /* idle: nodes in a row that did not count */
    double r, T, rate, rate_before;
};

FN void form_set(struct form *f, const struct bump *b, const struct layout *o)
{
    int right_angle = o->r0 > 0.0;
    double slope;
    f->upper = b->dir * o->r0 > 0.0;
    f->complement = o->right < INFINITY;
    f->parts = b->law->alpha >= 0.5 && (right_angle || o->c == 1.0);
    f->edge = f->edge_g = 0.0;
    if (f->parts && right_angle && bump_corner(b) <= FAR_CORNER) {
        f->edge = b->side->L;
        f->edge_g = bump_g(b, PLATEAU, &slope);
    }
}

FN void node_set(struct node *n, const struct form *f, const struct bump *b, double r, const struct spot *s,
                    double width)
{
    double slope = s->slope;
    if (slope < 1e-15 || (f->edge > 0.0 && r < PLATEAU)) slope = 0.0;   /* noise; the edge stands for it */
    n->w = s->w;
    n->g = exp_capped(s->w);
    n->pdf = n->tail = width * (s->phi * s->psi / b->side->L);
    n->pdf *= n->g;
    if (f->parts) n->tail = width * (f->upper ? s->psi : s->phi) * slope * n->g;
}

FN void march_start(struct march *m, const struct layout *o, int dir)
{
    m->dir = dir;
    m->j = dir > 0 ? 0 : -1;
    m->idle = 0;
    m->r = o->r0;
    m->T = m->rate = m->rate_before = 0.0;
}

/* Find node j: its place, what is there, and its width in r. */
FN double march_find(struct march *m, const struct bump *b, const struct layout *o, struct spot *s)
{
    double width, T;
    if (o->on_ladder) {
        T = m->j;
        m->r = ladder_rung(&o->ladder, T, exp(-T / SPREAD), &width);
    } else {                                             /* a guess by the two-step rule of Adams and Bashforth */
        T = layout_node(o, m->j, &width);
        m->r += (T - m->T) * (1.5 * m->rate - 0.5 * m->rate_before);
    }
    layout_solve(o, b, T, &m->r, s);
    m->T = T;
    if (o->on_ladder) return width;
    m->rate_before = m->rate > 0.0 ? m->rate : 1.0 / (o->c + s->slope);
    m->rate = 1.0 / (o->c + s->slope);
    return o->step * width * m->rate;
}

/* The next node, unless three in a row did not count (0). */
FN int march_next(struct march *m, const struct form *f, const struct bump *b, const struct layout *o,
                     struct node *n)
{
    struct spot s;
    double width;
    if (m->idle >= 3) return 0;
    width = march_find(m, b, o, &s);
    if (fabs(m->r) > R_MAX) return 0;
    node_set(n, f, b, m->r, &s, width);
    return 1;
}

/* Go on from the node, which counts or does not. */
FN void march_on(struct march *m, const struct layout *o, int counts)
{
    m->idle = counts || (m->dir < 0 && m->T >= o->left) ? 0 : m->idle + 1;
    m->j += m->dir;
}

/* The sums of one position, and an estimate of their error. */
struct sums {
    double pdf;                 /* to be multiplied by the front of the position */
    double tail;                /* pi times the tail */
    double scale;               /* both over exp(scale) */
    double error;               /* on the log scale (value.h) */
    int upper;
};

/* An estimate of the error on the log scale.  The even and the odd nodes are rules of
 * twice the step, whose error is the square root of the full rule's; to it comes
 * the rounding of w, some ulp of log G, which moves the bump by 1/slope as much. */
FN double sums_error(const double *pdf, const double *tail, int complement, double g_min, double log_G,
                     double slope)
{
    double ripple = fabs(pdf[0] - pdf[1]) / (pdf[0] + pdf[1]);
    double other = fabs(tail[0] - tail[1]) / (tail[0] + tail[1]);
    if (complement || other < ripple) other = ripple;
    return other * other / (1.0 + g_min) + EPSILON * (30.0 + 4.0 * fabs(log_G) / (slope > 1.0 ? slope : 1.0));
}

#endif
