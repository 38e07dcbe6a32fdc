/* The nodes and weights of one cell of arguments.
 *
 * A node set is built for one value of log G and is used for all arguments whose log G differs by at most half a cell:
 * g is then multiplied by the ratio of the values of G, and a point costs one exponential per node.
 */
#ifndef STABLECL_STABLE_NODE_SET_H
#define STABLECL_STABLE_NODE_SET_H

#include "../special/elementary.h"
#include "node_iterator.h"

#define NODE_SET_MAX 1024
#define DG_MAX    200.0         /* exp(-DG_MAX) is negligible */

struct node_set {
    int n;                              /* number of nodes */
    struct tail_form tail_form;
    double error;                       /* estimate on the log scale (value.h) */
    struct double_double log_G;         /* log G for which the set was built */
    double g_min;                       /* smallest g at log_G */
    GLOBAL double *dg;                  /* g - g_min; NODE_SET_MAX elements while building; n is a multiple of LANES */
    GLOBAL double *pdf;                 /* weights as in struct node */
    GLOBAL double *tail;
};

/* Logarithms of the largest terms so far, for the stopping rule, in the middle and at both ends of the cell, where
 * different peaks may dominate. */
#define CELL_POINTS 3

struct largest_terms { double G[CELL_POINTS], pdf[CELL_POINTS], tail[CELL_POINTS]; };

/* Initialises the largest terms for a cell of this half-width. */
FN void largest_terms_set(struct largest_terms *t, double half_cell)
{
    for (int k = 0; k < CELL_POINTS; k++) {
        t->G[k] = exp((k - 1) * half_cell);
        t->pdf[k] = t->tail[k] = -INFINITY;
    }
}

/* Returns log x to within 0.06: the exponent plus the fraction.  This is enough to detect negligible terms. */
FN double rough_log(double x)
{
    const double unit = 0.69314718055994531 / 0x1p52;
    return x > 0.0 ? (double) (int64) (bits_of_double(x) - 0x3FF0000000000000ul) * unit : -INFINITY;
}

/* Updates the largest terms with those of a node.  Returns 1 if a term of the node is not negligible somewhere in the
 * cell. */
FN int largest_terms_update(struct largest_terms *t, const struct tail_form *f, const struct node *n)
{
    double log_pdf = rough_log(n->pdf), log_tail = rough_log(n->tail);
    int counts = 0;
    for (int k = 0; k < CELL_POINTS; k++) {
        double pdf = log_pdf - n->g * t->G[k];
        double tail = f->complement ? log_tail + (n->w < 0.0 ? n->w : 0.0) : log_tail - n->g * t->G[k];
        if (pdf > t->pdf[k]) t->pdf[k] = pdf;
        if (tail > t->tail[k]) t->tail[k] = tail;
        counts |= pdf > t->pdf[k] - NEGLIGIBLE || tail > t->tail[k] - NEGLIGIBLE;
    }
    return counts;
}

/* Appends the nodes on one side of the origin; dir: 1 right, -1 left. */
FN void node_set_collect(struct node_set *p, const struct zolotarev_integrand *b, const struct trapezoidal_rule *o,
                         int without_tail, int dir, struct largest_terms *top)
{
    struct node_iterator m;
    struct node node;
    iterator_start(&m, o, dir);
    while (p->n < NODE_SET_MAX && iterator_next(&m, &p->tail_form, b, o, &node)) {
        if (without_tail) node.tail = node.pdf;
        p->dg[p->n] = node.g;
        p->pdf[p->n] = node.pdf;
        p->tail[p->n] = node.tail;
        p->n++;
        iterator_advance(&m, o, largest_terms_update(top, &p->tail_form, &node));
    }
    p->n -= m.negligible;               /* omits the negligible nodes at the end */
}

