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
 * The slope of w would multiply the rounding error of a node; r0 and `fine` are therefore multiples of 2^-20, for which
 * r0 + fine u is exact, and what r loses when the rest is subtracted is kept.
 */
#ifndef STABLECL_STABLE_TRAPEZOIDAL_RULE_H
#define STABLECL_STABLE_TRAPEZOIDAL_RULE_H

#include "peaks.h"

#define STEP        0.25        /* in w at the front: error exp(-pi^2/STEP) = 7e-18 */
#define STEP_COARSE 0.3         /* in r: phi psi has poles at +-i pi */
#define STEP_MIN    0.15        /* in r where g is small, however steep w is (coarse_steps) */
#define LOW_PLATEAU 2.0         /* g on a plateau below which it is small */
#define BEND        4.0         /* in steps */
#define SPREAD      (2.0 * BEND)
#define FRONT_SLOPE_MAX 30.0    /* slope at the front above which the rounding of r affects w */
#define LEFT_SLOPE_MAX 20.0     /* slope left of the last bend above which too many steps are needed */
#define LEFT_SLOPE_PEAK 5.0     /* slope there above which the tail's integrand may have its peak there */
#define COARSE_STEPS_MAX 400.0  /* most coarse steps left of the peak; a long plateau needs more */

struct node_map {
    double r0, fine, coarse;
    double end;                         /* u of the last bend of the integrand */
    double bend, spread;                /* e^{bend/SPREAD}, or 0 without a bend; e^{spread/SPREAD} */
};

/* Returns x, |x| < 2^31, rounded to a multiple of 2^-20. */
LANE double rounded_to_20_bits(double x)
{
    const double shift = 0x1.8p32;
    return (x + shift) - shift;
}

/* Sets the node map with the origin r0 and the last bend `left`, for the slopes of w at the origin, at the front and at
 * left - 3, and for a largest step.  Returns a mask for blend(): 0 if the rule must follow w. */
LANE uint64 node_map_set(struct node_map *l, double r0, double left, double slope, double front, double slope_left,
                         double coarse, double half_cell)
{
    uint64 fits = mask_of(slope <= FRONT_SLOPE_MAX) & mask_of(front <= FRONT_SLOPE_MAX) &
                  mask_of(slope_left <= LEFT_SLOPE_MAX);
    double end = blend(mask_of(slope_left > LEFT_SLOPE_PEAK), left - 2.0, left);
    l->r0 = rounded_to_20_bits(r0);
    l->fine = rounded_to_20_bits(smaller(smaller(STEP / front, STEP_COARSE), coarse));
    l->coarse = blend(mask_of(coarse < 1.2 * l->fine), l->fine, coarse);
    double more = l->coarse - l->fine, width = blend(mask_of(slope > 0.1), 1.0 / slope, 10.0);
    double bend = -(half_cell + width) / l->fine - 0.5 * BEND * node_log(l->coarse / l->fine);
    l->end = (end - r0 - 2.0 * half_cell / (1.0 + slope_left) + more * bend) / l->coarse;
    double spread = l->end - 2.0 * SPREAD;
    uint64 bends = mask_of(more > 0.0);
    spread = blend(bends, smaller(spread, bend - 1.5 * BEND), spread);
    l->bend = blend(bends, node_exp(bend / SPREAD), 0.0);
    l->spread = node_exp(spread / SPREAD);
    return fits & mask_of((r0 - end) / l->coarse <= COARSE_STEPS_MAX);
}

/* Returns r(u), without *low, and stores its derivative; e = exp(-u/SPREAD). */
LANE double node_map_node(const struct node_map *l, double u, double e, double *rate, double *low)
{
    double q = l->bend * e * l->bend * e, more = l->coarse - l->fine, far = l->coarse * l->spread * e;
    *rate = l->fine + more * (q / (1.0 + q)) + far;
    double exact = l->r0 + l->fine * u, rest = more * BEND * node_log1p(q) + SPREAD * far, r = exact - rest;
    *low = (exact - r) - rest;
    return r;
}

