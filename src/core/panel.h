/* core/panel.h: density and tail as sums over one bump.
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
 *
 * A panel is laid for one log G and serves all positions within half a cell of
 * it: then a point costs one exponential per node.
 */
#ifndef STABLECL_PANEL_H
#define STABLECL_PANEL_H

#include "elementary.h"
#include "layout.h"

#define PANEL_MAX 1024
#define EPSILON   2.220446049250313e-16
#define DEAD      200.0         /* exp(-DEAD) is nothing */

struct panel {
    int n;                      /* nodes */
    int upper;                  /* tail: psi, P(X > x), or phi, P(zeta < X <= x) */
    int parts;                  /* tail integrated by parts: weight of g exp(-g) */
    int complement;             /* tail from 1 - exp(-g) */
    double edge, edge_g;        /* adds edge (1 - exp(-edge_g)) to the tail */
    double error;               /* estimate on the log scale (value.h) */
    double log_G;               /* where it was laid */
    double g_min;               /* smallest g at log_G */
    double *dg;                 /* g - g_min; room for PANEL_MAX when laid, n padded to LANES */
    double *pdf;                /* weight of exp(-g) in the density */
    double *tail;               /* weight of exp(-g), or of 1 - exp(-g), in the tail */
};

/* Which form the tail takes. */
FN void panel_begin(struct panel *p, const struct bump *b, struct layout *o)
{
    int right_angle = o->r0 > 0.0, shallow = b->law->alpha < 0.5;
    double slope;
    p->n = 0;
    p->log_G = b->log_G;
    p->upper = b->dir * o->r0 > 0.0;
    p->complement = right_angle && shallow;
    p->parts = !shallow && (right_angle || o->c == 1.0);
    p->edge = p->edge_g = 0.0;
    if (p->parts && right_angle && bump_corner(b) <= FAR_CORNER) {
        p->edge = b->side->L;
        p->edge_g = bump_g(b, PLATEAU, &slope);
    }
    if (p->complement) layout_spread_right(o, b);
}

/* Logs of the largest terms so far, to know when to stop. */
struct tops { double pdf, tail; };

/* Add the node at r; 1 if it still counts for some position of the cell. */
FN int panel_node(struct panel *p, const struct bump *b, double r, double w, double slope, double width,
                  struct tops *top)
{
    double phi, psi, g = exp_capped(w), faded = g * exp(-b->half_cell), pdf, tail, log_pdf, log_tail;
    split_angle(b->side->L, b->dir * r, &phi, &psi);
    pdf = tail = width * (phi * psi / b->side->L);
    if (slope < 1e-15 || (p->edge > 0.0 && r < PLATEAU)) slope = 0.0;   /* noise; the edge stands for it */
    if (p->parts) tail = width * (p->upper ? psi : phi) * slope;
    log_pdf = w - faded + log(pdf);
    log_tail = log(tail) + (p->complement ? (w < 0.0 ? w : 0.0) : (p->parts ? w : 0.0) - faded);
    if (log_pdf > top->pdf) top->pdf = log_pdf;
    if (log_tail > top->tail) top->tail = log_tail;
    p->dg[p->n] = g;
    p->pdf[p->n] = pdf * g;
    p->tail[p->n] = p->parts ? tail * g : tail;
    p->n++;
    return log_pdf > top->pdf - NEGLIGIBLE || log_tail > top->tail - NEGLIGIBLE;
}

/* Lay nodes from the origin to one side, until three in a row do not count.  The
 * next place is guessed by the two-step rule of Adams and Bashforth. */
FN void panel_march(struct panel *p, const struct bump *b, const struct layout *o, int dir, struct tops *top)
{
    double r = o->r0, w, slope, jac, T_before = 0.0, rate = 0.0, rate_before = 0.0;
    for (int j = dir > 0 ? 0 : -1, idle = 0; p->n < PANEL_MAX && idle < 3; j += dir) {
        double T = layout_node(o, j, &jac);
        r += (T - T_before) * (1.5 * rate - 0.5 * rate_before);
        layout_solve(o, b, T, &r, &w, &slope);
        if (fabs(r) > R_MAX) break;
        rate_before = rate > 0.0 ? rate : 1.0 / (o->c + slope);
        rate = 1.0 / (o->c + slope);
        T_before = T;
        int counts = panel_node(p, b, r, w, slope, o->step * jac * rate, top);
        idle = counts || (dir < 0 && T >= o->left) ? 0 : idle + 1;
    }
}

