/* Precomputed node map: nodes of the trapezoidal rule at explicitly given points.
 *
 * Where w is not steep, the variable of the rule need not follow it (trapezoidal_rule.h):
 *
 *     r(u) = r0 + fine u - (coarse - fine) BEND log(1 + e^{(bend - u)/BEND})
 *               - coarse SPREAD e^{(spread - u)/SPREAD},       u = 0, +-1, +-2, ...
 *
 * The steps are `fine` at the front, where exp(-e^w) requires a quarter of an e-fold of g, `coarse` left of the bend,
 * where e^w is small and the integrand as smooth as exp(w + r), and increasingly long where only that factor remains.
 * No equation is solved: a node costs one evaluation of w, compared with three if the rule follows w.  The
 * singularities of r(u) lie pi BEND from the real line, so that the error of the rule is of order exp(-2 pi^2 BEND).
 */
#ifndef STABLECL_STABLE_NODE_MAP_H
#define STABLECL_STABLE_NODE_MAP_H

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

/* Returns the largest slope of w between r and the point beyond which exp(-g) is negligible in the whole cell. */
FN double node_map_front(const struct integrand_peak *b, double r)
{
    double slope, above;
    peak_w(b, r, &slope);
    peak_w(b, peak_rise(b, r, NEGLIGIBLE * exp(b->half_cell)), &above);
    return slope > above ? slope : above;
}

/* Returns the step left of a peak whose last bend is at `left`; `two`: a second peak lies there. */
FN double node_map_coarse(const struct integrand_peak *b, double left, double slope_left, int two)
{
    double step = 1.0 / (1.0 + slope_left), front;
    if (two) {
        front = node_map_front(b, left);
        if (STEP / front < step) step = STEP / front;
    }
    return step < STEP_COARSE ? step : STEP_COARSE;
}

/* Sets the node map of a peak at r0, where w has the slope `slope`.  Returns 0 if the rule must follow w.
 * light: at the front, g grows like G0 (1 + e^{2r}); left: the last bend; two: a second peak lies there. */
APART int node_map_set(struct node_map *l, const struct integrand_peak *b, double r0, double slope, int light,
                       double left, int two)
{
    double front, slope_left, more, bend, spread;
    if (slope > STEEP_FRONT) return 0;
    front = node_map_front(b, r0);
    peak_w(b, left - 3.0, &slope_left);
    if (front > STEEP_FRONT || slope_left > STEEP_LEFT) return 0;
    if (slope_left > FALLING) left -= 2.0;
    if (light && front < 2.0) front = 2.0;
    if (light && slope < 2.0) slope = 2.0;
    l->r0 = r0;
    l->fine = STEP / front < STEP_COARSE ? STEP / front : STEP_COARSE;
    l->coarse = node_map_coarse(b, left, slope_left, two);
    if (l->coarse < l->fine) l->fine = l->coarse;
    if (l->coarse < 1.2 * l->fine) l->coarse = l->fine;
    if ((r0 - left) / l->coarse > LONG) return 0;
    more = l->coarse - l->fine;
    bend = -(b->half_cell + (slope > 0.1 ? 1.0 / slope : 10.0)) / l->fine - 0.5 * BEND * log(l->coarse / l->fine);
    l->end = (left - r0 - 2.0 * b->half_cell / (1.0 + slope_left) + more * bend) / l->coarse;
    spread = l->end - 2.0 * SPREAD;
    if (more > 0.0 && spread > bend - 1.5 * BEND) spread = bend - 1.5 * BEND;
    l->bend = more > 0.0 ? exp(bend / SPREAD) : 0.0;
    l->spread = exp(spread / SPREAD);
    return 1;
}

/* Returns r(u) and stores its derivative; e = exp(-u/SPREAD). */
LANE double node_map_node(const struct node_map *l, double u, double e, double *rate)
{
    double q = l->bend * e * l->bend * e, more = l->coarse - l->fine, far = l->coarse * l->spread * e;
    *rate = l->fine + more * (q / (1.0 + q)) + far;
    return l->r0 + l->fine * u - more * BEND * node_log1p(q) - SPREAD * far;
}

#endif
