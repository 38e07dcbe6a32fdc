/* Searches for the peaks of integrands.
 *
 * The code processes n integrands in step, one in each lane: n is 1 for a single integrand and on devices, and NODES if
 * each element has its own distribution.  In the latter case the compiler vectorises over the lanes, which reduces the
 * time of a density by a third, since the steps of a single search depend on each other.  The result of a lane does not
 * depend on the other lanes.  Functions with an argument n are expanded inline where n is constant.
 */
#ifndef STABLECL_STABLE_PEAKS_H
#define STABLECL_STABLE_PEAKS_H

#include "zolotarev_integrand.h"

/* The parameters of w(r), and the position of the corner.  near_one is the same in all lanes. */
struct integrand_lanes {
    double alpha[NODES], eps[NODES], sign[NODES], kappa[NODES], sec_eps[NODES];
    double L[NODES], h[NODES], supplement[NODES], h_eps[NODES];
    double log_G[NODES], dir[NODES], half_cell[NODES], corner[NODES];
    int near_one;
    const struct zolotarev_integrand *first; /* the integrand of lane 0 */
};

FN void lane_set(struct integrand_lanes *p, int k, const struct zolotarev_integrand *b)
{
    p->alpha[k] = b->law->alpha;
    p->eps[k] = b->law->eps;
    p->sign[k] = b->law->sign;
    p->kappa[k] = b->law->kappa;
    p->sec_eps[k] = b->law->sec_eps;
    p->L[k] = b->side->L;
    p->h[k] = b->side->h;
    p->supplement[k] = b->side->supplement;
    p->h_eps[k] = b->side->h_eps;
    p->log_G[k] = b->log_G.hi;
    p->dir[k] = b->dir;
    p->half_cell[k] = b->half_cell;
    p->corner[k] = integrand_corner(b);
    p->near_one = b->near_one;
    if (k == 0) p->first = b;
}

LANE void lane_points_by(int n, const struct integrand_lanes *p, int near_one, struct sample_points *s)
{
    for (int k = 0; k < n; k++) {
        struct law law = { .alpha = p->alpha[k], .eps = p->eps[k], .sign = p->sign[k], .kappa = p->kappa[k],
                           .sec_eps = p->sec_eps[k] };
        struct side side = { .L = p->L[k], .h = p->h[k], .supplement = p->supplement[k], .h_eps = p->h_eps[k] };
        struct zolotarev_integrand b = { &law, &side, near_one, { p->log_G[k], 0.0 }, p->dir[k], 0.0 };
        struct sample_point at;
        integrand_sample_point(&b, s->r[k], 1.0, &at);
        s->w[k] = at.w;
        s->slope[k] = at.slope;
        s->phi[k] = at.phi;
        s->psi[k] = at.psi;
    }
}

#if NODES > 1
NOINLINE void lane_points_one(const struct integrand_lanes *p, struct sample_points *s)
{
    if (p->near_one) lane_points_by(1, p, 1, s);
    else lane_points_by(1, p, 0, s);
}

WIDE void lane_points_all(const struct integrand_lanes *from, struct sample_points *s)
{
    LOCAL_COPY(struct integrand_lanes, p, from);
    struct sample_points points = *s;
    if (p->near_one) lane_points_by(NODES, p, 1, &points);
    else lane_points_by(NODES, p, 0, &points);
    *s = points;
}
#else
#  define lane_points_all lane_points_one

FN void lane_points_one(const struct integrand_lanes *p, struct sample_points *s)
{
    integrand_sample_points(p->first, 0, s);
}
#endif

/* Computes the sample points at s->r. */
LANE void lane_points(int n, const struct integrand_lanes *p, struct sample_points *s)
{
    if (n == 1) lane_points_one(p, s);
    else lane_points_all(p, s);
}

LANE struct sample_point lane_point(const struct sample_points *s, int k)
{
    struct sample_point at = { s->w[k], s->slope[k], s->phi[k], s->psi[k] };
    return at;
}

/* Returns minus the derivative of integrand_log at the sample point of lane k. */
LANE_NOINLINE double lane_decay_rate(const struct integrand_lanes *p, const struct sample_points *s, int k)
{
    struct sample_point at = lane_point(s, k);
    return integrand_decay_rate_at(&at, node_exp_capped(at.w), p->dir[k], p->L[k]);
}

