/* Derivatives of log f from direct values at neighbouring shapes and points, for scorer.c and for kernels.
 *
 * f(x; alpha, beta) of S0 is analytic in alpha and beta, also across alpha = 1 and beyond the boundaries alpha = 2 and
 * |beta| = 1.  An interval inside the parameter space that ends at the boundary is therefore as good as one centred at
 * the point.  On the interval, f is interpolated by a polynomial through DIFFERENCE_NODES values (differences.h).  A
 * tilt of -log |x| per unit of alpha removes the power law from the tail.  For alpha < 1, a distribution varies on the
 * scale of log|x - zeta| near zeta.  There, values are computed at a fixed distance from zeta, and
 *
 *     d/d alpha at fixed x = d/d alpha at fixed x - zeta  -  (d zeta/d alpha) d/dx.
 *
 * The first interval has half-width SCORE_HALF_WIDTH.  Shorter and longer ones follow until the error estimate is below
 * SLOPE_TOLERANCE; the result with the smallest estimate is returned.  d/dx is computed from the node set (shape_slope)
 * if its rounding error is small, otherwise by the series at zeta or by a difference in x.
 *
 * Error: the estimate is the truncation error of the polynomial (differences.h) plus the rounding error of the values.
 * Most of the error estimated in struct stable_value is smooth in alpha, beta and x, and contributes little to a
 * derivative; the part that differs from node to node is below SCORE_NOISE.
 */
#ifndef STABLECL_STABLE_SCORE_RULE_H
#define STABLECL_STABLE_SCORE_RULE_H

#include "differences.h"
#include "mode_search.h"
#include "score.h"

#define SCORE_HALF_WIDTH  0.03     /* half-width of an interval in beta and in alpha (times alpha if alpha < 1) */
#define SCORE_HALF_WIDTH_X 0.1     /* ... in x, relative to the length scale of f */
#define SCORE_SHRINK      0.25
#define SCORE_WIDER       3.0      /* longer intervals, in units of the usual one */
#define SCORE_WIDEST   8.0
#define SCORE_LEVELS      10
#define SCORE_NOISE       2e-15    /* rounding error of log f, relative to max(1, |log f|) */
#define SCORE_DOUBTFUL    1e-10    /* a larger estimated error is not assumed to be smooth */
#define SCORE_LIGHT       3.9e12   /* -log f above which no node set is built: exp(29) */
#define SCORE_BY_DISTANCE 0.7      /* alpha below which only the distance from zeta is held fixed */

enum { IN_ALPHA, IN_BETA };

/* Returns the half-width at a level relative to that of the first interval. */
FN double score_relative_width(int level)
{
    return level == 0 ? 1.0 : level == 1 ? SCORE_WIDER : level == 2 ? SCORE_WIDEST : pow(SCORE_SHRINK, level - 2);
}

/* --- values of the distribution and of its neighbours --- */

#if IS_DEVICE
/* A device computes each value by itself. */
struct scorer {
    double alpha, beta;
    double zeta_slope[2];               /* d zeta/d alpha, d zeta/d beta; not used at alpha = 1 */
    struct standard law;
    int what, level;                    /* of `differ`; level < 0: not set */
    struct difference_rule difference_rule;
};
#else
struct shape;

/* The CPU stores the node sets of each distribution. */
struct grid {
    int set, modes_set;
    struct difference_rule difference_rule;
    struct shape *shape[DIFFERENCE_NODES];
    double mode[DIFFERENCE_NODES];
};

struct scorer {
    double alpha, beta;
    double zeta_slope[2];
    struct shape *all;                  /* the block that contains the shapes below */
    struct shape *shape;
    struct grid grid[2][SCORE_LEVELS];
    struct pair { int set; double from, to; struct shape *shape[2]; } pair[2];
};
#endif

/* Sets the numbers that depend on the shape alone. */
FN void score_set(struct scorer *s, double alpha, double beta)
{
    double tangent = 1.0 / tan(HALF_PI * (1.0 - alpha));
    s->alpha = alpha;
    s->beta = beta;
    s->zeta_slope[IN_ALPHA] = -beta * HALF_PI * (1.0 + tangent * tangent);
    s->zeta_slope[IN_BETA] = -tangent;
}

