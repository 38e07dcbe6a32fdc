/* Conversion between the user's distribution and the standard distribution of its shape.
 *
 * Boundary cases follow dnorm, pnorm and qnorm: NA and NaN are passed on, invalid parameters give NaN, gamma = 0 is a
 * point mass at delta.
 *
 * Parametrisations.  With X0 the standard S0 variable and zeta = -beta tan(pi alpha/2):
 *     S0: gamma X0 + delta
 *     S1: gamma (X0 - zeta) + delta                         (alpha != 1)
 *         gamma (X0 + beta (2/pi) log gamma) + delta        (alpha = 1)
 *     S2: gamma alpha^(-1/alpha) (X0 - mode) + delta
 *
 * For alpha < MODE_BY_DISTANCE the mode is given as its distance from zeta, and the arguments of S2 are distances from
 * zeta, too.  The scale of S2 overflows for alpha below about 0.0075; its logarithm does not.
 *
 * Each task has two parts, between which the caller evaluates the standard distribution.  The first part returns 1 if
 * it already gives the result.
 */
#ifndef STABLECL_STABLE_USER_LAW_H
#define STABLECL_STABLE_USER_LAW_H

#include "standardised_argument.h"
#include "value.h"

#define MODE_BY_DISTANCE 0.95
#define TWO_OVER_PI 0.63661977236758134308
#define LOG_TWO 0.69314718055994530942

/* The parameters of one element; pm is 0, 1 or 2. */
struct user_law {
    double alpha, beta, gamma, delta;
    int pm;
};

struct point_values { double pdf, cdf, sf, error; };

/* Bits of `what`; the error estimate is always computed. */
enum { WANT_PDF = 1, WANT_CDF = 2, WANT_SF = 4, WANT_ERROR = 8 };

/* TRUE if the parameters are valid. */
FN int user_is_valid(const struct user_law *l)
{
    return l->alpha > 0 && l->alpha <= 2 && fabs(l->beta) <= 1 && l->gamma >= 0;
}

/* TRUE if the parameters are valid, finite, and do not give a point mass. */
FN int user_is_proper(const struct user_law *l)
{
    return user_is_valid(l) && l->gamma > 0 && !isinf(l->gamma) && isfinite(l->delta);
}

/* Returns NaN if a parameter is NaN; the payload that marks NA is preserved. */
FN double user_missing(const struct user_law *l)
{
    return l->alpha + l->beta + l->gamma + l->delta;
}

/* TRUE if a parameter is NaN. */
FN int user_is_missing(const struct user_law *l)
{
    return isnan(l->alpha) || isnan(l->beta) || isnan(l->gamma) || isnan(l->delta);
}

/* TRUE if the caller must supply the mode of X0; otherwise it is not used. */
FN int user_needs_mode(const struct user_law *l)
{
    return l->pm == 2 && user_is_valid(l);
}

/* How a parametrisation maps x to the argument of the standard distribution. */
struct frame {
    double gamma;                       /* scale of the S0 or S1 law */
    double log_gamma;
    double shift;                       /* argument = (x - delta)/gamma + shift */
    int    shifted;                     /* arguments are distances from zeta */
};

/* Returns the frame of valid parameters.  mode: the mode of X0; for alpha < MODE_BY_DISTANCE, its
 * distance from zeta. */
FN struct frame user_frame(const struct user_law *l, double mode)
{
    struct frame f = { l->gamma, log(l->gamma), 0, 0 };

    if (l->pm == 1 && l->alpha != 1)
        f.shifted = 1;
    else if (l->pm == 1 && l->beta != 0)
        f.shift = -l->beta * TWO_OVER_PI * f.log_gamma;
    else if (l->pm == 2) {
        f.gamma *= pow(l->alpha, -1 / l->alpha);
        f.log_gamma -= log(l->alpha) / l->alpha;
        f.shifted = l->alpha < MODE_BY_DISTANCE;
        f.shift = mode;
    }
    return f;
}

/* TRUE if the scale overflows, but is not infinite. */
FN int user_scale_overflows(const struct frame *f)
{
    return isinf(f->gamma) && !isinf(f->log_gamma);
}

/* --- values ------------------------------------------------------------- */

/* The argument of the standard distribution, and how its value is converted. */
struct user_argument {
    struct argument z;
    struct frame frame;
    double log_excess;                  /* z is smaller than the true argument by the factor exp(log_excess) */
    int flat;                           /* infinite scale: the density is 0 everywhere */
};

/* Sets the values, or their logarithms; returns 1. */
FN int user_set_values(struct point_values *y, double pdf, double cdf, double sf, int give_log)
{
    y->pdf = give_log ? log(pdf) : pdf;
    y->cdf = give_log ? log(cdf) : cdf;
    y->sf = give_log ? log(sf) : sf;
    y->error = 0;
    return 1;
}