/* An estimate of the error on the log scale.  The even and the odd nodes are rules of
 * twice the step, whose error is the square root of the full rule's; to it comes
 * the rounding of w, some ulp of log G, which moves the bump by 1/slope as much. */
FN double panel_error(const struct panel *p, int rights, double slope)
{
    double pdf[2] = { 0.0, 0.0 }, tail[2] = { 0.0, 0.0 }, ripple, other;
    for (int i = 0; i < p->n; i++) {
        int odd = (i < rights ? i : i - rights + 1) & 1;
        double e = exp_minus(p->dg[i]);
        pdf[odd] += p->pdf[i] * e;
        tail[odd] += p->tail[i] * e;
    }
    ripple = fabs(pdf[0] - pdf[1]) / (pdf[0] + pdf[1]);
    other = fabs(tail[0] - tail[1]) / (tail[0] + tail[1]);
    if (p->complement || other < ripple) other = ripple;
    if (p->n >= PANEL_MAX) other = 1.0;
    return other * other / (1.0 + p->g_min) + EPSILON * (30.0 + 4.0 * fabs(p->log_G) / (slope > 1.0 ? slope : 1.0));
}

/* Lay the nodes around b->log_G. */
FN void panel_lay(struct panel *p, const struct bump *b)
{
    struct layout o;
    struct tops top = { -INFINITY, -INFINITY };
    double lowest = INFINITY;
    int rights;
    layout_set(&o, b);
    panel_begin(p, b, &o);
    panel_march(p, b, &o, 1, &top);
    rights = p->n;
    panel_march(p, b, &o, -1, &top);
    for (int j = 0; j < p->n; j++) if (p->dg[j] < lowest) lowest = p->dg[j];
    p->g_min = p->complement || p->edge > 0.0 ? 0.0 : lowest;
    for (int j = 0; j < p->n; j++) {
        p->dg[j] -= p->g_min;
        if (p->dg[j] > DEAD) p->dg[j] = DEAD;
    }
    p->error = panel_error(p, rights, o.slope);
    for (; p->n % LANES; p->n++) p->dg[p->n] = p->pdf[p->n] = p->tail[p->n] = 0.0;
}

/* Sums of pdf[j] exp(-G dg[j]) and tail[j] exp(-G dg[j]), in LANES partial
 * sums: the same order, hence the same result, however wide the machine. */
WIDE void panel_add(const struct panel *p, double G, double *pdf, double *tail)
{
    double sp[LANES] = { 0.0 }, st[LANES] = { 0.0 }, e[LANES];
    for (int j = 0; j < p->n; j += LANES) {
        for (int k = 0; k < LANES; k++) e[k] = exp_minus(G * p->dg[j + k]);
        for (int k = 0; k < LANES; k++) sp[k] += p->pdf[j + k] * e[k];
        for (int k = 0; k < LANES; k++) st[k] += p->tail[j + k] * e[k];
    }
    *pdf = ((sp[0] + sp[4]) + (sp[2] + sp[6])) + ((sp[1] + sp[5]) + (sp[3] + sp[7]));
    *tail = ((st[0] + st[4]) + (st[2] + st[6])) + ((st[1] + st[5]) + (st[3] + st[7]));
}

/* The sums at log_G of a position served by the panel: *pdf (to be multiplied by
 * its front) and pi times the tail, both over exp(*log_scale). */
FN void panel_sum(const struct panel *p, double log_G, double *pdf, double *tail, double *log_scale)
{
    double G = exp(log_G - p->log_G);
    panel_add(p, G, pdf, tail);
    *pdf *= G;
    if (p->complement) {
        *tail = 0.0;
        for (int j = 0; j < p->n; j++) *tail -= p->tail[j] * expm1(-G * p->dg[j]);
    }
    if (p->parts) *tail *= G;
    if (p->edge > 0.0) *tail -= p->edge * expm1(-G * p->edge_g);
    *log_scale = -G * p->g_min;
}

/* d log(sum of the density) / d log G. */
FN double panel_slope(const struct panel *p, double log_G)
{
    double G = exp(log_G - p->log_G), sum = 0.0, moment = 0.0;
    for (int j = 0; j < p->n; j++) {
        double term = p->pdf[j] * exp_minus(G * p->dg[j]);
        sum += term;
        moment += term * (1.0 - G * (p->dg[j] + p->g_min));
    }
    return moment / sum;
}

#endif
