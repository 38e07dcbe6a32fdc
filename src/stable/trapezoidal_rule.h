/* The nodes of the trapezoidal rule: a precomputed node map if possible, otherwise a rule whose variable follows w.
 *
 * Where w is not steep, nodes are given explicitly by the node map
 *
 *     r(u) = r0 + fine u - (coarse - fine) BEND log(1 + e^{(bend - u)/BEND})
 *               - coarse SPREAD e^{(spread - u)/SPREAD},       u = 0, +-1, +-2, ...
 *
 * The steps are `fine` at the front, where exp(-e^w) requires a quarter of an e-fold of g, `coarse` left of the bend,
 * where e^w is small and the integrand as smooth as exp(w + r), and increasingly long where only that factor remains.
 * No equation is solved: a node costs one evaluation of w, compared with three if the rule follows w.  The
 * singularities of r(u) lie pi BEND from the real line, so that the error of the rule is of order exp(-2 pi^2 BEND).
 */
#ifndef STABLECL_STABLE_TRAPEZOIDAL_RULE_H
#define STABLECL_STABLE_TRAPEZOIDAL_RULE_H

#include "integrand_peak.h"

#define STEP        0.25        /* in w at the front: error exp(-pi^2/STEP) = 7e-18 */
#define STEP_COARSE 0.3         /* in r: phi psi has poles at +-i pi */
#define BEND        4.0         /* in steps */
#define SPREAD      (2.0 * BEND)
#define STEEP_FRONT 30.0        /* slope at the front above which the rounding of r affects w */
#define STEEP_LEFT  20.0        /* slope left of the last bend above which too many steps are needed */
#define FALLING     5.0         /* slope there above which a tail ended by w alone may have its peak there */
#define LONG        400.0       /* most coarse steps left of the peak; a long plateau needs more */

struct node_map {
    double r0, fine, coarse;
    double end;                         /* u of the last bend of the integrand */
    double bend, spread;                /* e^{bend/SPREAD}, or 0 without a bend; e^{spread/SPREAD} */
};

/* Returns the largest slope of w between r, where it has this value and slope, and the point beyond which exp(-g) is
 * negligible in the whole cell. */
FN double node_map_front(const struct integrand_peak *b, double r, double w, double slope)
{
    struct rise_search above;
    peak_rise(b, r, w, NEGLIGIBLE * exp(b->half_cell), &above);
    return slope > above.slope ? slope : above.slope;
}

/* Returns the step left of a peak whose last bend is at `left`; `two`: a second peak lies there. */
FN double node_map_coarse(const struct integrand_peak *b, double left, double slope_left, int two)
{
    double step = 1.0 / (1.0 + slope_left), front;
    if (two) {
        double slope, w = peak_w(b, left, &slope);
        front = node_map_front(b, left, w, slope);
        if (STEP / front < step) step = STEP / front;
    }
    return step < STEP_COARSE ? step : STEP_COARSE;
}

/* Sets the node map with the origin r0 and the last bend `left`, for the slopes of w at the origin, at the front and at
 * left - 3, and for a largest step.  Returns a mask for pick(): 0 if the rule must follow w. */
LANE uint64 node_map_fill(struct node_map *l, double r0, double left, double slope, double front, double slope_left,
                          double coarse, double half_cell)
{
    uint64 fits = when(slope <= STEEP_FRONT) & when(front <= STEEP_FRONT) & when(slope_left <= STEEP_LEFT);
    double end = pick(when(slope_left > FALLING), left - 2.0, left);
    l->r0 = r0;
    l->fine = smaller(smaller(STEP / front, STEP_COARSE), coarse);
    l->coarse = pick(when(coarse < 1.2 * l->fine), l->fine, coarse);
    double more = l->coarse - l->fine, width = pick(when(slope > 0.1), 1.0 / slope, 10.0);
    double bend = -(half_cell + width) / l->fine - 0.5 * BEND * node_log(l->coarse / l->fine);
    l->end = (end - r0 - 2.0 * half_cell / (1.0 + slope_left) + more * bend) / l->coarse;
    double spread = l->end - 2.0 * SPREAD;
    uint64 bends = when(more > 0.0);
    spread = pick(bends, smaller(spread, bend - 1.5 * BEND), spread);
    l->bend = pick(bends, node_exp(bend / SPREAD), 0.0);
    l->spread = node_exp(spread / SPREAD);
    return fits & when((r0 - end) / l->coarse <= LONG);
}

/* Sets the node map for these peaks.  Returns 0 if the rule must follow w.  light: at the front, g grows like
 * G0 (1 + e^{2r}). */
APART int node_map_set(struct node_map *l, const struct integrand_peak *b, const struct peaks *p, int light)
{
    double slope = p->slope, front, slope_left, left = p->left;
    if (slope > STEEP_FRONT) return 0;
    front = node_map_front(b, p->right, p->w, slope);
    peak_w(b, left - 3.0, &slope_left);
    if (light && front < 2.0) front = 2.0;
    if (light && slope < 2.0) slope = 2.0;
    double coarse = node_map_coarse(b, slope_left > FALLING ? left - 2.0 : left, slope_left, p->two);
    return node_map_fill(l, p->right, left, slope, front, slope_left, coarse, b->half_cell) != 0;
}