/* TRUE if a mask is set. */
LANE int any_of(int n, const uint64 *mask)
{
    uint64 any = 0;
    for (int k = 0; k < n; k++) any |= mask[k];
    return any != 0;
}

struct max_search_lanes {
    double r[NODES], w[NODES], slope[NODES], lo[NODES], hi[NODES], below[NODES], above[NODES], next[NODES];
    uint64 is_active[NODES];
};

LANE struct max_search max_search_load(const struct max_search_lanes *t, int k)
{
    struct max_search s = { t->r[k], t->w[k], t->slope[k], t->lo[k], t->hi[k], t->below[k], t->above[k], t->next[k],
                            t->is_active[k] };
    return s;
}

LANE void max_search_store(struct max_search_lanes *t, int k, const struct max_search *s)
{
    t->r[k] = s->r;
    t->w[k] = s->w;
    t->slope[k] = s->slope;
    t->lo[k] = s->lo;
    t->hi[k] = s->hi;
    t->below[k] = s->below;
    t->above[k] = s->above;
    t->next[k] = s->next;
    t->is_active[k] = s->is_active;
}

/* Finds a maximum between lo and hi in the selected lanes. */
LANE_NOINLINE void maxima_find(int n, const struct integrand_lanes *p, const double *lo, const double *hi,
                               const uint64 *wanted, struct max_search_lanes *t)
{
    struct sample_points s;
    for (int k = 0; k < n; k++) {
        struct max_search top;
        max_search_start(&top, lo[k], hi[k]);
        top.r = top.w = top.slope = 0.0;
        top.is_active = wanted[k];
        max_search_store(t, k, &top);
    }
    for (int step = 0; any_of(n, t->is_active); step++) {
        for (int k = 0; k < n; k++) s.r[k] = t->next[k];
        lane_points(n, p, &s);
        for (int k = 0; k < n; k++) {
            struct max_search top = max_search_load(t, k);
            struct sample_point at = lane_point(&s, k);
            double near = max_search_bracket(&top, &at, p->dir[k], p->L[k]);
            double far = n > 1 || max_search_is_far(&top) ? max_search_step_to_zero(&top) : 0.0;
            max_search_advance(&top, blend(max_search_is_far(&top), far, near), step);
            max_search_store(t, k, &top);
        }
    }
}

/* Stores the slope of w where g has increased from exp(w) at r by `rise`, or at r if it is larger there. */
LANE_NOINLINE void fronts_find(int n, const struct integrand_lanes *p, const double *r, const double *w,
                               const double *slope, const uint64 *wanted, double *front)
{
    double at[NODES], level[NODES];
    uint64 is_active[NODES];
    struct sample_points s;
    for (int k = 0; k < n; k++) {
        struct rise_search t;
        rise_start(&t, r[k], w[k], NEGLIGIBLE * node_exp(p->half_cell[k]));
        at[k] = t.r;
        level[k] = t.level;
        front[k] = slope[k];
        is_active[k] = wanted[k];
    }
    for (int step = 0; step < RISE_STEPS && any_of(n, is_active); step++) {
        for (int k = 0; k < n; k++) s.r[k] = at[k];
        lane_points(n, p, &s);
        for (int k = 0; k < n; k++) {
            struct rise_search t = { at[k], front[k], level[k], is_active[k] };
            rise_step(&t, s.w[k], s.slope[k]);
            at[k] = t.r;
            front[k] = t.slope;
            is_active[k] = t.is_active;
        }
    }
    for (int k = 0; k < n; k++) front[k] = blend(mask_of(front[k] < slope[k]), slope[k], front[k]);
}

/* TRUE if there is a plateau. */
LANE uint64 has_plateau(const struct integrand_lanes *p, int k)
{
    return mask_of(p->corner[k] < -3.0);
}

/* Sets above[k] where wanted, if log g on the plateau exceeds the level. */
LANE_NOINLINE void plateaus_above(int n, const struct integrand_lanes *p, const uint64 *wanted, double level,
                                  uint64 *above)
{
    struct sample_points s;
    for (int k = 0; k < n; k++) above[k] = 0;
    if (!any_of(n, wanted)) return;
    for (int k = 0; k < n; k++) s.r[k] = blend(mask_of(p->corner[k] > 2.0 * PLATEAU), 0.5 * p->corner[k], PLATEAU);
    lane_points(n, p, &s);
    for (int k = 0; k < n; k++) above[k] = wanted[k] & mask_of(s.w[k] > level);
}