/* Returns the error estimate; rights: number of nodes on the right side. */
FN double node_set_error(const struct node_set *p, int rights, double slope)
{
    double pdf[2] = { 0.0, 0.0 }, tail[2] = { 0.0, 0.0 };
    for (int i = 0; i < p->n; i++) {
        int odd = (i < rights ? i : i - rights + 1) & 1;
        double e = exp_minus(p->dg[i]);
        pdf[odd] += p->pdf[i] * e;
        tail[odd] += p->tail[i] * e;
    }
    if (p->n >= NODE_SET_MAX) return 1.0;
    return sums_error(pdf, tail, p->tail_form.complement, p->g_min, p->log_G.hi, slope);
}

/* Builds the node set for b->log_G.  If without_tail, its tail weights are those of the density. */
FN void node_set_build(struct node_set *p, const struct zolotarev_integrand *b, int without_tail)
{
    struct trapezoidal_rule o;
    struct largest_terms top;
    double lowest = INFINITY;
    int rights;
    largest_terms_set(&top, b->half_cell);
    rule_set(&o, b, without_tail);
    tail_form_set(&p->tail_form, b, &o);
    p->n = 0;
    p->log_G = b->log_G;
    node_set_collect(p, b, &o, without_tail, 1, &top);
    rights = p->n;
    node_set_collect(p, b, &o, without_tail, -1, &top);
    for (int j = 0; j < p->n; j++) if (p->dg[j] < lowest) lowest = p->dg[j];
    p->g_min = p->tail_form.complement || p->tail_form.edge > 0.0 ? 0.0 : lowest;
    for (int j = 0; j < p->n; j++) {
        p->dg[j] -= p->g_min;
        if (p->dg[j] > DG_MAX) p->dg[j] = DG_MAX;
    }
    p->error = node_set_error(p, rights, o.slope);
    for (; p->n % LANES; p->n++) p->dg[p->n] = p->pdf[p->n] = p->tail[p->n] = 0.0;
}

/* Computes the sums of pdf[j] exp(-G dg[j]) and tail[j] exp(-G dg[j]) as LANES partial sums: in the same order, and
 * hence with the same result, regardless of the width of the vector registers. */
WIDE void node_set_add(const struct node_set *p, double G, double *pdf, double *tail)
{
    double sp[LANES] = { 0.0 }, st[LANES] = { 0.0 }, e[LANES];
    for (int j = 0; j < p->n; j += LANES) {
        for (int k = 0; k < LANES; k++) e[k] = exp_minus(G * p->dg[j + k]);
        for (int k = 0; k < LANES; k++) sp[k] += p->pdf[j + k] * e[k];
        for (int k = 0; k < LANES; k++) st[k] += p->tail[j + k] * e[k];
    }
    *pdf = lanes_sum(sp);
    *tail = lanes_sum(st);
}

/* Computes the sums for an argument in the cell with this log G. */
FN void node_set_sums(const struct node_set *p, struct double_double log_G, struct sums *sums)
{
    double G = exp((log_G.hi - p->log_G.hi) + (log_G.lo - p->log_G.lo)), pdf, tail;
    node_set_add(p, G, &pdf, &tail);
    if (p->tail_form.complement) {
        tail = 0.0;
        for (int j = 0; j < p->n; j++) tail -= p->tail[j] * expm1(-G * p->dg[j]);
    }
    if (p->tail_form.by_parts) tail *= G;
    if (p->tail_form.edge > 0.0) tail -= p->tail_form.edge * expm1(-G * p->tail_form.edge_g);
    sums->pdf = G * pdf;
    sums->tail = tail;
    sums->scale = -G * p->g_min;
    sums->error = p->error;
    sums->upper = p->tail_form.upper;
}

/* Returns d log(sum of the density) / d log G. */
FN double node_set_slope(const struct node_set *p, double log_G)
{
    double G = exp(log_G - p->log_G.hi), sum = 0.0, moment = 0.0;
    for (int j = 0; j < p->n; j++) {
        double term = p->pdf[j] * exp_minus(G * p->dg[j]);
        sum += term;
        moment += term * (1.0 - G * (p->dg[j] + p->g_min));
    }
    return moment / sum;
}

#endif