/* Places the nodes of an interval in alpha or beta. */
FN void score_place_nodes(const struct scorer *s, int what, int level, struct difference_rule *d)
{
    double reach = SCORE_HALF_WIDTH * score_relative_width(level);
    if (what == IN_ALPHA) difference_rule_set(d, s->alpha, reach * (s->alpha < 1.0 ? s->alpha : 1.0), 0.0, 2.0);
    else difference_rule_set(d, s->beta, reach, -1.0, 1.0);
}

#if IS_DEVICE
FN const struct standard *scorer_law(const struct scorer *s) { return &s->law; }
FN void scorer_value(struct scorer *s, struct argument x, struct stable_value *v) { value_streamed(&s->law, x, 1, v); }
FN double scorer_slope(struct scorer *s, struct argument x) { return slope_streamed(&s->law, x); }

FN void scorer_set(struct scorer *s, double alpha, double beta)
{
    score_set(s, alpha, beta);
    standard_set(&s->law, alpha, beta);
    s->level = -1;
}

FN const struct difference_rule *scorer_nodes(struct scorer *s, int what, int level)
{
    if (s->level != level || s->what != what) score_place_nodes(s, what, level, &s->difference_rule);
    s->level = level;
    s->what = what;
    return &s->difference_rule;
}

NOINLINE void scorer_value_near(struct scorer *s, int what, int level, int k, struct argument x, struct stable_value *v)
{
    double p = s->difference_rule.node[k];
    struct standard law;
    (void) level;
    standard_set(&law, what == IN_ALPHA ? p : s->alpha, what == IN_ALPHA ? s->beta : p);
    value_streamed(&law, x, 1, v);
}

/* Returns the mode (S0) of the distribution at node k of the current interval. */
FN double scorer_mode_near(const struct scorer *s, int what, int k)
{
    double p = s->difference_rule.node[k];
    return mode_streamed(what == IN_ALPHA ? p : s->alpha, what == IN_ALPHA ? s->beta : p, 0);
}
#else
/* Returns the standard distribution. */
const struct standard *scorer_law(const struct scorer *);

/* Computes the value of the distribution at x. */
void scorer_value(struct scorer *, struct argument x, struct stable_value *v);

/* Returns d log f / d x at x. */
double scorer_slope(struct scorer *, struct argument x);

/* Returns the interval of a level; the next function requires it to be the last one returned. */
const struct difference_rule *scorer_nodes(struct scorer *, int what, int level);

/* Computes the value of the distribution at node k. */
void scorer_value_near(struct scorer *, int what, int level, int k, struct argument x, struct stable_value *v);
#endif

/* --- the rule --- */

/* Returns the part of the error that differs from node to node. */
FN double score_noise_of(const struct stable_value *v)
{
    return v->error > SCORE_DOUBTFUL || v->error < SCORE_NOISE ? v->error : SCORE_NOISE;
}

/* Returns log f at x, -Inf outside the support, and stores the absolute error. */
FN double score_log_of(const struct stable_value *v, double *error)
{
    double log_f = value_pdf(v, 1), size = fabs(log_f);
    *error = size < INFINITY ? score_noise_of(v) * (size > 1.0 ? size : 1.0) : 0.0;
    return log_f;
}

/* The point x as S0 argument (x[0]) and as distance from zeta (x[1]), and log f there. */
struct score_point {
    struct argument x[2];
    struct stable_value value;
    double log_f, error;
};

NOINLINE void score_point_set(struct score_point *h, struct scorer *s, struct argument x)
{
    struct argument zeta = standard_zeta(scorer_law(s));
    double sign = x.shifted ? 1.0 : -1.0;
    h->x[x.shifted] = h->x[!x.shifted] = x;
    if (s->alpha != 1.0) {
        struct double_double at = { x.hi, x.lo }, move = { sign * zeta.hi, sign * zeta.lo };
        at = dd_add(at, move);
        h->x[!x.shifted].hi = at.hi;
        h->x[!x.shifted].lo = at.lo;
        h->x[!x.shifted].shifted = !x.shifted;
    }
    scorer_value(s, x, &h->value);
    h->log_f = score_log_of(&h->value, &h->error);
}

