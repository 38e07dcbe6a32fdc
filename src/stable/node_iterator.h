/* Iterates over the nodes of the trapezoidal rule and computes their weights.
 *
 * Let E be an exponential variable, W = log E, and phi(w) the inverse of w = log G + log V(phi).  Then
 *
 *     f(x) = |kappa| / (pi y) E[ |d phi/d w| (W) ],
 *     P(X > x) = E[ psi(W) ] / pi,     P(zeta < X <= x) = E[ phi(W) ] / pi.
 *
 * These are three sums of positive terms over the same nodes (trapezoidal_rule.h).  The angle that gives the smaller
 * tail is used.  Of the two angles, the left one vanishes as r -> -inf and the right one as r -> +inf, and
 *
 *     E[left angle]  = Int e^{-g} phi psi/L dr        = Int left  slope g e^{-g} dr,
 *     E[right angle] = Int (1-e^{-g}) phi psi/L dr    = Int right slope g e^{-g} dr + L (1-e^{-g(-inf)}).
 *
 * The second form, by integration by parts, shares its exponentials with the density.  Its integrand is concentrated at
 * the front; it is not used where a plateau contributes to the left angle, nor for alpha < 1/2, where the slope is
 * small.
 */
#ifndef STABLECL_STABLE_NODE_ITERATOR_H
#define STABLECL_STABLE_NODE_ITERATOR_H

#include "trapezoidal_rule.h"

#define EPSILON 2.220446049250313e-16
#define NODE_TOLERANCE 1e-8     /* a Newton step in r whose square is negligible */

/* The form of the integral for the tail. */
struct tail_form {
    int upper;                          /* 1: tail is P(X > x), angle psi; 0: P(zeta < X <= x), angle phi */
    int by_parts;                       /* integrated by parts: tail weights multiply g exp(-g) */
    int complement;                     /* tail weights multiply 1 - exp(-g) */
    double edge, edge_g;                /* edge (1 - exp(-edge_g)) is added to the tail */
};

struct node {
    double w, g;                        /* log g and g */
    double pdf;                         /* weight of exp(-g) in the density */
    double tail;                        /* weight of exp(-g), or of 1 - exp(-g), in the tail */
};

/* Iterator over the nodes on one side of the origin r0; it computes NODES nodes at a time. */
struct node_iterator {
    int dir, j, negligible;             /* negligible: number of consecutive nodes with negligible terms */
    int at;                             /* index of the next node among those computed */
    double T, r, rate, bend;            /* of the last node computed; rate = dr/dT, bend = d rate/dT */
    struct sample_points sample_point;
    double t[NODES], width[NODES];      /* T (u for a node map), and the width in r */
    double g[NODES], pdf[NODES], tail[NODES];
};

/* Selects the form of the integral for the tail. */
FN void tail_form_set(struct tail_form *f, const struct zolotarev_integrand *b, const struct trapezoidal_rule *o)
{
    int right_angle = o->r0 > 0.0;
    double slope;
    f->upper = right_angle == (b->dir > 0.0);
    f->complement = o->right < INFINITY;
    f->by_parts = b->law->alpha >= 0.5 && (right_angle || o->c == 1.0);
    f->edge = f->edge_g = 0.0;
    if (f->by_parts && right_angle && integrand_corner(b) <= FAR_CORNER) {
        f->edge = b->side->L;
        f->edge_g = integrand_g(b, PLATEAU, &slope);
    }
}

/* Starts the iteration at the origin, to the right (dir = 1) or to the left (dir = -1). */
FN void iterator_start(struct node_iterator *m, const struct trapezoidal_rule *o, int dir)
{
    m->dir = dir;
    m->j = dir > 0 ? 0 : -1;
    m->negligible = 0;
    m->at = NODES;
    m->r = o->r0;
    m->T = m->bend = 0.0;
    m->rate = 1.0 / (o->c + o->slope);
}

/* Evaluates the node map at the next nodes. */
WIDE void iterator_map(struct node_iterator *m, const struct node_map *from)
{
    LOCAL_COPY(struct node_map, l, from);
    double first = m->j, dir = m->dir;
    for (int k = 0; k < NODES; k++) {
        double u = first + dir * k;
        m->t[k] = u;
        m->sample_point.r[k] = node_map_node(l, u, node_exp(-u / SPREAD), &m->width[k], &m->sample_point.low[k]);
    }
}

