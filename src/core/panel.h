/* core/panel.h: a trapezoidal rule for one position of the bump.
 *
 * With E an exponential variable, W = log E, and phi(w) the inverse of
 * w = log G + log V(phi),
 *
 *     f(x) = |kappa| / (pi y) E[ |d phi/d w| (W) ],
 *     P(X > x) = E[ psi(W) ] / pi,     P(zeta < X <= x) = E[ phi(W) ] / pi:
 *
 * all three are sums over the same bump g exp(-g), and every term is positive.
 * In s = log(phi/psi) the integrands are analytic in a strip about the real
 * line, so equal steps converge exponentially (Trefethen & Weideman 2014,
 * doi:10.1137/130932132).  The step follows the front where exp(-g) falls;
 * on the other side, where the integrand decays like exp(slope s) only, the
 * nodes spread out exponentially.
 *
 * A panel is laid for one log G and serves all positions within +-quantum/2
 * of it: then a point costs one exponential per node.
 */
#ifndef STABLECL_PANEL_H
#define STABLECL_PANEL_H

#include "elementary.h"
#include "profile.h"

#define PANEL_MAX 1024
#define EPSILON 2.220446049250313e-16
#define DEAD 200.0                  /* exp(-DEAD) is nothing */

#define PLATEAU    -18.5        /* r where V is flat to exp(2 PLATEAU) ... */
#define FAR_CORNER -55.0        /* ... and to exp(FAR_CORNER - PLATEAU) if the corner is beyond */
#define GENTLE     10.0         /* slope at a bump that may stand on a plateau */
#define CLIFF      1e12         /* slope beyond which the rounding of w shows */
#define NEGLIGIBLE 42.0         /* exp(-42) = 6e-19 */
#define STEP       0.25         /* in w at the front: error exp(-pi^2/STEP) = 7e-18 */
#define QUANTUM    2.0          /* a panel serves log G +- QUANTUM/2 (where w has slope 1 in r) */