/* Returns d/d alpha or d/d beta at fixed x or fixed distance from zeta, from the interval of one level. */
NOINLINE struct slope score_at_level(struct scorer *s, int what, int level, const struct score_point *h,
                                     int by_distance)
{
    const struct difference_rule *d = scorer_nodes(s, what, level);
    struct argument x = h->x[by_distance];
    struct node_values v;
    struct slope unknown = { 0.0, INFINITY };
    if (by_distance && what == IN_ALPHA && d->node[DIFFERENCE_NODES - 1] >= 1.0) return unknown;
    for (int k = 0; k < DIFFERENCE_NODES; k++) {
        struct stable_value value;
        scorer_value_near(s, what, level, k, x, &value);
        v.log_f[k] = score_log_of(&value, &v.error[k]);
    }
    v.tilt = what == IN_ALPHA && fabs(x.hi) > 1.0 ? -log(fabs(x.hi)) : 0.0;
    v.log_here = h->log_f;
    v.error_here = h->error;
    return estimate_slope(d, &v);
}

/* Returns the level to be tried next: the long intervals first if rounding errors dominate, otherwise last. */
FN int score_level_after(int tried, const struct score_point *h)
{
    if (h->error > SCORE_NOISE * 50.0) return tried;
    return tried == 0 ? 0 : tried + 2 < SCORE_LEVELS ? tried + 2 : tried + 3 - SCORE_LEVELS;
}

/* Returns d/d alpha or d/d beta at fixed x (fixed_x) or at a fixed distance from zeta; z is d/dx. */
FN struct slope score_in_shape(struct scorer *s, int what, const struct score_point *h, int fixed_x, struct slope z)
{
    struct slope best = { 0.0, INFINITY };
    int near = s->alpha < SCORE_BY_DISTANCE, either = !near && s->alpha < 1.0;
    if (what == IN_BETA && s->alpha == 2.0) best.error = 0.0;
    for (int tried = 0; tried < SCORE_LEVELS && best.error > 0.0; tried++) {
        for (int by_distance = near; by_distance <= (near || either); by_distance++) {
            struct slope d = score_at_level(s, what, score_level_after(tried, h), h, by_distance);
            if (by_distance == fixed_x) d = slope_add(d, (fixed_x ? -1.0 : 1.0) * s->zeta_slope[what], z);
            best = slope_more_accurate(best, d);
            if (slope_relative_error(best) <= SLOPE_TOLERANCE) return best;
        }
    }
    return best;
}

/* Returns the length on which f changes at x: about f(zeta)/f'(zeta) near zeta, otherwise the distance. */
FN double score_scale_at(const struct scorer *s, const struct score_point *h)
{
    double a = s->alpha, far = 1.0 + fabs(h->x[0].hi), y = fabs(h->x[1].hi), peak;
    if (a == 1.0) return far;
    peak = exp(lgamma(1.0 / a) - lgamma(2.0 / a) + scorer_law(s)->law.log_sec.hi / a);
    if (y < peak) y = peak;
    return y < far ? y : far;
}

/* Returns d/dx from values near x. */
NOINLINE struct slope score_by_difference(struct scorer *s, const struct score_point *h, double enough)
{
    struct slope best = { 0.0, INFINITY };
    double half_width = SCORE_HALF_WIDTH_X * score_scale_at(s, h);
    for (int level = 0; level < SCORE_LEVELS; level++) {
        struct difference_rule d;
        struct node_values v;
        struct slope t;
        difference_rule_set(&d, 0.0, half_width * score_relative_width(level), -INFINITY, INFINITY);
        for (int k = 0; k < DIFFERENCE_NODES; k++) {
            struct stable_value value;
            scorer_value(s, argument_shift(h->x[1], d.node[k]), &value);
            v.log_f[k] = score_log_of(&value, &v.error[k]);
        }
        v.tilt = 0.0;
        v.log_here = h->log_f;
        v.error_here = h->error;
        t = estimate_slope(&d, &v);
        if (t.error < best.error) best = t;
        if (best.error <= enough) break;
    }
    return best;
}

