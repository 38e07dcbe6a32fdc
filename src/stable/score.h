/* The derivatives of log f of the standard distribution, and the scores of the user's distribution.
 *
 * With l(z; alpha, beta) the standard log density, u = (x - delta)/s and
 *
 *     log f(x) = l(u + shift) - log s,
 *
 *     S0:  s = gamma                     shift = 0
 *     S1:  s = gamma                     shift = zeta(alpha, beta)          (alpha != 1)
 *                                        shift = -beta (2/pi) log gamma     (alpha = 1)
 *     S2:  s = gamma alpha^(-1/alpha)    shift = mode(alpha, beta)
 *
 * the chain rule gives
 *
 *     d/dx = l_z/s = -d/d delta,         gamma d/d gamma = -1 - u l_z + gamma shift_gamma l_z,
 *     d/d alpha = l_alpha + shift_alpha l_z - (1 + u l_z) d log s/d alpha,      d/d beta = l_beta + shift_beta l_z.
 *
 * In S1, the first two terms of d/d alpha and d/d beta are the derivative at a fixed distance from zeta, which is
 * computed as such.  S1 is discontinuous at alpha = 1 unless beta = 0; there the derivative in alpha does not exist.
 *
 * Error: each term contributes the error of its derivative.  A score whose error may exceed
 * SCORE_ERROR max(1, |score|), in units of gamma, is NaN.
 */
#ifndef STABLECL_STABLE_SCORE_H
#define STABLECL_STABLE_SCORE_H

#include "slope.h"
#include "user_law.h"

#define SCORE_ERROR 1e-9

/* Derivatives of log f of the standard distribution. */
struct scores { struct slope alpha, beta, z; };

/* Derivatives of the mode. */
struct mode_slopes { struct slope alpha, beta; };

/* The columns of the result, in their order. */
enum { SCORE_ALPHA, SCORE_BETA, SCORE_GAMMA, SCORE_DELTA, SCORE_X, SCORE_COLUMNS };

/* Returns the value, or NaN if it is not accurate enough. */
FN double slope_if_accurate(struct slope s)
{
    double size = fabs(s.value);
    return s.error <= SCORE_ERROR * (size > 1.0 ? size : 1.0) ? s.value : NAN;
}

/* TRUE if the derivatives in alpha and beta are needed at fixed x of the standard distribution. */
FN int score_at_fixed_x(const struct user_law *l)
{
    return l->pm != 1 || l->alpha == 1.0;
}

/* Returns u = (x - delta)/s as a double, which is at->z if the shift is 0. */
FN double score_u(const struct user_law *l, const struct user_argument *at, double x)
{
    return at->frame.shift == 0.0 ? at->z.hi : (x - l->delta) / at->frame.gamma;
}

/* Sets y, which has SCORE_COLUMNS elements, to NaN or NA, and returns 1, if there are no scores at x: where the density
 * is not finite and positive, or the standardised argument is not representable.  mode: as in user_frame(). */
FN int score_is_missing(const struct user_law *l, double mode, double x, struct user_argument *at, double *y)
{
    struct point_values unused;
    double missing = x + user_missing(l);
    int is_missing = isnan(x) || user_is_missing(l), nans;
    for (int k = 0; k < SCORE_COLUMNS; k++) y[k] = is_missing ? missing : NAN;
    return is_missing || user_argument(l, mode, x, WANT_PDF, 1, at, &unused, &nans) || at->flat || at->log_excess > 0 ||
           user_scale_overflows(&at->frame);
}

/* TRUE if a score is NaN although no argument is NaN. */
FN int score_has_nans(const struct user_law *l, double x, const double *y)
{
    int nans = 0;
    for (int k = 0; k < SCORE_COLUMNS; k++) nans |= isnan(y[k]) != 0;
    return nans && !isnan(x) && !user_is_missing(l);
}

/* Applies the chain rule; y has SCORE_COLUMNS elements.  m is used for S2 only. */
FN void score_chain_rule(const struct user_law *l, const struct user_argument *at, double x, const struct scores *s,
                         const struct mode_slopes *m, double *y)
{
    double u = score_u(l, at, x), dlog_s = 0.0, gamma_shift = 0.0;
    struct slope none = { 0.0, 0.0 }, one = { -1.0, 0.0 }, alpha = s->alpha, beta = s->beta, scale;
    if (l->pm == 1 && l->alpha == 1.0) {
        gamma_shift = -TWO_OVER_PI * l->beta;
        beta = slope_add(beta, -TWO_OVER_PI * at->frame.log_gamma, s->z);
        if (l->beta != 0.0) alpha.error = INFINITY;
    }
    scale = slope_add(one, -u, s->z);                    /* -(1 + u l_z) */
    if (l->pm == 2) {
        dlog_s = (log(l->alpha) - 1.0) / (l->alpha * l->alpha);
        alpha = slope_add_product(slope_add(alpha, dlog_s, scale), m->alpha, s->z);
        beta = slope_add_product(beta, m->beta, s->z);
    }
    y[SCORE_ALPHA] = slope_if_accurate(alpha);
    y[SCORE_BETA] = slope_if_accurate(beta);
    y[SCORE_GAMMA] = slope_if_accurate(slope_add(scale, gamma_shift, s->z)) / l->gamma;
    y[SCORE_X] = slope_if_accurate(slope_add(none, 1.0, s->z)) / at->frame.gamma;
    y[SCORE_DELTA] = -y[SCORE_X];
}

#endif
