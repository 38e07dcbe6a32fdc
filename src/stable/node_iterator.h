/* The nodes of the rule one after the other, each with its weights.
 *
 * With E an exponential variable, W = log E, and phi(w) the inverse of
 * w = log G + log V(phi),
 *
 *     f(x) = |kappa| / (pi y) E[ |d phi/d w| (W) ],
 *     P(X > x) = E[ psi(W) ] / pi,     P(zeta < X <= x) = E[ phi(W) ] / pi:
 *
 * three sums over the same nodes (trapezoidal_rule.h), all of whose terms are positive.
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
#ifndef STABLECL_STABLE_NODE_ITERATOR_H
#define STABLECL_STABLE_NODE_ITERATOR_H

#include "trapezoidal_rule.h"

#define EPSILON 2.220446049250313e-16

/* Which form the tail takes. */
struct form {
    int upper;                          /* tail: psi, P(X > x), or phi, P(zeta < X <= x) */
    int parts;                          /* tail integrated by parts: weight of g exp(-g) */
    int complement;                     /* tail from 1 - exp(-g) */
    double edge, edge_g;                /* adds edge (1 - exp(-edge_g)) to the tail */
};

struct node {
    double w, g;                        /* log g, g */
    double pdf;                         /* weight of exp(-g) in the density */
    double tail;                        /* weight of exp(-g), or of 1 - exp(-g), in the tail */
};

/* Going to one side of the origin, where nodes are found NODES at a time. */
struct node_iterator {
    int dir, j, idle;                   /* idle: nodes in a row that did not count */
    int at;                             /* which of those found is next */
    double T, r, rate, bend;            /* of the last one found; rate = dr/dT, bend = d rate/dT */
    struct sample_points sample_point;
    double place[NODES], width[NODES];  /* T (u on a ladder), and the width in r */
    double g[NODES], pdf[NODES], tail[NODES];
};

FN void form_set(struct form *f, const struct integrand_peak *b, const struct trapezoidal_rule *o)
{
    int right_angle = o->r0 > 0.0;
    double slope;
    f->upper = b->dir * o->r0 > 0.0;
    f->complement = o->right < INFINITY;
    f->parts = b->law->alpha >= 0.5 && (right_angle || o->c == 1.0);
    f->edge = f->edge_g = 0.0;
    if (f->parts && right_angle && peak_corner(b) <= FAR_CORNER) {
        f->edge = b->side->L;
        f->edge_g = peak_g(b, PLATEAU, &slope);
    }
}

FN void iterator_start(struct node_iterator *m, const struct trapezoidal_rule *o, int dir)
{
    m->dir = dir;
    m->j = dir > 0 ? 0 : -1;
    m->idle = 0;
    m->at = NODES;
    m->r = o->r0;
    m->T = m->bend = 0.0;
    m->rate = 1.0 / (o->c + o->slope);
}

/* The next nodes of a ladder. */
WIDE void iterator_climb(struct node_iterator *m, const struct node_map *from)
{
    OWN(struct node_map, l, from);
    double first = m->j, dir = m->dir;
    for (int k = 0; k < NODES; k++) {
        double u = first + dir * k;
        m->place[k] = u;
        m->sample_point.r[k] = node_map_node(l, u, node_exp(-u / SPREAD), &m->width[k]);
    }
}

/* Where the next nodes are in T, and a guess of r: by the two-step rule of Adams and Bashforth, as long as T grows no
 * slower than c r and no faster than four times as now. */
WIDE void iterator_aim(struct node_iterator *m, const struct trapezoidal_rule *from)
{
    OWN(struct trapezoidal_rule, o, from);
    double first = m->j, dir = m->dir, T = m->T, r = m->r, rate = m->rate, half_bend = 0.5 * m->bend;
    for (int k = 0; k < NODES; k++) {
        double to = rule_node(o, (first + dir * k) * o->step, &m->width[k]), ahead = to - T;
        double mean = smaller(rate + half_bend * ahead, 1.0 / o->c);
        double guess = r + ahead * pick(when(mean > 0.25 * rate), mean, 0.25 * rate);
        m->place[k] = to;
        m->sample_point.r[k] = pick(when(fabs(guess) < R_MAX), guess, r + dir * R_MAX);
    }
}

/* A step of Newton's method for T(r) at the nodes that are not found; beyond R_MAX they are not looked for.
 * 1 if there were such nodes. */
