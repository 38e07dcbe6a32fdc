/* The mode of the density, computed as the zero of its derivative, usually of d log f / d x.
 *
 * For alpha < MODE_BY_DISTANCE (user_law.h), the mode of a skewed distribution lies so close to zeta that log|x - zeta|
 * is used as the coordinate.  The mode lies right of zeta for beta > 0, left of it for beta < 0.  It is odd in beta, so
 * that the search is for |beta|; below SMALL_BETA it is linear in beta with a relative error of 1e-8.
 *
 * Error: the slope has an error of about 1e-15 of 1 + 1/|x - zeta|, and hence the mode one of 1e-14 of the width of the
 * peak, unless |beta| is small: then Zolotarev's integral is multiplied by 1/|x - zeta| or, near alpha = 1, by
 * 1/|beta|.  Such modes are computed from the Fourier integral instead (mode_is_slight()).
 *
 * The caller evaluates the slope of the distribution (alpha, mode_beta(beta)):
 *
 *     if (mode_known(alpha, beta, from_zeta, &mode)) return mode;
 *     mode_start(&m, alpha);
 *     while (mode_needs_slope(&m, &x)) mode_update(&m, slope at x);
 *     return mode_result(&m, &law, beta, from_zeta);
 */
#ifndef STABLECL_STABLE_MODE_SEARCH_H
#define STABLECL_STABLE_MODE_SEARCH_H

#include "streamed_sum.h"
#include "user_law.h"

#define SMALL_BETA     1e-4
#define MODE_STEPS     200
#define LOG_DISTANCE_MIN (-700.0)       /* log of a distance from zeta that underflows */

/* The point that is evaluated next: the coordinate to the left of which the mode may lie, the ends of the bracket, a
 * point in it, or nothing. */
enum mode_stage { MODE_DESCENT, MODE_LOW, MODE_HIGH, MODE_BETWEEN, MODE_FOUND };

struct mode_search {
    int by_distance;                    /* the coordinate v is log|x - zeta|, otherwise x */
    enum mode_stage stage;
    double v;                           /* the coordinate to be evaluated, finally that of the mode */
    double lo, hi, at_lo, at_hi;        /* the bracket, and the slopes with respect to v at its ends */
    int steps;
};

/* Returns the |beta| of the distribution whose mode is searched for. */
FN double mode_beta(double beta)
{
    return fabs(beta) < SMALL_BETA ? SMALL_BETA : fabs(beta);
}

/* --- slightly skewed distributions ---
 *
 * With y = x - zeta, the characteristic function gives
 *
 *     f(x) = 1/pi int_0^infinity exp(-t^alpha) cos(theta) dt,     theta = y t - beta tan(pi alpha/2) t^alpha,
 *
 * and theta = x t + beta g(t) with g(t) = tan(pi alpha/2) (t - t^alpha), which is (2/pi) t log t at alpha = 1.  The
 * mode is the zero of
 *
 *     int t exp(-t^alpha) sin(theta) dt,     whose derivative is     int t^2 exp(-t^alpha) cos(theta) dt.
 *
 * For small |beta| and x near the mode, the sine does not oscillate where the exponential is not negligible, and the
 * zero has a small relative error in y (alpha < MODE_BY_DISTANCE) or x (otherwise), which Newton's method finds.
 * With t^alpha = exp(w), the integrands decrease exponentially as w -> -infinity and doubly exponentially as w ->
 * infinity, so that the trapezoidal rule in w converges exponentially.  Larger t contribute as alpha decreases, and
 * g(t) is smaller as alpha increases to 2, so that the limit of |beta| increases with alpha.
 *
 * Error: 1e-15 |x| or 1e-15 |y|; 1e-12 |y| at the limit of |beta| for alpha < 0.6, where y is small.
 */
#define SLIGHT_ALPHA  0.3
#define SLIGHT_BETA   0.1               /* the limit of |beta| for 0.6 <= alpha <= 1.2, approximately */
#define SLIGHT_STEPS  20                /* of Newton's method; 3 to 5 are usual */