FN int user_set_nan(struct point_values *y, double nan_value)
{
    y->pdf = y->cdf = y->sf = y->error = nan_value;
    return 1;
}

/* Sets the values at x = delta = +-Inf, where x - delta is undefined. */
FN int user_at_infinite_delta(const struct user_law *l, int what, int give_log, struct point_values *y, int *nans)
{
    user_set_nan(y, NAN);
    if (isinf(l->gamma)) y->pdf = give_log ? -INFINITY : 0;
    *nans = !isinf(l->gamma) || (what & (WANT_CDF | WANT_SF)) != 0;
    return 1;
}

/* Sets the argument for an infinite scale: it is the shift for every x. */
FN int user_argument_flat(struct user_argument *at, int give_log, struct point_values *y)
{
    struct argument z = { 0, 0, at->frame.shifted };
    at->flat = 1;
    at->log_excess = 0;
    if (isinf(at->frame.shift))
        return user_set_values(y, 0, at->frame.shift > 0, at->frame.shift < 0, give_log);
    at->z = argument_shift(z, at->frame.shift);
    return 0;
}

/* Sets the argument if the scale overflows, by logarithms.  The difference is halved, so that it does not overflow;
 * LOG_TWO restores the factor. */
FN void user_argument_by_logs(const struct user_law *l, double x, struct user_argument *at)
{
    double reach = 0.5 * x - 0.5 * l->delta;
    struct argument z = { 0, 0, at->frame.shifted };
    if (reach != 0) z.hi = copysign(exp(log(fabs(reach)) + LOG_TWO - at->frame.log_gamma), reach);
    at->z = argument_shift(z, at->frame.shift);
    at->flat = 0;
    at->log_excess = 0;
}

/* Returns 1 if y holds the result; otherwise, the standard distribution must be evaluated at `at`.
 * *nans: y contains NaNs although no argument is NaN. */
FN int user_argument(const struct user_law *l, double mode, double x, int what, int give_log,
                     struct user_argument *at, struct point_values *y, int *nans)
{
    *nans = 0;
    if (isnan(x) || user_is_missing(l)) return user_set_nan(y, x + user_missing(l));
    if (!user_is_valid(l)) {
        *nans = 1;
        return user_set_nan(y, NAN);
    }
    if (isinf(x) && x == l->delta) return user_at_infinite_delta(l, what, give_log, y, nans);
    if (l->gamma == 0 || isinf(x) || isinf(l->delta))
        return user_set_values(y, l->gamma == 0 && x == l->delta ? INFINITY : 0, !(x < l->delta), x < l->delta,
                               give_log);
    at->frame = user_frame(l, mode);
    if (user_scale_overflows(&at->frame)) {
        user_argument_by_logs(l, x, at);
        return 0;
    }
    if (isinf(at->frame.gamma)) return user_argument_flat(at, give_log, y);
    at->flat = 0;
    at->z = argument_for(x, l->delta, at->frame.gamma, &at->log_excess);
    at->z.shifted = at->frame.shifted;
    if (at->frame.shift != 0) at->z = argument_shift(at->z, at->frame.shift);
    return 0;
}

/* Returns a exp(s) / gamma, a >= 0, also where a exp(s) vanishes or a / gamma overflows. */
NOINLINE double user_scaled(double a, double s, double gamma)
{
    if (s == 0) return a / gamma;
    double root = exp(0.5 * s), y = a / gamma * exp(s);
    return s > -700 && y < INFINITY ? y : a * root / gamma * root;
}

/* For arguments that exceed the range, extrapolates the tail by its power law, which holds to working precision unless
 * alpha is small.  `log_excess` is the logarithm of the factor missing from the argument. */
FN void user_extend_tail(struct stable_value *v, double alpha, double log_excess)
{
    v->error += exp(-alpha * 0.693 * ARGUMENT_MAX_EXPONENT);
    v->pdf_scale -= alpha * log_excess;
    v->tail_scale -= alpha * log_excess;
}

/* Converts the value v of the standard distribution to values of the user's distribution. */
FN void user_values(const struct user_law *l, const struct user_argument *at, struct stable_value *v, int what,
                    int give_log, struct point_values *y)
{
    if (at->log_excess > 0) user_extend_tail(v, l->alpha, at->log_excess);
    if (what & WANT_PDF) {
        if (at->flat)
            y->pdf = give_log ? -INFINITY : 0;
        else if (give_log)
            y->pdf = value_pdf(v, 1) - at->frame.log_gamma - at->log_excess;
        else if (user_scale_overflows(&at->frame))
            y->pdf = user_scaled(v->pdf, v->pdf_scale - at->frame.log_gamma, 1.0);
        else
            y->pdf = user_scaled(v->pdf, v->pdf_scale - at->log_excess, at->frame.gamma);
    }
    if (what & WANT_CDF) y->cdf = value_cdf(v, 1, give_log);
    if (what & WANT_SF)  y->sf = value_cdf(v, 0, give_log);
    y->error = v->error;
}

