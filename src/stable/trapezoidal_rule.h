/* The nodes of the trapezoidal rule.
 *
 * The variable of the rule is
 *
 *     T(r) = c (r - r0) + w(r),      c = 1, or 2 where a light tail dominates,
 *
 * which follows r where w is flat and w where w is steep.  Equal steps in T thus resolve both the front exp(-e^w) and
 * the weight phi psi, and as the integrands are analytic in a strip about the real line, the rule converges
 * exponentially (Trefethen & Weideman 2014, doi:10.1137/130932132).  A node is found by Newton's method for
 * T(r) = T_j, and then w = T_j - c (r_j - r0): where w is so steep that its own rounding error would be too large
 * (alpha -> 1, beta -> 0), r_j is determined all the more accurately.  Where w is less steep, a precomputed node map
 * (node_map.h) makes the equation unnecessary.  Away from the peak the steps grow,
 *
 *     T_j = T0 + u - left_len exp(-(u - left)/left_len) + right_len exp((u - right)/right_len),
 *
 * u = j step: to the left where only the factor exp(w) of the integrand remains, and to the right, if the sum of the
 * tail extends there, where exp(-g) is negligible.
 */
#ifndef STABLECL_STABLE_TRAPEZOIDAL_RULE_H
#define STABLECL_STABLE_TRAPEZOIDAL_RULE_H

#include "node_map.h"

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
    if (slope < 1e3) peak_w(b, peak_rise(b, o->r0, 3.0), &slope);
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
    if (to_the_right) o->right = rule_T(o, b, peak_rise(b, o->r0, 60.0)) + 3.0 * o->right_len;
}

/* Sets up the rule for an integrand: by a node map if possible, otherwise in T. */
APART void rule_set(struct trapezoidal_rule *o, const struct integrand_peak *b)
{
    double left, right;
    int two = peak_ends(b, &left, &right), to_the_right;
    o->T0 = peak_w(b, right, &o->slope);
    if (o->slope > CLIFF) {             /* put the origin at the zero of w */
        right = left = peak_root(b, right);
        o->T0 = 0.0;
    }
    o->r0 = right;
    o->c = o->slope < GENTLE && peak_plateau(b, -6.0) ? 2.0 : 1.0;  /* exp(-G0 (1 + phi^2)): slope 2 in r */
    o->right = INFINITY;
    to_the_right = o->r0 > 0.0 && b->law->alpha < 0.5;
    o->uses_node_map = !to_the_right && node_map_set(&o->node_map, b, o->r0, o->slope, o->c == 2.0, left, two);
    if (o->uses_node_map) o->left = o->node_map.end;
    else rule_follow(o, b, left, to_the_right);
}

/* Returns T - T0 at u for the rule in T, and stores dT/du. */
LANE double rule_node(const struct trapezoidal_rule *o, double u, double *jac)
{
    double e = node_exp((o->left - u) / o->left_len), f = node_exp((u - o->right) / o->right_len);
    *jac = 1.0 + e + f;
    return u - o->left_len * e + o->right_len * f;
}

#endif