/* Returns tan(pi alpha/2), by arguments that lie far from the poles of the tangent. */
FN double slight_tangent(double alpha)
{
    if (alpha <= 0.5) return tan(HALF_PI * alpha);
    return alpha < 1.5 ? 1.0 / tan(HALF_PI * (1.0 - alpha)) : tan(HALF_PI * (alpha - 2.0));
}

/* TRUE if the mode is computed from the Fourier integral. */
FN int mode_is_slight(double alpha, double beta)
{
    double size = fabs(beta), square = 4.0 * alpha * alpha;
    if (alpha < 1.0) return alpha >= SLIGHT_ALPHA && size <= SLIGHT_BETA && size <= 0.05 * square * square;
    return size <= SLIGHT_BETA || fabs(slight_tangent(alpha)) * size <= 3.0 * SLIGHT_BETA;
}

/* Returns theta for t = exp(log_t) and s = t^alpha; v is y if alpha < MODE_BY_DISTANCE, otherwise x. */
FN double slight_angle(double alpha, double beta, double tangent, double v, double t, double s, double log_t)
{
    if (alpha < MODE_BY_DISTANCE) return v * t - beta * tangent * s;
    return t * (v + beta * (alpha == 1.0 ? TWO_OVER_PI * log_t : -tangent * expm1((alpha - 1.0) * log_t)));
}

/* Returns the step of Newton's method from v.  The terms that are left out are below exp(-37) of the largest one. */
FN double slight_step(double alpha, double beta, double tangent, double v)
{
    double h = alpha < MODE_BY_DISTANCE ? 0.1 : 0.2, left = -40.0 * alpha / (alpha < 1.0 ? 2.0 + alpha : 3.0);
    double value = 0.0, derivative = 0.0;
    int nodes = (int) ((log(45.0 + 12.0 / alpha) - left) / h) + 1;
    for (int k = 0; k <= nodes; k++) {
        double w = left + k * h, log_t = w / alpha, s = exp(w), t = exp(log_t), weight = t * t * exp(-s);
        double theta = slight_angle(alpha, beta, tangent, v, t, s, log_t);
        value += weight * sin(theta);
        derivative += weight * t * cos(theta);
    }
    return -value / derivative;
}

/* Returns the mode of a slightly skewed distribution, or its distance from zeta if `from_zeta` and alpha <
 * MODE_BY_DISTANCE.  The search starts from the zero to first order in beta, or from 0. */
NOINLINE double slight_mode(double alpha, double beta, int from_zeta)
{
    int by_distance = alpha < MODE_BY_DISTANCE;
    double tangent = slight_tangent(alpha), v = 0.0, step = INFINITY;
    if (by_distance) v = beta * tangent * (tgamma(1.0 + 2.0 / alpha) / tgamma(3.0 / alpha));
    for (int k = 0; k < SLIGHT_STEPS && fabs(step) > 4e-16 * fabs(v); k++) {
        step = slight_step(alpha, beta, tangent, v);
        v += step;
    }
    return by_distance && !from_zeta ? v - beta * tangent : v;
}

/* --- the search --- */

/* Returns 1 if the mode, or its distance from zeta if `from_zeta`, is found without a search for the zero of slopes. */
FN int mode_known(double alpha, double beta, int from_zeta, double *mode)
{
    *mode = 0.0;
    if (alpha == 2.0 || beta == 0.0) return 1;
    if (mode_is_slight(alpha, beta)) {
        *mode = slight_mode(alpha, beta, from_zeta);
        return 1;
    }
    if (alpha != 0.5 || fabs(beta) != 1.0) return 0;
    *mode = beta * (from_zeta ? 1.0 / 3.0 : 1.0 / 3.0 - 1.0);
    return 1;
}

FN void mode_start(struct mode_search *m, double alpha)
{
    m->by_distance = alpha < MODE_BY_DISTANCE;
    m->stage = m->by_distance ? MODE_DESCENT : MODE_LOW;
    m->lo = -3.0;
    m->hi = 3.0;
    m->v = m->by_distance ? 2.0 : m->lo;
    m->at_lo = m->at_hi = 0.0;
    m->steps = 0;
}