struct panel {
    int n;                      /* nodes */
    int upper;                  /* weights of psi (P(X > x)) or of phi */
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

/* What the search for the bump needs to know of a position. */
struct bump {
    const struct law *law;
    const struct side *side;
    int near_one;
    double log_G;
    double dir;                 /* s = dir * r: g increases with r */
    double half_cell;           /* the panel is to serve log_G +- half_cell */
};

FN double bump_w(const struct bump *b, double r, double *slope)
{
    double w = b->log_G + profile_at(b->law, b->side, b->near_one, b->dir * r, slope);
    *slope = fabs(*slope);
    return w;
}

/* minus d/dr of the log of the density's integrand g exp(-g) phi psi */
FN double bump_fall(const struct bump *b, double r)
{
    double slope, w = bump_w(b, r, &slope);
    return slope * expm1(w < 700.0 ? w : 700.0) + tanh(0.5 * r);
}

/* The log of the density's integrand. */
FN double bump_log(const struct bump *b, double r)
{
    double slope, w = bump_w(b, r, &slope);
    return w - exp(w < 700.0 ? w : 700.0) - fabs(r) - 2.0 * log1p(exp(-fabs(r)));
}

/* A zero of bump_fall between lo and hi, to a tenth of the bump's width. */
FN double bump_peak(const struct bump *b, double lo, double hi)
{
    double slope = 1.0;
    while ((hi - lo) * (slope > 1.0 ? slope : 1.0) > 0.2) {
        double m = 0.5 * (lo + hi), w;
        if (m <= lo || m >= hi) break;
        w = bump_w(b, m, &slope);
        if (slope * expm1(w < 700.0 ? w : 700.0) + tanh(0.5 * m) > 0.0) hi = m;
        else lo = m;
    }
    return 0.5 * (lo + hi);
}

/* The zero of w next to r, to its rounding. */
FN double bump_root(const struct bump *b, double r)
{
    double slope;
    for (int i = 0; i < 50; i++) {
        double w = bump_w(b, r, &slope), d = w / slope;
        if (d > 1.0) d = 1.0;
        if (d < -1.0) d = -1.0;
        r -= d;
        if (fabs(d) <= 1e-15 * fabs(r)) break;
    }
    return r;
}

/* Where the nodes go.  The variable of the trapezoidal rule is
 *
 *     T(r) = c (r - r0) + w(r),      c = 1, or 2 where a light tail rules,
 *
 * which follows r where w is flat and w where w is steep: equal steps in T
 * resolve both the front exp(-e^w) and the weight phi psi.  A node is found by
 * Newton's method for T(r) = T_j and then w = T_j - c (r_j - r0): where w is so
 * steep that its own rounding would spoil it (alpha -> 1, beta -> 0), r_j is
 * all the better determined.  Away from the bump the steps spread out,
 *
 *     T_j = T0 + u - left_len exp(-(u - left)/left_len) + right_len exp((u - right)/right_len),
 *
 * u = j step: to the left where only exp(w) is left of the integrand, to the
 * right (if the tail sum lives on there) where exp(-g) has died. */
struct layout {
    double c, r0, T0, step, left, left_len, right, right_len;
    double slope;               /* of w at r0 */
};

FN double bump_g(const struct bump *b, double r, double *slope)
{
    double w = bump_w(b, r, slope);
    return exp(w < 700.0 ? w : 700.0);
}

/* Corner: left of it the law's power tail rules, right of it the plateau of V
 * that makes a light tail.  1 where there is none. */
FN double bump_corner(const struct bump *b)
{
    double h = b->side->h_eps;
    return h > 0.0 ? log(h / PI) : -800.0;
}

/* Does the plateau of V hold a share of the tail that integration by parts,
 * which starts from the front, would miss? */
FN int bump_plateau(const struct bump *b, double level)
{
    double corner = bump_corner(b), slope;
    return corner < -3.0 && bump_w(b, corner > 2.0 * PLATEAU ? 0.5 * corner : PLATEAU, &slope) > level;
}

/* Where g has grown by rise from its value at r, to some percent: Newton's
 * method for w, which grows there, in steps of at most 3. */
FN double bump_rise(const struct bump *b, double r, double rise)
{
    double slope, level = log(bump_g(b, r, &slope) + rise);
    for (int i = 0; i < 30; i++) {
        double d = (level - bump_w(b, r, &slope)) / slope;
        r += d > 3.0 ? 3.0 : d < -3.0 ? -3.0 : d;
        if (fabs(d) * slope < 0.02) break;
    }
    return r;
}

/* Right and left end of the region in which bumps lie: one bump (the same end
 * twice), or the light tail's and, beyond the corner, the power tail's. */
FN void bump_ends(const struct bump *b, double *left, double *right)
{
    double corner = bump_corner(b), slope, mid = 0.0, light, top_left, top_right;
    int split = 0;
    if (corner < -3.0 && corner > -700.0) {
        double w = bump_w(b, 0.5 * corner, &slope);
        light = -0.5 * (w > 0.0 ? w : 0.0);
        for (int i = 1; i <= 4 && !split && light > corner; i++) {
            mid = corner + (light - corner) * 0.25 * i;
            split = bump_fall(b, mid) < 0.0;
        }
    }
    *right = bump_peak(b, split ? mid : -740.0, 740.0);
    if (split) *left = bump_fall(b, corner) > 0.0 ? bump_peak(b, -740.0, corner) : corner;
    else *left = corner > -700.0 && corner < *right ? corner : *right;
    bump_w(b, *right, &slope);
    if (slope > CLIFF) {                       /* w is rounding noise there, and nothing else counts */
        *left = *right;
        return;
    }
    top_right = bump_log(b, *right);
    top_left = bump_log(b, *left);
    if (top_left < top_right - NEGLIGIBLE) *left = *right;
    if (split && top_right < top_left - NEGLIGIBLE) *right = *left;
    if (*left > 0.0 && bump_log(b, 0.0) > top_right - NEGLIGIBLE) *left = 0.0;
    if (*right > 0.0 && corner < *left && corner > FAR_CORNER && bump_plateau(b, -45.0)) *left = corner;
}

FN double layout_T(const struct layout *o, const struct bump *b, double r)
{
    double slope, w = bump_w(b, r, &slope);
    return o->c * (r - o->r0) + w - o->T0;
}

FN void layout_set(struct layout *o, const struct bump *b, int complement_possible)
{
    double left, right, slope, w, r;
    bump_ends(b, &left, &right);
    w = bump_w(b, right, &slope);
    if (slope > CLIFF) {                       /* stand on the zero of w */
        right = left = bump_root(b, right);
        w = 0.0;
    }
    o->c = 1.0;
    o->r0 = right;
    o->slope = slope;
    o->T0 = w;
    if (slope < GENTLE && bump_plateau(b, -6.0)) o->c = 2.0;      /* exp(-G0 (1 + c phi^2)): a front of slope 2 in r */
    r = slope > 1e3 ? right : bump_rise(b, right, 3.0);
    bump_w(b, r, &slope);
    o->step = STEP * (1.0 + o->c / slope);
    if (o->step > 0.4 * o->c) o->step = 0.4 * o->c;
    if (o->c == 2.0) o->step = STEP;
    if (left < right) {
        o->left = layout_T(o, b, left);
        o->step = STEP;
    } else o->left = 0.0;
    o->left_len = 0.8 * (o->c + 1.0);
    o->left -= QUANTUM + 2.0 * o->left_len;
    o->right = INFINITY;
    o->right_len = 1.0;
    if (complement_possible) {
        o->right_len = 2.0 + o->c;
        o->right = layout_T(o, b, bump_rise(b, right, 60.0)) + 3.0 * o->right_len;
    }
}

/* T - T0 and dT/du of node j. */
FN double layout_node(const struct layout *o, int j, double *jac)
{
    double u = j * o->step, e = exp((o->left - u) / o->left_len), f = u > -1e300 && o->right < 1e300 ? exp((u - o->right) / o->right_len) : 0.0;
    *jac = 1.0 + e + f;
    return u - o->left_len * e + o->right_len * f;
}

/* Solve T(r) = T0 + T by Newton's method from *r. */
FN void node_find(const struct layout *o, const struct bump *b, double T, double *r, double *w, double *slope)
{
    double target = o->T0 + T;
    for (int i = 0; i < 12; i++) {
        *w = bump_w(b, *r, slope);
        double miss = target - (o->c * (*r - o->r0) + *w), d = miss / (o->c + *slope);
        if (!(fabs(miss) > 1e-13 + 4e-16 * *slope * (1.0 + fabs(*r)))) break;
        d = d > 3.0 ? 3.0 : d < -3.0 ? -3.0 : d;
        *r += d;
    }
    if (*slope > 1.0) *w = target - o->c * (*r - o->r0);
}

/* An estimate of the error on the log scale.  The even and the odd nodes are rules of
 * twice the step, whose error is the square root of the full rule's; to it comes
 * the rounding of w, some ulp of log G, which moves the bump by 1/slope as much. */
FN double panel_error(const struct panel *p, const struct bump *b, int rights, double slope)
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
    return other * other / (1.0 + p->g_min) + EPSILON * (30.0 + 4.0 * fabs(b->log_G) / (slope > 1.0 ? slope : 1.0));
}

