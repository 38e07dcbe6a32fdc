/* Evaluates the distribution at one point without storing nodes: each term is added as its node is computed.
 *
 * The result is that of a node set of zero cell width.  Devices use this form, since their work-items have no private
 * memory for nodes.  All terms are multiplied by exp(g) of the first node, which lies at a peak.
 */
#ifndef STABLECL_STABLE_STREAMED_SUM_H
#define STABLECL_STABLE_STREAMED_SUM_H

#include "node_iterator.h"
#include "standard.h"
#include "user_law.h"

#define STREAMED_MAX 1024         /* most nodes */

#define TERM_NEGLIGIBLE 6e-19   /* exp(-NEGLIGIBLE) */

struct streamed_sum {
    double pdf[2], tail[2];             /* sums over the even and the odd nodes */
    double complement;                  /* the tail, from 1 - exp(-g) */
    double ref;                         /* g of the first node, or 0 */
    double g_min;
    double top_pdf, top_tail;           /* the largest terms */
    int n;
};

/* Computes exp(ref - g) of NODES nodes. */
WIDE void streamed_exp(double ref, const double *g, double *decay)
{
    double copy[NODES];                  /* decay cannot overlap it, so that the loop is vectorised */
    for (int k = 0; k < NODES; k++) copy[k] = g[k];
    for (int k = 0; k < NODES; k++) decay[k] = node_exp(ref - copy[k]);
}

/* Adds the terms of a node.  Returns 1 if they are not negligible. */
FN int streamed_add(struct streamed_sum *s, const struct tail_form *f, const struct node *node, double decay, int odd)
{
    double pdf = node->pdf * decay, tail = node->tail * decay;
    s->n++;
    s->pdf[odd] += pdf;
    s->tail[odd] += tail;
    if (f->complement) {
        tail = -node->tail * expm1(-node->g);
        s->complement += tail;
    }
    if (node->g < s->g_min) s->g_min = node->g;
    if (pdf > s->top_pdf) s->top_pdf = pdf;
    if (tail > s->top_tail) s->top_tail = tail;
    return pdf > TERM_NEGLIGIBLE * s->top_pdf || tail > TERM_NEGLIGIBLE * s->top_tail;
}

/* Adds the terms of the nodes on one side of the origin; dir: 1 right, -1 left. */
NOINLINE void streamed_sum_collect(struct streamed_sum *s, const struct tail_form *f,
                                   const struct zolotarev_integrand *b, const struct trapezoidal_rule *o, int dir)
{
    struct node_iterator m;
    struct node node;
    double decay[NODES];
    iterator_start(&m, o, dir);
    while (s->n < STREAMED_MAX && iterator_next(&m, f, b, o, &node)) {
        int k = m.at - 1;
        if (s->n == 0 && !f->complement && f->edge == 0.0) s->ref = node.g;
        if (k == 0) streamed_exp(s->ref, m.g, decay);
        iterator_advance(&m, o, streamed_add(s, f, &node, decay[k], m.j & 1));
    }
}

/* NODES mapped nodes: e^{-u/SPREAD}, r, g, and the terms of the density times L, relative to exp(-ref). */
struct mapped_nodes { double e[NODES], r[NODES], g[NODES], term[NODES]; };

/* Computes the nodes at u, u + dir, ...; if `is_first`, ref is set to g of the first of them. */
WIDE void streamed_map(const struct zolotarev_integrand *b, const struct node_map *from, double u, double dir,
                       int is_first, double *ref, struct mapped_nodes *s)
{
    LOCAL_COPY(struct law, law, b->law);
    LOCAL_COPY(struct side, side, b->side);
    LOCAL_COPY(struct node_map, l, from);
    double sign = b->dir, weight[NODES];
    struct double_double log_G = b->log_G;
    for (int k = 0; k < NODES; k++) {
        double rate, both, low, r = node_map_node(l, u + dir * k, s->e[k], &rate, &low);
        double g = zolotarev_general_g(law, side, sign * r, angle_correction(r, low), log_G, &both);
        s->r[k] = r;
        s->g[k] = g;
        weight[k] = rate * both * g;
    }
    if (is_first) *ref = s->g[0];
    double first = *ref;
    for (int k = 0; k < NODES; k++) {
        double e = node_exp(first - s->g[k]);
        s->term[k] = blend(mask_of(e > 0.0), e * weight[k], 0.0);
    }
}

/* Adds the term of the density at mapped node j.  Returns 1 if it is not negligible. */
FN int streamed_add_density(struct streamed_sum *s, double g, double term, int j)
{
    s->n++;
    if (g < s->g_min) s->g_min = g;
    s->pdf[j & 1] += term;
    if (term > s->top_pdf) s->top_pdf = term;
    return term > TERM_NEGLIGIBLE * s->top_pdf;
}

/* Sums the density alone over a node map: to the right until three consecutive terms are negligible, then to the
 * left. */
NOINLINE void streamed_density(struct streamed_sum *s, const struct zolotarev_integrand *b,
                               const struct trapezoidal_rule *o)
{
    struct mapped_nodes found;
    double factor = exp(-1.0 / SPREAD), e = 1.0;
    int dir = 1, j = 0, at = 0, negligible = 0;
    for (; s->n < STREAMED_MAX; j += dir, e *= factor, at = (at + 1) % NODES) {
        if (at == 0) {
            double next = e;
            for (int k = 0; k < NODES; k++, next *= factor) found.e[k] = next;
            streamed_map(b, &o->node_map, j, dir, s->n == 0, &s->ref, &found);
        }
        int counts = streamed_add_density(s, found.g[at], found.term[at], j);
        negligible = counts || (dir < 0 && j >= o->left) ? 0 : negligible + 1;
        if (negligible < 3 && fabs(found.r[at]) < R_MAX) continue;
        if (dir < 0) return;
        dir = -1;
        j = negligible = 0;
        e = 1.0;
        factor = 1.0 / factor;
        at = NODES - 1;
    }
}