/* TRUE if the slope at *x is needed. */
FN int mode_needs_slope(const struct mode_search *m, struct argument *x)
{
    x->hi = m->by_distance ? exp(m->v) : m->v;
    x->lo = 0.0;
    x->shifted = m->by_distance;
    return m->stage != MODE_FOUND;
}

/* Ends the search at v. */
FN void mode_finish(struct mode_search *m, double v)
{
    m->v = v;
    m->stage = MODE_FOUND;
}

/* Takes a step of regula falsi with the Illinois modification (Dowell & Jarratt 1971, doi:10.1007/BF01934364), every
 * eighth time a bisection; ends the search if the bracket is narrow. */
FN void mode_step(struct mode_search *m)
{
    double lo = m->lo, hi = m->hi;
    m->stage = MODE_BETWEEN;
    m->v = m->steps % 8 == 7 ? 0.5 * (lo + hi) : (lo * m->at_hi - hi * m->at_lo) / (m->at_hi - m->at_lo);
    if (!(m->v > lo && m->v < hi)) m->v = 0.5 * (lo + hi);
    if (m->steps++ >= MODE_STEPS || !(hi - lo > 1e-15 * (fabs(lo) + fabs(hi)))) mode_finish(m, 0.5 * (lo + hi));
}

/* Continues the descent to a coordinate at which the density rises, from which the bracket extends upwards. */
FN void mode_descend(struct mode_search *m, double slope)
{
    if (slope <= 1e-13) {
        m->v -= 1.0;
        if (m->v <= LOG_DISTANCE_MIN) mode_finish(m, -INFINITY);
        return;
    }
    m->lo = m->v;
    m->at_lo = slope;
    m->v = m->hi = m->lo + 1.5;
    m->stage = MODE_HIGH;
}

/* Replaces an end of the bracket by v. */
FN void mode_narrow_bracket(struct mode_search *m, double slope)
{
    if (slope > 0.0) {
        m->lo = m->v;
        m->at_lo = slope;
        m->at_hi *= 0.5;
    } else {
        m->hi = m->v;
        m->at_hi = slope;
        m->at_lo *= 0.5;
    }
    if (slope == 0.0) mode_finish(m, m->v);
    else if (m->v == m->lo && m->hi - m->lo <= 2e-16 * fabs(m->v)) mode_finish(m, 0.5 * (m->lo + m->hi));
    else mode_step(m);
}

/* Continues the search with d log f / d x at the requested point. */
FN void mode_update(struct mode_search *m, double slope)
{
    double rise = slope * (m->by_distance ? exp(m->v) : 1.0);
    if (m->stage == MODE_DESCENT) mode_descend(m, rise);
    else if (m->stage == MODE_LOW) {
        m->at_lo = rise;
        m->v = m->hi;
        m->stage = MODE_HIGH;
    } else if (m->stage == MODE_HIGH) {
        m->at_hi = rise;
        mode_step(m);
    } else mode_narrow_bracket(m, rise);
}

/* Returns the mode of (alpha, beta), or its distance from zeta if `from_zeta` and alpha < MODE_BY_DISTANCE.  law: the
 * standard distribution that was searched. */
FN double mode_result(const struct mode_search *m, const struct standard *law, double beta, int from_zeta)
{
    double mode = m->by_distance ? exp(m->v) : m->v, size = fabs(beta);
    if (m->by_distance && !from_zeta) mode += law->law.zeta.hi;
    if (size < SMALL_BETA) mode *= size / SMALL_BETA;
    return beta > 0.0 ? mode : -mode;
}

/* Returns the mode of the standard distribution, or its distance from zeta as above, without stored data. */
NOINLINE double mode_streamed(double alpha, double beta, int from_zeta)
{
    struct mode_search m;
    struct standard law;
    struct argument x;
    double mode;
    if (mode_known(alpha, beta, from_zeta, &mode)) return mode;
    standard_set(&law, alpha, mode_beta(beta));
    mode_start(&m, alpha);
    while (mode_needs_slope(&m, &x)) mode_update(&m, slope_streamed(&law, x));
    return mode_result(&m, &law, beta, from_zeta);
}

#endif