/* Stores a point of the plateau in the valley between two peaks; 0 if there is none. */
LANE void valleys_find(int n, const struct integrand_lanes *p, double *valley)
{
    struct sample_points s;
    double light[NODES];
    uint64 is_candidate[NODES];
    for (int k = 0; k < n; k++) {
        valley[k] = 0.0;
        s.r[k] = 0.5 * p->corner[k];
        is_candidate[k] = has_plateau(p, k) & mask_of(p->corner[k] > -R_MAX);
    }
    if (!any_of(n, is_candidate)) return;
    lane_points(n, p, &s);
    for (int k = 0; k < n; k++) {
        light[k] = blend(mask_of(s.w[k] > 0.0), -0.5 * s.w[k], 0.0);  /* peak of a light tail: G0 phi^2 = 1 */
        is_candidate[k] &= mask_of(light[k] > p->corner[k]);
    }
    for (int i = 1; i <= 4 && any_of(n, is_candidate); i++) {
        for (int k = 0; k < n; k++) s.r[k] = p->corner[k] + (light[k] - p->corner[k]) * 0.25 * i;
        lane_points(n, p, &s);
        for (int k = 0; k < n; k++) {
            uint64 found = is_candidate[k] & mask_of(lane_decay_rate(p, &s, k) < 0.0);
            valley[k] = blend(found, s.r[k], valley[k]);
            is_candidate[k] &= ~found;
        }
    }
}

/* Stores, where wanted, the maximum of the power tail's peak left of a corner that lies in a valley, or the corner
 * itself if the integrand has no maximum but only a bend there.  For small alpha the maximum lies farther left than the
 * corner, beyond another valley. */
LANE void power_peaks_find(int n, const struct integrand_lanes *p, const uint64 *wanted, double *left)
{
    struct sample_points s;
    struct max_search_lanes top;
    double lo[NODES], hi[NODES];
    uint64 active[NODES], has_maximum[NODES];
    for (int k = 0; k < n; k++) {
        lo[k] = -R_MAX;
        hi[k] = p->corner[k];
        active[k] = wanted[k];
        has_maximum[k] = 0;
    }
    for (int i = 0; i < 2 && any_of(n, active); i++) {
        for (int k = 0; k < n; k++) s.r[k] = p->corner[k] - 3.0 * i;
        lane_points(n, p, &s);
        for (int k = 0; k < n; k++) {
            uint64 found = active[k] & mask_of(lane_decay_rate(p, &s, k) > 0.0);
            hi[k] = blend(found, s.r[k], hi[k]);
            has_maximum[k] |= found;
            active[k] &= ~found;
        }
    }
    maxima_find(n, p, lo, hi, has_maximum, &top);
    for (int k = 0; k < n; k++) left[k] = blend(wanted[k], blend(has_maximum[k], top.r[k], p->corner[k]), left[k]);
}

/* The region with the peaks and bends of the integrand that matter in the cell. */
struct peaks {
    double left[NODES], right[NODES];   /* its ends, equal for a single peak without further bends */
    double w[NODES], slope[NODES];      /* at the right end */
    uint64 has_two[NODES];              /* there are two: of the power tail (left) and of the light tail (right) */
};

/* Discards the end, or the peak, that is negligible in the whole cell; in_valley: the ends are two peaks. */
LANE void peaks_discard_negligible(int n, const struct integrand_lanes *p, const uint64 *in_valley,
                                   const uint64 *wanted, struct peaks *q)
{
    struct sample_points s;
    if (!any_of(n, wanted)) return;
    for (int k = 0; k < n; k++) s.r[k] = q->left[k];
    lane_points(n, p, &s);
    for (int k = 0; k < n; k++) {
        double width = p->half_cell[k], l = q->left[k], r = q->right[k], w = s.w[k];
        double left_max = integrand_log(w + width, l), right_max = integrand_log(q->w[k] + width, r);
        double left_min = integrand_log(w - width, l), right_min = integrand_log(q->w[k] - width, r);
        uint64 no_left = mask_of(left_max < right_max - NEGLIGIBLE) & wanted[k];
        uint64 no_right = mask_of(right_min < left_min - NEGLIGIBLE) & wanted[k];
        no_right &= in_valley[k] & ~no_left;
        q->left[k] = blend(no_left, r, l);
        q->right[k] = blend(no_right, l, r);
        q->w[k] = blend(no_right, w, q->w[k]);
        q->slope[k] = blend(no_right, s.slope[k], q->slope[k]);
    }
}