/* Computes the sums at b->log_G by a rule; b->half_cell must be 0.  If without_tail, sums->tail is undefined. */
FN void streamed_sums_by(const struct trapezoidal_rule *o, const struct zolotarev_integrand *b, int without_tail,
                         struct sums *sums)
{
    struct tail_form f;
    struct streamed_sum s = { { 0.0, 0.0 }, { 0.0, 0.0 }, 0.0, 0.0, INFINITY, 0.0, 0.0, 0 };
    tail_form_set(&f, b, o);
    if (without_tail && o->uses_node_map && !b->near_one) {
        streamed_density(&s, b, o);
        for (int odd = 0; odd < 2; odd++) s.tail[odd] = s.pdf[odd] /= b->side->L;
    } else {
        streamed_sum_collect(&s, &f, b, o, 1);
        streamed_sum_collect(&s, &f, b, o, -1);
    }
    if (f.complement || f.edge > 0.0) s.g_min = 0.0;
    sums->error = s.n < STREAMED_MAX ? sums_error(s.pdf, s.tail, f.complement, s.g_min, b->log_G.hi, o->slope) : 1.0;
    sums->pdf = s.pdf[0] + s.pdf[1];
    sums->tail = f.complement ? s.complement : s.tail[0] + s.tail[1];
    if (f.edge > 0.0) sums->tail -= f.edge * expm1(-f.edge_g);
    sums->scale = -s.ref;
    sums->upper = f.upper;
}

/* Computes the sums at b->log_G; arguments as for streamed_sums_by(). */
NOINLINE void streamed_sums(const struct zolotarev_integrand *b, int without_tail, struct sums *sums)
{
    struct trapezoidal_rule o;
    rule_set(&o, b, without_tail);
    streamed_sums_by(&o, b, without_tail, sums);
}

/* Computes v without sums over nodes: by a closed form, or by the series at infinity.  Returns 0 if neither is
 * accurate; p is then set. */
NOINLINE int value_without_sums(const struct standard *law, struct argument z, struct standardised_argument *p,
                                struct stable_value *v)
{
    return standard_closed(law, z, p, v)
        || (standard_is_far(law, p) && argument_log_z(&law->law, p) <= tail_log_z_bound(&law->law)
            && value_tail_streamed(&law->law, p, v));
}

/* Computes v at the argument z.  without_tail: only v->pdf, its scale and the error are valid. */
NOINLINE void value_streamed(const struct standard *law, struct argument z, int without_tail, struct stable_value *v)
{
    struct standardised_argument p;
    struct sums sums;
    if (value_without_sums(law, z, &p, v)) return;
    struct zolotarev_integrand b = standard_integrand(law, &p);
    streamed_sums(&b, without_tail, &sums);
    value_from_sums(&law->law, &p, &sums, v);
}

/* The sum of the density relative to exp(-ref), and its derivative with respect to log G. */
struct streamed_slope { double sum, moment, ref, top; int n; };

/* Adds the terms of a node.  Returns 1 if that of the density is not negligible. */
FN int streamed_slope_add(struct streamed_slope *s, const struct node *node)
{
    if (s->n++ == 0) s->ref = node->g;
    double term = node->pdf * exp(s->ref - node->g);
    s->sum += term;
    s->moment += term * (1.0 - node->g);
    if (term > s->top) s->top = term;
    return term > TERM_NEGLIGIBLE * s->top;
}

/* Returns d log(sum of the density) / d log G. */
NOINLINE double streamed_slope(const struct zolotarev_integrand *b)
{
    struct trapezoidal_rule o;
    struct tail_form f;
    struct streamed_slope s = { 0.0, 0.0, 0.0, 0.0, 0 };
    rule_set(&o, b, 1);
    tail_form_set(&f, b, &o);
    for (int dir = 1; dir >= -1; dir -= 2) {
        struct node_iterator m;
        struct node node;
        iterator_start(&m, &o, dir);
        while (s.n < STREAMED_MAX && iterator_next(&m, &f, b, &o, &node))
            iterator_advance(&m, &o, streamed_slope_add(&s, &node));
    }
    return s.moment / s.sum;
}

/* Returns d log f / d x at x (finite), for distributions without a closed form. */
NOINLINE double slope_streamed(const struct standard *s, struct argument x)
{
    const struct law *law = &s->law;
    struct standardised_argument p;
    argument_set(&p, law, x);
    if (law->alpha >= CENTRE_ALPHA && fabs(centre_u(law, p.y)) < CENTRE_REACH)
        return centre_slope(law, p.left ? -p.y : p.y);
    struct zolotarev_integrand b = standard_integrand(s, &p);
    double d = p.dlog_front + p.dlog_G * streamed_slope(&b);
    return p.left ? -d : d;
}

/* Computes the values of the user's distribution at x.  Returns 1 if NaNs were produced although no argument is NaN.
 * mode: as in user_frame(); used only if user_needs_mode(). */
FN int point_streamed(const struct user_law *l, double mode, double x, int what, int give_log, struct point_values *y)
{
    struct user_argument at;
    struct stable_value v;
    struct standard law;
    int nans;
    if (user_argument(l, mode, x, what, give_log, &at, y, &nans)) return nans;
    standard_set(&law, l->alpha, l->beta);
    value_streamed(&law, at.z, what == WANT_PDF, &v);
    user_values(l, &at, &v, what, give_log, y);
    return 0;
}

#endif