/* The predictor: computes T of the next nodes, and an approximation of r by the two-step Adams-Bashforth method, with
 * dr/dT limited to 1/c above and a quarter of its current value below. */
WIDE void iterator_predict(struct node_iterator *m, const struct trapezoidal_rule *from)
{
    LOCAL_COPY(struct trapezoidal_rule, o, from);
    double first = m->j, dir = m->dir, T = m->T, r = m->r, rate = m->rate, half_bend = 0.5 * m->bend;
    for (int k = 0; k < NODES; k++) {
        double to = rule_node(o, (first + dir * k) * o->step, &m->width[k]), ahead = to - T;
        double mean = smaller(rate + half_bend * ahead, 1.0 / o->c);
        double guess = r + ahead * blend(mask_of(mean > 0.25 * rate), mean, 0.25 * rate);
        m->t[k] = to;
        m->sample_point.r[k] = blend(mask_of(fabs(guess) < R_MAX), guess, r + dir * R_MAX);
        m->sample_point.low[k] = 0.0;
    }
}

/* The corrector: applies a step of Newton's method for T(r) to the nodes, except those beyond R_MAX.  Returns 1 if
 * another step is necessary, that is, if for some node neither the square of its step is negligible nor its residual
 * within the rounding error of T.  r is computed to more than working precision, because the smaller angle is
 * proportional to exp(-|r|) and would have the absolute error of r, |r| eps, as its relative error; in the steepest
 * integrands this error is the same at all nodes. */
WIDE int iterator_correct(struct node_iterator *m, const struct trapezoidal_rule *from)
{
    LOCAL_COPY(struct trapezoidal_rule, o, from);
    double is_active[NODES], active = 0.0;
    for (int k = 0; k < NODES; k++) {
        double r = m->sample_point.r[k], low = m->sample_point.low[k], slope = m->sample_point.slope[k];
        double T = o->c * ((r - o->r0) + low) + m->sample_point.w[k];
        double residual = o->T0 + m->t[k] - T, d = residual / (o->c + slope);
        double noise = EPSILON * (4.5 + fabs(o->T0) + fabs(m->t[k]));
        uint64 inside = mask_of(fabs(r) <= R_MAX);
        uint64 is_far = inside & mask_of(fabs(residual) > noise) & mask_of(fabs(d) > NODE_TOLERANCE);
        d = blend(mask_of(fabs(d) < 3.0), d, blend(sign_mask(d), -3.0, 3.0));
        struct double_double sum = two_sum(r, blend(inside, low + d, low));
        m->sample_point.r[k] = sum.hi;
        m->sample_point.low[k] = sum.lo;
        is_active[k] = blend(is_far, 1.0, 0.0);
    }
    for (int k = 0; k < NODES; k++) active += is_active[k];
    return active > 0.0;
}

/* Completes the nodes of the rule in T: computes w from T where w is steep, and the widths in r. */
WIDE void iterator_complete(struct node_iterator *m, const struct trapezoidal_rule *from)
{
    LOCAL_COPY(struct trapezoidal_rule, o, from);
    for (int k = 0; k < NODES; k++) {
        double slope = m->sample_point.slope[k], r = (m->sample_point.r[k] - o->r0) + m->sample_point.low[k];
        double by_T = o->T0 + m->t[k] - o->c * r;
        m->sample_point.w[k] = blend(mask_of(slope > 1.0), by_T, m->sample_point.w[k]);
        m->width[k] *= o->step / (o->c + slope);
    }
}

#define CORRECTIONS_MAX 30      /* most Newton steps; about 5 are usual */

/* Computes the next nodes of the rule in T by the predictor-corrector method. */
FN void iterator_solve(struct node_iterator *m, const struct zolotarev_integrand *b, const struct trapezoidal_rule *o)
{
    const int last = NODES - 1;
    double T_before, rate_before;
    int active = 1;
    iterator_predict(m, o);
    integrand_sample_points(b, 1, &m->sample_point);
    NO_UNROLL
    for (int i = 0; i < CORRECTIONS_MAX && active; i++) {
        active = iterator_correct(m, o);
        integrand_sample_points(b, 1, &m->sample_point);
    }
    iterator_complete(m, o);
    T_before = last ? m->t[NODES - 2 + !last] : m->T;
    rate_before = last ? 1.0 / (o->c + m->sample_point.slope[NODES - 2 + !last]) : m->rate;
    m->T = m->t[last];
    m->r = m->sample_point.r[last];
    m->rate = 1.0 / (o->c + m->sample_point.slope[last]);
    m->bend = (m->rate - rate_before) / (m->T - T_before);
}