/* Returns d/dx from the node set; its error is that of the terms.  Where Laplace's method is used instead of a node set
 * (value_laplace), log f is -G0, which is proportional to G. */
NOINLINE struct slope score_by_sum(struct scorer *s, const struct score_point *h)
{
    struct slope d = { 0.0, INFINITY };
    struct standardised_argument p;
    argument_set(&p, &scorer_law(s)->law, h->x[1]);
    if (p.at_zeta) return d;
    if (h->log_f < -SCORE_LIGHT) {
        d.value = h->log_f * (p.left ? -p.dlog_G : p.dlog_G);
        d.error = fabs(d.value) * (60.0 / SCORE_LIGHT);
        return d;
    }
    d.value = scorer_slope(s, h->x[1]);
    d.error = 4.0 * score_noise_of(&h->value) * (2.0 * fabs(p.dlog_front) + fabs(p.dlog_G) + fabs(d.value));
    if (!(d.error < INFINITY)) d.error = INFINITY;
    return d;
}

/* Returns d/dx from the series at zeta. */
NOINLINE struct slope score_by_centre(struct scorer *s, const struct score_point *h)
{
    struct slope d = { 0.0, INFINITY };
    if (s->alpha >= 1.0) return d;
    d.value = centre_slope_below_one(&scorer_law(s)->law, h->x[1].hi, &d.error);
    if (!(d.error < INFINITY)) d.error = INFINITY;
    return d;
}

/* Returns d/dx from the first method that is accurate enough. */
FN struct slope score_in_x(struct scorer *s, const struct score_point *h)
{
    double z = h->x[0].hi, size = fabs(z) > 1.0 ? fabs(z) : 1.0, enough;
    struct slope d = { -0.5 * z, 0.0 };
    if (s->alpha == 2.0) return d;
    d.value = -2.0 / (z + 1.0 / z);
    if (standard_is_closed(s->alpha, s->beta)) return d;
    d.value = 0.0;
    if (s->beta == 0.0 && z == 0.0) return d;
    d = score_by_sum(s, h);
    enough = SLOPE_TOLERANCE * (fabs(d.value) > 1.0 / size ? fabs(d.value) : 1.0 / size);
    if (d.error <= enough) return d;
    d = slope_more_accurate(d, score_by_centre(s, h));
    return d.error <= enough ? d : slope_more_accurate(d, score_by_difference(s, h, enough));
}

/* Computes the scores at x (finite), in alpha and beta at fixed x if fixed_x, otherwise at a fixed distance from zeta
 * (alpha != 1).  Where the density is 0, or a derivative was not found, its error is infinite. */
FN void score_at(struct scorer *s, struct argument x, int fixed_x, struct scores *y)
{
    struct slope unknown = { 0.0, INFINITY };
    struct score_point h;
    score_point_set(&h, s, x);
    y->alpha = y->beta = y->z = unknown;
    if (!(h.log_f > -INFINITY)) return;
    y->z = score_in_x(s, &h);
    y->alpha = score_in_shape(s, IN_ALPHA, &h, fixed_x, y->z);
    y->beta = score_in_shape(s, IN_BETA, &h, fixed_x, y->z);
}

/* Returns the derivative of the mode from those at the nodes and at the point itself. */
FN struct slope mode_slope_from_nodes(const struct difference_rule *nodes, const double *mode, double here)
{
    double error[DIFFERENCE_NODES], truncation;
    struct slope d;
    for (int k = 0; k < DIFFERENCE_NODES; k++) error[k] = 1e-14 * (1.0 + fabs(mode[k]));
    d.value = difference_slope(nodes, mode, here, &truncation);
    d.error = truncation + difference_rounding_error(nodes, error);
    return d;
}

#endif