WIDE int iterator_correct(struct node_iterator *m, const struct trapezoidal_rule *from)
{
    OWN(struct trapezoidal_rule, o, from);
    double is_open[NODES], open = 0.0;
    for (int k = 0; k < NODES; k++) {
        double r = m->sample_point.r[k], slope = m->sample_point.slope[k];
        double miss = o->T0 + m->place[k] - (o->c * (r - o->r0) + m->sample_point.w[k]), d = miss / (o->c + slope);
        uint64 is_far = when(fabs(miss) > 1e-13 + 4e-16 * slope * (1.0 + fabs(r))) & when(fabs(r) <= R_MAX);
        d = pick(when(fabs(d) < 3.0), d, pick(negative(d), -3.0, 3.0));
        m->sample_point.r[k] = r + pick(is_far, d, 0.0);
        is_open[k] = pick(is_far, 1.0, 0.0);
    }
    for (int k = 0; k < NODES; k++) open += is_open[k];
    return open > 0.0;
}

/* Nodes of the rule in T: w is what T says where w is steep. */
WIDE void iterator_settle(struct node_iterator *m, const struct trapezoidal_rule *from)
{
    OWN(struct trapezoidal_rule, o, from);
    for (int k = 0; k < NODES; k++) {
        double slope = m->sample_point.slope[k], by_T = o->T0 + m->place[k] - o->c * (m->sample_point.r[k] - o->r0);
        m->sample_point.w[k] = pick(when(slope > 1.0), by_T, m->sample_point.w[k]);
        m->width[k] *= o->step / (o->c + slope);
    }
}

#define CORRECTIONS 30          /* of a guess; some 5 are usual */

FN void iterator_follow(struct node_iterator *m, const struct integrand_peak *b, const struct trapezoidal_rule *o)
{
    const int last = NODES - 1;
    double T_before, rate_before;
    iterator_aim(m, o);
    peak_sample_points(b, &m->sample_point);
    for (int i = 0; i < CORRECTIONS && iterator_correct(m, o); i++) peak_sample_points(b, &m->sample_point);
    iterator_settle(m, o);
    T_before = last ? m->place[NODES - 2 + !last] : m->T;
    rate_before = last ? 1.0 / (o->c + m->sample_point.slope[NODES - 2 + !last]) : m->rate;
    m->T = m->place[last];
    m->r = m->sample_point.r[last];
    m->rate = 1.0 / (o->c + m->sample_point.slope[last]);
    m->bend = (m->rate - rate_before) / (m->T - T_before);
}

/* The weights of the nodes found. */
WIDE void iterator_weigh(struct node_iterator *m, const struct form *form, double over_L)
{
    OWN(struct form, f, form);
    uint64 parts = when(f->parts), upper = when(f->upper), has_edge = when(f->edge > 0.0);
    for (int k = 0; k < NODES; k++) {
        double slope = m->sample_point.slope[k], phi = m->sample_point.phi[k], psi = m->sample_point.psi[k], width =
            m->width[k];
        double g = node_exp(smaller(m->sample_point.w[k], LOG_MAX)), plain = width * (phi * psi * over_L);
        /* the edge stands for it */
        uint64 noise = when(slope < 1e-15) | (has_edge & when(m->sample_point.r[k] < PLATEAU));
        m->g[k] = g;
        m->pdf[k] = plain * g;
        m->tail[k] = pick(parts, width * pick(upper, psi, phi) * pick(noise, 0.0, slope) * g, plain);
    }
}

FN void iterator_find(struct node_iterator *m, const struct form *f, const struct integrand_peak *b,
                      const struct trapezoidal_rule *o)
{
    if (o->uses_node_map) {
        iterator_climb(m, &o->node_map);
        peak_sample_points(b, &m->sample_point);
    } else iterator_follow(m, b, o);
    iterator_weigh(m, f, 1.0 / b->side->L);
    m->at = 0;
}

/* The next node, unless three in a row did not count (0). */
FN int iterator_next(struct node_iterator *m, const struct form *f, const struct integrand_peak *b,
                     const struct trapezoidal_rule *o,
                     struct node *n)
{
    if (m->idle >= 3) return 0;
    if (m->at == NODES) iterator_find(m, f, b, o);
    int k = m->at++;
    if (fabs(m->sample_point.r[k]) > R_MAX) return 0;
    n->w = m->sample_point.w[k];
    n->g = m->g[k];
    n->pdf = m->pdf[k];
    n->tail = m->tail[k];
    return 1;
}

FN void iterator_on(struct node_iterator *m, const struct trapezoidal_rule *o, int counts)
{
    m->idle = counts || (m->dir < 0 && m->place[m->at - 1] >= o->left) ? 0 : m->idle + 1;
    m->j += m->dir;
}

/* The sums of one position, and an estimate of their error. */
struct sums {
    double pdf;                         /* to be multiplied by the front of the position */
    double tail;                        /* pi times the tail */
    double scale;                       /* both over exp(scale) */
    double error;                       /* on the log scale (value.h) */
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