/* Lay the nodes around b->log_G. */
FN void panel_lay(struct panel *p, const struct bump *b)
{
    struct layout o;
    double lowest = INFINITY, top = -INFINITY, top_tail = -INFINITY, jac;
    int rights = 0;
    double shrink = exp(-b->half_cell);
    int can = b->law->alpha < 0.5;
    layout_set(&o, b, can);
    p->log_G = b->log_G;
    p->upper = b->dir * o.r0 > 0.0;
    int right_angle = o.r0 > 0.0;
    p->complement = right_angle && can;
    p->parts = !can && (right_angle || o.c == 1.0);
    p->edge = p->edge_g = 0.0;
    if (p->parts && right_angle && bump_corner(b) <= FAR_CORNER) {
        double slope;
        p->edge = b->side->L;
        p->edge_g = bump_g(b, PLATEAU, &slope);
    }
    if (!p->complement) o.right = INFINITY;
    p->n = 0;
    for (int dir = 1; dir >= -1; dir -= 2) {
        double r = o.r0, slope, w, T_before = 0.0, rate = 0.0, rate_before = 0.0;
        for (int j = dir > 0 ? 0 : -1, few = 0; p->n < PANEL_MAX && few < 3; j += dir) {
            double T = layout_node(&o, j, &jac), g, lp, lt, phi, psi, width, pdf, tail;
            r += (T - T_before) * (1.5 * rate - 0.5 * rate_before);     /* Adams-Bashforth */
            node_find(&o, b, T, &r, &w, &slope);
            if (fabs(r) > 740.0) break;
            if (j >= 0) rights++;
            rate_before = rate > 0.0 ? rate : 1.0 / (o.c + slope);
            rate = 1.0 / (o.c + slope);
            T_before = T;
            split_angle(b->side->L, b->dir * r, &phi, &psi);
            width = o.step * jac / (o.c + slope);
            pdf = width * (phi * psi / b->side->L);
            if (slope < 1e-15 || (p->edge > 0.0 && r < PLATEAU)) slope = 0.0;   /* noise; the edge stands for it */
            tail = p->parts ? width * (p->upper ? psi : phi) * slope : pdf;
            g = exp(w < 700.0 ? w : 700.0);
            lp = w - g * shrink + log(pdf);
            lt = log(tail) + (p->complement ? (w < 0.0 ? w : 0.0) : p->parts ? w - g * shrink : -g * shrink);
            if (lp > top) top = lp;
            if (lt > top_tail) top_tail = lt;
            few = lp < top - NEGLIGIBLE && lt < top_tail - NEGLIGIBLE && (dir > 0 || T < o.left) ? few + 1 : 0;
            p->dg[p->n] = g;
            p->pdf[p->n] = pdf * g;
            p->tail[p->n] = p->parts ? tail * g : tail;
            if (g < lowest) lowest = g;
            p->n++;
        }
    }
    p->g_min = p->complement || p->edge > 0.0 ? 0.0 : lowest;
    for (int j = 0; j < p->n; j++) {
        p->dg[j] -= p->g_min;
        if (p->dg[j] > DEAD) p->dg[j] = DEAD;
    }
    p->error = panel_error(p, b, rights, o.slope);
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
