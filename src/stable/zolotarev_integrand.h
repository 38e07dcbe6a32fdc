/* The integrand of Zolotarev's integral and its peaks.
 *
 * The variable is r = +-log(phi/psi), with the sign for which w(r) = log G + log V increases.  The integrand of the
 * density,
 *
 *     exp(w - e^w) phi psi / L,
 *
 * rises like exp(w + r) and is cut off where e^w exceeds 1, which gives a single peak.  Where V has a plateau
 * (|beta| -> 1, alpha -> 2) at the level G0 = e^w, the distribution has a light tail exp(-G0).  There is then one peak
 * at the right end of the plateau, of height exp(-G0), and another one, of the power tail, beyond the left end of the
 * plateau, the corner.  Either may be the larger.
 */
#ifndef STABLECL_STABLE_ZOLOTAREV_INTEGRAND_H
#define STABLECL_STABLE_ZOLOTAREV_INTEGRAND_H

#include "zolotarev.h"

#define R_MAX       705.0       /* 1/exp(-R_MAX) does not overflow */
#define NEGLIGIBLE  42.0        /* exp(-42) = 6e-19 */
#define PLATEAU    -18.5        /* at this r, V is constant to exp(2 PLATEAU), ... */
#define FAR_CORNER -55.0        /* ... and to exp(FAR_CORNER - PLATEAU) if the corner lies left of FAR_CORNER */
#define ROUNDING_SLOPE 1e12     /* slope above which the rounding error of w matters */

struct zolotarev_integrand {
    const struct law *law;
    const struct side *side;
    int near_one;                       /* decomposition of w to be used (zolotarev.h) */
    struct double_double log_G;
    double dir;                         /* log(phi/psi) = dir * r */
    double half_cell;                   /* the nodes must be accurate for log_G +- half_cell */
};

/* A sample point: w, its slope in r, and the two angles. */
struct sample_point { double w, slope, phi, psi; };

/* Computes the sample point at r.  factor: see split_angle(). */
LANE void integrand_sample_point(const struct zolotarev_integrand *b, double r, double factor, struct sample_point *s)
{
    struct angles a;
    double slope, log_V = zolotarev_angles(b->law, b->side, b->near_one, b->dir * r, factor, &a, &slope);
    s->w = (b->log_G.hi + log_V) + b->log_G.lo;
    s->slope = fabs(slope);
    s->phi = a.phi;
    s->psi = a.psi;
}

/* Returns e^{|r| - |r + low|} for small low: the factor of split_angle(). */
LANE double angle_correction(double r, double low)
{
    return 1.0 - blend(mask_of(r > 0.0), low, -low);
}

/* Sample points at NODES values of r + low. */
struct sample_points { double r[NODES], low[NODES], w[NODES], slope[NODES], phi[NODES], psi[NODES]; };

LANE void integrand_sample_points_by(const struct zolotarev_integrand *b, int has_low, struct sample_points *s)
{
    for (int k = 0; k < NODES; k++) {
        struct sample_point at;
        integrand_sample_point(b, s->r[k], has_low ? angle_correction(s->r[k], s->low[k]) : 1.0, &at);
        s->w[k] = at.w;
        s->slope[k] = at.slope;
        s->phi[k] = at.phi;
        s->psi[k] = at.psi;
    }
}

/* Computes the sample points at s->r + s->low, or at s->r unless has_low. */
WIDE void integrand_sample_points(const struct zolotarev_integrand *from, int has_low, struct sample_points *s)
{
    LOCAL_COPY(struct law, law, from->law);
    LOCAL_COPY(struct side, side, from->side);
    struct zolotarev_integrand b = *from;
    b.law = law;
    b.side = side;
#if NODES > 1
    if (has_low && b.near_one) {        /* each branch is vectorised */
        b.near_one = 1;
        integrand_sample_points_by(&b, 1, s);
    } else if (has_low) integrand_sample_points_by(&b, 1, s);
    else if (b.near_one) {
        b.near_one = 1;
        integrand_sample_points_by(&b, 0, s);
    } else integrand_sample_points_by(&b, 0, s);
#else
    if (!has_low) s->low[0] = 0.0;
    integrand_sample_points_by(&b, 1, s);
#endif
}