/* --- quantiles ---------------------------------------------------------- */

/* Returns an end of the support as an argument: zeta for the bounded end of a one-sided distribution, otherwise
 * infinite. */
FN struct argument user_support_end(const struct user_law *l, struct argument zeta, int lower, int shifted)
{
    struct argument end = { lower ? -INFINITY : INFINITY, 0, shifted };

    if (l->alpha >= 1 || l->beta != (lower ? 1 : -1)) return end;
    end.hi = shifted ? 0 : zeta.hi;
    end.lo = shifted ? 0 : zeta.lo;
    return end;
}

/* Converts a quantile of the standard distribution to the user's distribution.  Returns 1 if it is NaN. */
FN int user_quantile(const struct user_law *l, const struct frame *f, struct argument z, double *q)
{
    if (user_scale_overflows(f)) {
        if (!isinf(z.hi)) z = argument_shift(z, -f->shift);
        *q = z.hi == 0 || isinf(z.hi) ? l->delta + z.hi
           : l->delta + copysign(exp(f->log_gamma + log(fabs(z.hi))), z.hi);
    } else if (isinf(f->gamma)) *q = (z.hi - f->shift) * f->gamma;
    else if (isinf(z.hi)) *q = z.hi;
    else {
        if (f->shift != 0) z = argument_shift(z, -f->shift);
        *q = argument_to_x(z, l->delta, f->gamma);
    }
    return isnan(*q);
}

/* Returns 1 if the parameters or p do not allow a quantile; *q is then the result.
 * *nans: *q is NaN although no argument is NaN. */
FN int user_quantile_is_invalid(const struct user_law *l, double p, int log_p, double *q, int *nans)
{
    *nans = 0;
    *q = p + user_missing(l);
    if (isnan(p) || user_is_missing(l)) return 1;
    *q = NAN;
    *nans = !user_is_valid(l) || p > (log_p ? 0 : 1) || (!log_p && p < 0);
    return *nans;
}

/* Quantiles at the ends of the support and of degenerate distributions.  Returns 1 if *q holds the result.  zeta: as
 * returned by standard_zeta(). */
FN int user_quantile_at_boundary(const struct user_law *l, const struct frame *f, struct argument zeta, double p,
                                 int lower, int log_p, double *q, int *nans)
{
    int at_zero = p == (log_p ? -INFINITY : 0), at_one = p == (log_p ? 0 : 1);
    struct argument end = user_support_end(l, zeta, at_zero == lower, f->shifted);

    if ((at_zero || at_one) && isinf(end.hi)) {
        *q = end.hi;
        return 1;
    }
    if (l->gamma == 0 || isinf(l->delta)) {
        *q = l->delta;
        return 1;
    }
    if (at_zero || at_one) *nans = user_quantile(l, f, end, q);
    return at_zero || at_one;
}

/* --- modes -------------------------------------------------------------- */

/* Returns 1 if *mode holds the result: of invalid or degenerate parameters, and in S2, whose location is the mode.
 * *nans: *mode is NaN although no argument is NaN. */
FN int user_mode_is_known(const struct user_law *l, double *mode, int *nans)
{
    int is_missing = user_is_missing(l);
    *nans = !is_missing && (!user_is_valid(l) || isinf(l->gamma));
    *mode = is_missing ? user_missing(l) : *nans ? NAN : l->delta;
    return is_missing || *nans || l->gamma == 0 || isinf(l->delta) || l->pm == 2;
}

/* Converts the mode of the standard distribution, given as in user_frame().  Returns 1 if it is NaN. */
FN int user_mode(const struct user_law *l, double standard_mode, struct argument zeta, double *mode)
{
    struct frame f = user_frame(l, 0);
    struct argument z = { standard_mode, 0, l->alpha < MODE_BY_DISTANCE };
    if (f.shifted != z.shifted) {
        double sign = f.shifted ? -1.0 : 1.0;
        z = argument_shift(argument_shift(z, sign * zeta.hi), sign * zeta.lo);
    }
    return user_quantile(l, &f, z, mode);
}

/* --- random numbers ----------------------------------------------------- */

/* TRUE if all variates equal *y; NaN for invalid parameters. */
FN int user_is_constant(const struct user_law *l, double *y)
{
    *y = NAN;
    if (user_is_missing(l) || !user_is_valid(l) || isinf(l->gamma)) return 1;
    *y = l->delta;
    return l->gamma == 0 || isinf(l->delta);
}

#endif