/* Returns r(u) and stores its derivative; e = exp(-u/SPREAD). */
LANE double node_map_node(const struct node_map *l, double u, double e, double *rate)
{
    double q = l->bend * e * l->bend * e, more = l->coarse - l->fine, far = l->coarse * l->spread * e;
    *rate = l->fine + more * (q / (1.0 + q)) + far;
    return l->r0 + l->fine * u - more * BEND * node_log1p(q) - SPREAD * far;
}

/* The rule that follows w.  Its variable is
 *
 *     T(r) = c (r - r0) + w(r),      c = 1, or 2 where a light tail dominates,
 *
 * which follows r where w is flat and w where w is steep.  Equal steps in T thus resolve both the front exp(-e^w) and
 * the weight phi psi, and as the integrands are analytic in a strip about the real line, the rule converges
 * exponentially (Trefethen & Weideman 2014, doi:10.1137/130932132).  A node is found by Newton's method for
 * T(r) = T_j, and then w = T_j - c (r_j - r0): where w is so steep that its own rounding error would be too large
 * (alpha -> 1, beta -> 0), r_j is determined all the more accurately.  Where w is less steep, the node map
 * makes the equation unnecessary.  Away from the peak the steps grow,
 *
 *     T_j = T0 + u - left_len exp(-(u - left)/left_len) + right_len exp((u - right)/right_len),
 *
 * u = j step: to the left where only the factor exp(w) of the integrand remains, and to the right, if the sum of the
 * tail extends there, where exp(-g) is negligible.
 */

#define STEP_FLAT 0.4           /* in r where w is flat: phi psi has poles at +-i pi */
#define QUANTUM   2.0           /* width of a cell of log G (where w has slope 1 in r) */
#define GENTLE    10.0          /* largest slope at a peak that may lie on a plateau */

struct trapezoidal_rule {
    int uses_node_map;                  /* the node map is used, and T is u */
    struct node_map node_map;
    double c, r0, T0, step, left, left_len, right, right_len;
    double slope;                       /* of w at r0 */
};

/* Returns T(r) - T0. */
FN double rule_T(const struct trapezoidal_rule *o, const struct integrand_peak *b, double r)
{
    double slope, w = peak_w(b, r, &slope);
    return o->c * (r - o->r0) + w - o->T0;
}

/* Returns the step in T: STEP in w at the front, where g exceeds its value at the peak by 3. */
FN double rule_step(const struct trapezoidal_rule *o, const struct integrand_peak *b)
{
    double slope = o->slope, step;
    if (o->c == 2.0) return STEP;
    if (slope < 1e3) {
        struct rise_search above;
        peak_rise(b, o->r0, o->T0, 3.0, &above);
        slope = above.slope;
    }
    step = STEP * (1.0 + o->c / slope);
    return step < STEP_FLAT * o->c ? step : STEP_FLAT * o->c;
}

/* Returns the width in T of the peak at r, at least c + 1.  For small alpha, next to zeta, the width is about
 * 1/sqrt(alpha). */
FN double rule_width(const struct trapezoidal_rule *o, const struct integrand_peak *b, double r)
{
    double slope, before = peak_fall(b, r - 0.1, &slope), bend = (peak_fall(b, r + 0.1, &slope) - before) / 0.2;
    double narrow = o->c + 1.0, wide = slope < 1.0 && bend > 0.0 ? (o->c + slope) / sqrt(bend) : narrow;
    return wide > narrow ? wide : narrow;
}

/* Sets up the rule in T. */
FN void rule_follow(struct trapezoidal_rule *o, const struct integrand_peak *b, double left, int to_the_right)
{
    o->uses_node_map = 0;
    o->step = left < o->r0 ? STEP : rule_step(o, b);
    o->left_len = 0.8 * rule_width(o, b, left);
    o->left = (left < o->r0 ? rule_T(o, b, left) : 0.0) - QUANTUM - 2.0 * o->left_len;
    o->right_len = 2.0 + o->c;
    if (to_the_right) {
        struct rise_search end;
        peak_rise(b, o->r0, o->T0, 60.0, &end);
        o->right = rule_T(o, b, end.r) + 3.0 * o->right_len;
    }
}

/* Sets up the rule for an integrand: by a node map if possible, otherwise in T. */
APART void rule_set(struct trapezoidal_rule *o, const struct integrand_peak *b)
{
    struct peaks p;
    peaks_find(&p, b);
    o->r0 = p.right;
    o->T0 = p.w;
    o->slope = p.slope;
    o->c = o->slope < GENTLE && peak_plateau(b, -6.0) ? 2.0 : 1.0;  /* exp(-G0 (1 + phi^2)): slope 2 in r */
    o->right = INFINITY;
    int to_the_right = o->r0 > 0.0 && b->law->alpha < 0.5;
    o->uses_node_map = !to_the_right && node_map_set(&o->node_map, b, &p, o->c == 2.0);
    if (o->uses_node_map) o->left = o->node_map.end;
    else rule_follow(o, b, p.left, to_the_right);
}

/* Returns T - T0 at u for the rule in T, and stores dT/du. */
LANE double rule_node(const struct trapezoidal_rule *o, double u, double *jac)
{
    double e = node_exp((o->left - u) / o->left_len), f = node_exp((u - o->right) / o->right_len);
    *jac = 1.0 + e + f;
    return u - o->left_len * e + o->right_len * f;
}

#endif