/* Computes one sample point.  On a device this calls the function for NODES points, so that programs contain its code
 * only once. */
FN void integrand_sample_one(const struct zolotarev_integrand *b, double r, struct sample_point *s)
{
#if NODES > 1
    integrand_sample_point(b, r, 1.0, s);
#else
    struct sample_points all;
    all.r[0] = r;
    integrand_sample_points(b, 0, &all);
    s->w = all.w[0];
    s->slope = all.slope[0];
    s->phi = all.phi[0];
    s->psi = all.psi[0];
#endif
}

/* Returns w(r) and stores its slope. */
NOINLINE double integrand_w(const struct zolotarev_integrand *b, double r, double *slope)
{
    struct sample_point s;
    integrand_sample_one(b, r, &s);
    *slope = s.slope;
    return s.w;
}

FN double exp_capped(double w)
{
    return exp(w < LOG_MAX ? w : LOG_MAX);
}

/* Returns g(r) = exp(w), at most exp(LOG_MAX), and stores the slope of w. */
FN double integrand_g(const struct zolotarev_integrand *b, double r, double *slope)
{
    return exp_capped(integrand_w(b, r, slope));
}

/* Returns the logarithm of the density's integrand at r, up to a constant. */
LANE_NOINLINE double integrand_log(double w, double r)
{
    return w - node_exp_capped(w) - fabs(r) - 2.0 * node_log1p(node_exp(-fabs(r)));
}

/* Returns minus the derivative of integrand_log at a sample point, where g = exp(w); tanh(r/2) = +-(phi - psi)/L. */
LANE double integrand_decay_rate_at(const struct sample_point *s, double g, double dir, double L)
{
    return s->slope * (g - 1.0) + dir * (s->phi - s->psi) / L;
}

/* Returns minus the derivative of integrand_log. */
NOINLINE double integrand_decay_rate(const struct zolotarev_integrand *b, double r, double *slope)
{
    struct sample_point s;
    integrand_sample_one(b, r, &s);
    *slope = s.slope;
    return integrand_decay_rate_at(&s, exp_capped(s.w), b->dir, b->side->L);
}

/* Returns a step towards the zero of w from a point with this value and slope of w.  Far from its zero, w varies
 * exponentially.  If W, the value of w at a point on the other side of the zero, is known (otherwise 0), W - w varies
 * exponentially, and the step is that of Newton's method for log(W - w) = log W. */
LANE double step_to_zero(double w, double slope, double W)
{
    uint64 is_known = mask_of(W != 0.0);
    return blend(is_known, node_log1p(blend(is_known, -w / W, 0.0)) * (W - w), -w) / slope;
}

/* The search for a maximum of the integrand between lo and hi, a zero of integrand_decay_rate, to a tenth of the width
 * of the peak.  Uses Newton's method, for the zero of w while |w| > 1, and bisection where Newton's method
 * converges slowly or approaches the ends, where w may be NaN. */
struct max_search {
    double r, w, slope;                 /* of the last point */
    double lo, hi, below, above;        /* below, above: values of w < 0 and > 0, or 0 */
    double next;
    uint64 is_active;                   /* a mask for blend(): `next` is to be tried */
};

#define NEWTON_STEPS 12         /* before bisection */

LANE void max_search_start(struct max_search *t, double lo, double hi)
{
    t->lo = lo;
    t->hi = hi;
    t->below = t->above = 0.0;
    t->next = blend(mask_of(lo < 0.0) & mask_of(hi > 0.0), 0.0, 0.5 * (lo + hi));
    t->is_active = mask_of(1);
}