/* The rule that follows w.  Its variable is
 *
 *     T(r) = c (r - r0) + w(r),      c = 1, or 2 where a light tail dominates,
 *
 * which follows r where w is flat and w where w is steep.  Equal steps in T thus resolve both the front exp(-e^w) and
 * the weight phi psi, and as the integrands are analytic in a strip about the real line, the rule converges
 * exponentially (Trefethen & Weideman 2014, doi:10.1137/130932132).  A node is found by Newton's method for
 * T(r) = T_j, and then w = T_j - c (r_j - r0): where w is so steep that its own rounding error would be too large
 * (alpha -> 1, beta -> 0), r_j is determined correspondingly more accurately.  Where w is less steep, the node map
 * makes the equation unnecessary.  Away from the peak the steps grow,
 *
 *     T_j = T0 + u - left_len exp(-(u - left)/left_len) + right_len exp((u - right)/right_len),
 *
 * u = j step: to the left where only the factor exp(w) of the integrand remains, and to the right, if the sum of the
 * tail extends there, where exp(-g) is negligible.
 */

#define STEP_FLAT 0.4           /* in r where w is flat: phi psi has poles at +-i pi */
#define STEP_FOLLOW 0.2         /* in w at the front, of a single peak: with STEP, errors reach 5e-14 */
#define QUANTUM   2.0           /* width of a cell of log G (where w has slope 1 in r) */
#define PLATEAU_SLOPE_MAX 10.0  /* largest slope at a peak that may lie on a plateau */

struct trapezoidal_rule {
    int uses_node_map;                  /* the node map is used, and T is u */
    struct node_map node_map;
    double c, r0, T0, step, left, left_len, right, right_len;
    double slope;                       /* of w at r0 */
};

/* Returns T(r) - T0. */
FN double rule_T(const struct trapezoidal_rule *o, const struct zolotarev_integrand *b, double r)
{
    double slope, w = integrand_w(b, r, &slope);
    return o->c * (r - o->r0) + w - o->T0;
}

/* Returns the step in T: STEP_FOLLOW in w at the front, where g exceeds its value at the peak by 3. */
FN double rule_step(const struct trapezoidal_rule *o, const struct zolotarev_integrand *b)
{
    double slope = o->slope, step;
    if (o->c == 2.0) return STEP_FOLLOW;
    if (slope < 1e3) {
        struct rise_search above;
        integrand_find_rise(b, o->r0, o->T0, 3.0, &above);
        slope = above.slope;
    }
    step = STEP_FOLLOW * (1.0 + o->c / slope);
    return step < STEP_FLAT * o->c ? step : STEP_FLAT * o->c;
}

/* Returns the width in T of the peak at r, at least c + 1.  For small alpha, near zeta, the width is about
 * 1/sqrt(alpha). */
FN double rule_width(const struct trapezoidal_rule *o, const struct zolotarev_integrand *b, double r)
{
    double slope, before = integrand_decay_rate(b, r - 0.1, &slope);
    double bend = (integrand_decay_rate(b, r + 0.1, &slope) - before) / 0.2;
    double narrow = o->c + 1.0, wide = slope < 1.0 && bend > 0.0 ? (o->c + slope) / sqrt(bend) : narrow;
    return wide > narrow ? wide : narrow;
}

/* Sets up the rule in T. */
FN void rule_set_in_T(struct trapezoidal_rule *o, const struct zolotarev_integrand *b, double left, int to_the_right)
{
    o->uses_node_map = 0;
    o->step = left < o->r0 ? STEP : rule_step(o, b);
    o->left_len = 0.8 * rule_width(o, b, left);
    o->left = (left < o->r0 ? rule_T(o, b, left) : 0.0) - QUANTUM - 2.0 * o->left_len;
    o->right_len = 2.0 + o->c;
    if (to_the_right) {
        struct rise_search end;
        integrand_find_rise(b, o->r0, o->T0, 60.0, &end);
        o->right = rule_T(o, b, end.r) + 3.0 * o->right_len;
    }
}