/* Moves a left end at r > 0 to r = 0, where the weight phi psi bends, if the integrand is not negligible there. */
LANE void peaks_extend_to_zero(int n, const struct integrand_lanes *p, const uint64 *wanted, struct peaks *q)
{
    struct sample_points s;
    if (!any_of(n, wanted)) return;
    for (int k = 0; k < n; k++) s.r[k] = 0.0;
    lane_points(n, p, &s);
    for (int k = 0; k < n; k++) {
        double width = p->half_cell[k], top = integrand_log(q->w[k] + width, q->right[k]);
        uint64 matters = wanted[k] & mask_of(integrand_log(s.w[k] + width, 0.0) > top - NEGLIGIBLE);
        q->left[k] = blend(matters, 0.0, q->left[k]);
    }
}

/* Stores the corner as the valley where valleys_find() has found none because the valley is too narrow. */
LANE void narrow_valleys_find(int n, const struct integrand_lanes *p, const struct peaks *q, const uint64 *wanted,
                              double *valley)
{
    struct sample_points s;
    uint64 is_candidate[NODES];
    for (int k = 0; k < n; k++) {
        double corner = s.r[k] = p->corner[k];
        is_candidate[k] = wanted[k] & has_plateau(p, k) & mask_of(valley[k] == 0.0) & mask_of(corner > -R_MAX)
               & mask_of(corner < q->right[k]);
    }
    if (!any_of(n, is_candidate)) return;
    lane_points(n, p, &s);
    for (int k = 0; k < n; k++) {
        uint64 found = is_candidate[k] & mask_of(lane_decay_rate(p, &s, k) > 0.0);
        valley[k] = blend(found, p->corner[k], valley[k]);
    }
}

/* Finds the peaks of the integrands.  Where the slope at the right end exceeds ROUNDING_SLOPE, the left end is not
 * set. */
LANE void peaks_find(int n, const struct integrand_lanes *p, struct peaks *q)
{
    struct max_search_lanes top;
    double valley[NODES], lo[NODES], hi[NODES];
    uint64 all[NODES], fits[NODES], in_valley[NODES], wanted[NODES], above[NODES];
    valleys_find(n, p, valley);
    for (int k = 0; k < n; k++) {
        lo[k] = blend(mask_of(valley[k] < 0.0), valley[k], -R_MAX);
        hi[k] = R_MAX;
        all[k] = mask_of(1);
    }
    maxima_find(n, p, lo, hi, all, &top);
    for (int k = 0; k < n; k++) {
        q->right[k] = top.r[k];
        q->w[k] = top.w[k];
        q->slope[k] = top.slope[k];
        fits[k] = ~mask_of(top.slope[k] > ROUNDING_SLOPE);
    }
    narrow_valleys_find(n, p, q, fits, valley);
    for (int k = 0; k < n; k++) {
        double corner = p->corner[k];
        in_valley[k] = fits[k] & mask_of(valley[k] < 0.0);
        q->left[k] = blend(mask_of(corner > -R_MAX) & mask_of(corner < q->right[k]), corner, q->right[k]);
    }
    if (any_of(n, in_valley)) power_peaks_find(n, p, in_valley, q->left);
    for (int k = 0; k < n; k++) wanted[k] = fits[k] & mask_of(q->left[k] != q->right[k]);
    peaks_discard_negligible(n, p, in_valley, wanted, q);
    for (int k = 0; k < n; k++) wanted[k] = fits[k] & mask_of(q->left[k] > 0.0);
    peaks_extend_to_zero(n, p, wanted, q);
    for (int k = 0; k < n; k++) wanted[k] = fits[k] & has_plateau(p, k) & mask_of(q->right[k] > 0.0)
                                          & mask_of(p->corner[k] < q->left[k]) & mask_of(p->corner[k] > FAR_CORNER);
    plateaus_above(n, p, wanted, -45.0, above);
    for (int k = 0; k < n; k++) {
        q->left[k] = blend(above[k], p->corner[k], q->left[k]);
        q->has_two[k] = in_valley[k] & mask_of(q->left[k] < q->right[k]);
    }
}

#endif