/* Narrows the bracket by the sample point at t->next, and returns the Newton step towards the maximum. */
LANE double max_search_bracket(struct max_search *t, const struct sample_point *s, double dir, double L)
{
    double g = node_exp_capped(s->w), fall = integrand_decay_rate_at(s, g, dir, L);
    uint64 falls = mask_of(fall > 0.0), is_above = mask_of(s->w > 0.0);
    t->r = t->next;
    t->w = s->w;
    t->slope = s->slope;
    t->hi = blend(falls, t->r, t->hi);
    t->lo = blend(falls, t->lo, t->r);
    t->above = blend(is_above, s->w, t->above);
    t->below = blend(is_above, t->below, s->w);
    return -fall / (s->slope * s->slope * g + 2.0 * (s->phi / L) * (s->psi / L));
}

/* Returns a step towards the zero of w. */
LANE double max_search_step_to_zero(const struct max_search *t)
{
    return step_to_zero(t->w, t->slope, blend(mask_of(t->w < 0.0), t->above, t->below));
}

LANE uint64 max_search_is_far(const struct max_search *t)
{
    return mask_of(fabs(t->w) > 1.0);
}

/* Sets the next point from the step towards the maximum.  step: number of points so far. */
LANE void max_search_advance(struct max_search *t, double distance, int step)
{
    double next = t->r + distance, steep = blend(mask_of(t->slope > 1.0), t->slope, 1.0);
    uint64 moves = mask_of(next != t->r), newton = mask_of(step <= NEWTON_STEPS);
    newton &= mask_of(next > t->lo) & mask_of(next < t->hi) & mask_of(fabs(next) < 0.5 * R_MAX);
    next = blend(newton, next, 0.5 * (t->lo + t->hi));
    t->is_active &= moves & mask_of(next != t->lo) & mask_of(next != t->hi) & mask_of(fabs(next - t->r) * steep >= 0.1);
    t->next = blend(t->is_active, next, t->r);
}

/* Returns the zero of w near r, to rounding error. */
FN double integrand_root_of_w(const struct zolotarev_integrand *b, double r)
{
    double slope;
    for (int i = 0; i < 50; i++) {
        double d = integrand_w(b, r, &slope) / slope;
        r -= d > 1.0 ? 1.0 : d < -1.0 ? -1.0 : d;
        if (fabs(d) <= 1e-15 * fabs(r)) break;
    }
    return r;
}

/* The search for the point where g has increased by a given amount, to a fifth: Newton's method for w, which increases
 * there, in steps of at most 3. */
struct rise_search {
    double r, slope;                    /* slope: of w, at the last point but one */
    double level;                       /* w is to reach it */
    uint64 is_active;
};

#define RISE_STEPS 30

LANE void rise_start(struct rise_search *t, double r, double w, double rise)
{
    t->r = r;
    t->level = node_log(node_exp_capped(w) + rise);
    t->is_active = mask_of(1);
}

/* Applies a step of the search, given w and its slope at t->r. */
LANE void rise_step(struct rise_search *t, double w, double slope)
{
    double d = (t->level - w) / slope, step = blend(mask_of(d > 3.0), 3.0, blend(mask_of(d < -3.0), -3.0, d));
    t->r = blend(t->is_active, t->r + step, t->r);
    t->slope = blend(t->is_active, slope, t->slope);
    t->is_active &= ~mask_of(fabs(step) * slope < 0.2);
}

/* Searches from r, where w has this value. */
NOINLINE void integrand_find_rise(const struct zolotarev_integrand *b, double r, double w, double rise,
                                  struct rise_search *t)
{
    rise_start(t, r, w, rise);
    for (int step = 0; t->is_active && step < RISE_STEPS; step++) {
        double slope, at = integrand_w(b, t->r, &slope);
        rise_step(t, at, slope);
    }
}

/* Returns the position of the corner, left of which h dominates A = h + eps phi.  It is positive if there is no
 * plateau, and -800 if the plateau has no left end (h = 0). */
FN double integrand_corner(const struct zolotarev_integrand *b)
{
    double h = b->side->h_eps;
    return h > 0.0 ? log(h / PI) : -800.0;
}

#endif