/* The parameters of the rules of n integrands. */
struct rule_lanes {
    struct peaks peaks;
    uint64 is_light[NODES];             /* a light tail dominates */
    uint64 fits[NODES];                 /* the node map is used: */
    double r0[NODES], fine[NODES], coarse[NODES], end[NODES], bend[NODES], spread[NODES];
};

/* Stores the steps left of the peaks, whose last bend is at q->left.  w falls to the left like -c e^-r, beyond the
 * corner of a plateau if there is one.  Where |Im r| <= pi/2, exp(w) and g = |e^w| do not exceed their values on the
 * plateau then; if g is small there, exp(-g) is bounded, and a step of STEP_MIN has an error of order
 * exp(-pi^2/STEP_MIN), regardless of the slope.  Otherwise a second peak lies at the corner, with a front of its
 * own. */
LANE void coarse_steps(int n, const struct integrand_lanes *p, const struct peaks *q, const uint64 *wanted,
                       const double *slope_left, double *coarse)
{
    struct sample_points s;
    double front[NODES];
    uint64 has_two[NODES];
    for (int k = 0; k < n; k++) {
        double step = smaller(1.0 / (1.0 + slope_left[k]), STEP_COARSE);
        has_two[k] = wanted[k] & q->has_two[k] & mask_of(node_exp_capped(q->w[k] + p->half_cell[k]) > LOW_PLATEAU);
        coarse[k] = blend(has_two[k] | mask_of(step > STEP_MIN), step, STEP_MIN);
        s.r[k] = blend(mask_of(slope_left[k] > LEFT_SLOPE_PEAK), q->left[k] - 2.0, q->left[k]);
    }
    if (!any_of(n, has_two)) return;
    lane_points(n, p, &s);
    fronts_find(n, p, s.r, s.w, s.slope, has_two, front);
    for (int k = 0; k < n; k++) coarse[k] = blend(has_two[k], smaller(STEP / front[k], coarse[k]), coarse[k]);
}

/* Sets the node maps of the selected lanes. */
LANE void node_maps_find(int n, const struct integrand_lanes *p, const uint64 *wanted, struct rule_lanes *o)
{
    const struct peaks *q = &o->peaks;
    struct sample_points s;
    double front[NODES], coarse[NODES];
    fronts_find(n, p, q->right, q->w, q->slope, wanted, front);
    for (int k = 0; k < n; k++) s.r[k] = q->left[k] - 3.0;
    lane_points(n, p, &s);
    coarse_steps(n, p, q, wanted, s.slope, coarse);
    for (int k = 0; k < n; k++) {
        struct node_map l;
        double steepest = blend(o->is_light[k] & mask_of(front[k] < 2.0), 2.0, front[k]);
        double slope = blend(o->is_light[k] & mask_of(q->slope[k] < 2.0), 2.0, q->slope[k]);
        o->fits[k] = wanted[k] & node_map_set(&l, q->right[k], q->left[k], slope, steepest, s.slope[k], coarse[k],
                                              p->half_cell[k]);
        o->r0[k] = l.r0;
        o->fine[k] = l.fine;
        o->coarse[k] = l.coarse;
        o->end[k] = l.end;
        o->bend[k] = l.bend;
        o->spread[k] = l.spread;
    }
}

/* TRUE if the sum of the tail extends to the right. */
LANE uint64 extends_right(double alpha, double r0)
{
    return mask_of(r0 > 0.0) & mask_of(alpha < 0.5);
}