/* Computes the weights of the current nodes. */
WIDE void iterator_set_weights(struct node_iterator *m, const struct tail_form *tail_form, double inv_L)
{
    LOCAL_COPY(struct tail_form, f, tail_form);
    uint64 by_parts = mask_of(f->by_parts), upper = mask_of(f->upper), has_edge = mask_of(f->edge > 0.0);
    for (int k = 0; k < NODES; k++) {
        double slope = m->sample_point.slope[k], phi = m->sample_point.phi[k], psi = m->sample_point.psi[k];
        double width = m->width[k], g = node_exp_capped(m->sample_point.w[k]), weight = width * (phi * psi * inv_L);
        /* rounding noise, or contained in the edge */
        uint64 noise = mask_of(slope < 1e-15) | (has_edge & mask_of(m->sample_point.r[k] < PLATEAU));
        m->g[k] = g;
        m->pdf[k] = weight * g;
        m->tail[k] = blend(by_parts, width * blend(upper, psi, phi) * blend(noise, 0.0, slope) * g, weight);
    }
}

/* Computes the next NODES nodes and their weights. */
FN void iterator_compute(struct node_iterator *m, const struct tail_form *f, const struct zolotarev_integrand *b,
                         const struct trapezoidal_rule *o)
{
    if (o->uses_node_map) {
        iterator_map(m, &o->node_map);
        integrand_sample_points(b, 1, &m->sample_point);
    } else iterator_solve(m, b, o);
    iterator_set_weights(m, f, 1.0 / b->side->L);
    m->at = 0;
}

/* Stores the next node in *n.  Returns 0 after three consecutive negligible nodes, or beyond R_MAX. */
FN int iterator_next(struct node_iterator *m, const struct tail_form *f, const struct zolotarev_integrand *b,
                     const struct trapezoidal_rule *o, struct node *n)
{
    if (m->negligible >= 3) return 0;
    if (m->at == NODES) iterator_compute(m, f, b, o);
    int k = m->at++;
    if (fabs(m->sample_point.r[k]) > R_MAX) return 0;
    n->w = m->sample_point.w[k];
    n->g = m->g[k];
    n->pdf = m->pdf[k];
    n->tail = m->tail[k];
    return 1;
}

/* Advances to the next node.  counts: whether the terms of the last node were not negligible.  To the left of the
 * origin, no node is treated as negligible before o->left is reached. */
FN void iterator_advance(struct node_iterator *m, const struct trapezoidal_rule *o, int counts)
{
    m->negligible = counts || (m->dir < 0 && m->t[m->at - 1] >= o->left) ? 0 : m->negligible + 1;
    m->j += m->dir;
}

/* The sums at one argument, and an estimate of their error. */
struct sums {
    double pdf;                         /* to be multiplied by `front` of struct standardised_argument */
    double tail;                        /* pi times the tail */
    double scale;                       /* pdf and tail are to be multiplied by exp(scale) */
    double error;                       /* on the log scale (value.h) */
    int upper;
};

/* Returns an estimate of the error on the log scale.  The even and the odd nodes form two rules of twice the step,
 * whose error is the square root of that of the full rule.  Added to this is the rounding error of w, a few ulp of
 * log G, which shifts the peak by 1/slope times that amount. */
FN double sums_error(const double *pdf, const double *tail, int complement, double g_min, double log_G,
                     double slope)
{
    double ripple = fabs(pdf[0] - pdf[1]) / (pdf[0] + pdf[1]);
    double other = fabs(tail[0] - tail[1]) / (tail[0] + tail[1]);
    if (complement || other < ripple) other = ripple;
    return other * other / (1.0 + g_min) + EPSILON * (30.0 + 4.0 * fabs(log_G) / (slope > 1.0 ? slope : 1.0));
}

#endif