/* without_tail: the rule is for the density alone. */
LANE void rules_find(int n, const struct integrand_lanes *p, int without_tail, struct rule_lanes *o)
{
    uint64 wanted[NODES], sums_tail = mask_of(!without_tail);
    peaks_find(n, p, &o->peaks);
    for (int k = 0; k < n; k++) wanted[k] = has_plateau(p, k) & mask_of(o->peaks.slope[k] < PLATEAU_SLOPE_MAX);
    plateaus_above(n, p, wanted, -6.0, o->is_light);
    for (int k = 0; k < n; k++) {
        wanted[k] = mask_of(o->peaks.slope[k] <= FRONT_SLOPE_MAX)
                  & ~(extends_right(p->alpha[k], o->peaks.right[k]) & sums_tail);
        o->fits[k] = 0;
        o->r0[k] = o->fine[k] = o->coarse[k] = o->end[k] = o->bend[k] = o->spread[k] = 0.0;
    }
    if (any_of(n, wanted)) node_maps_find(n, p, wanted, o);
}

/* Sets up the rule in lane k: by a node map if possible, otherwise in T. */
FN void rule_from_lane(struct trapezoidal_rule *o, const struct zolotarev_integrand *b, const struct rule_lanes *from,
                       int k)
{
    const struct peaks *q = &from->peaks;
    struct node_map l = { from->r0[k], from->fine[k], from->coarse[k], from->end[k], from->bend[k], from->spread[k] };
    double left = q->left[k];
    o->r0 = q->right[k];
    o->T0 = q->w[k];
    o->slope = q->slope[k];
    if (o->slope > ROUNDING_SLOPE) {    /* all else is negligible; rounding dominates w: the end is its zero */
        left = o->r0 = integrand_root_of_w(b, o->r0);
        o->T0 = 0.0;
    }
    o->c = from->is_light[k] ? 2.0 : 1.0;  /* exp(-G0 (1 + phi^2)): slope 2 in r */
    o->right = INFINITY;
    o->uses_node_map = from->fits[k] != 0;
    o->node_map = l;
    if (o->uses_node_map) o->left = l.end;
    else rule_set_in_T(o, b, left, extends_right(b->law->alpha, o->r0) != 0);
}

/* Sets up the rule for one integrand; without_tail: for the density alone. */
NOINLINE void rule_set(struct trapezoidal_rule *o, const struct zolotarev_integrand *b, int without_tail)
{
    struct integrand_lanes p;
    struct rule_lanes found;
    lane_set(&p, 0, b);
    rules_find(1, &p, without_tail, &found);
    rule_from_lane(o, b, &found, 0);
}

#if NODES > 1
WIDE void rules_find_lanes(const struct integrand_lanes *from, int without_tail, struct rule_lanes *o)
{
    LOCAL_COPY(struct integrand_lanes, p, from);
    struct rule_lanes found;
    rules_find(NODES, p, without_tail, &found);
    *o = found;
}

/* Sets up the rules of those of n <= NODES integrands that have this decomposition of w. */
FN void rules_set_group(int n, const struct zolotarev_integrand *b, int near_one, int without_tail,
                        struct trapezoidal_rule *o)
{
    struct integrand_lanes p;
    struct rule_lanes found;
    int member[NODES], used = 0;
    for (int k = 0; k < n; k++) if (b[k].near_one == near_one) {
        member[used] = k;
        lane_set(&p, used++, &b[k]);
    }
    if (!used) return;
    for (int k = used; k < NODES; k++) lane_set(&p, k, &b[member[0]]);
    rules_find_lanes(&p, without_tail, &found);
    for (int k = 0; k < used; k++) rule_from_lane(&o[member[k]], &b[member[k]], &found, k);
}

/* Sets up the rules for n <= NODES integrands; without_tail: for the densities alone. */
FN void rules_set(int n, const struct zolotarev_integrand *b, int without_tail, struct trapezoidal_rule *o)
{
    rules_set_group(n, b, 0, without_tail, o);
    rules_set_group(n, b, 1, without_tail, o);
}
#endif

/* Returns T - T0 at u for the rule in T, and stores dT/du. */
LANE double rule_node(const struct trapezoidal_rule *o, double u, double *jac)
{
    double e = node_exp((o->left - u) / o->left_len), f = node_exp((u - o->right) / o->right_len);
    *jac = 1.0 + e + f;
    return u - o->left_len * e + o->right_len * f;
}

#endif
