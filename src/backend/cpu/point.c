/* backend/cpu/point.c: the borders of the user's law, then the standard law.
 *
 * The borders follow dnorm, pnorm and qnorm: NA and NaN are passed on, bad
 * parameters give NaN, gamma = 0 is a point mass at delta.
 *
 * Parametrisations.  With X0 the standard S0 law and zeta = -beta tan(pi alpha/2):
 *     S0: gamma X0 + delta
 *     S1: gamma (X0 - zeta) + delta                         (alpha != 1)
 *         gamma (X0 + beta (2/pi) log gamma) + delta        (alpha = 1)
 *     S2: gamma alpha^(-1/alpha) (X0 - mode) + delta
 */
#include "point.h"
#include "../../core/standardise.h"

#define TWO_OVER_PI 0.63661977236758134308

static int inside_domain(const struct user_law *l)
{
    return l->alpha > 0 && l->alpha <= 2 && fabs(l->beta) <= 1 && l->gamma >= 0;
}

/* NaN if a parameter is, with the payload that makes NA of it. */
static double missing(const struct user_law *l)
{
    return l->alpha + l->beta + l->gamma + l->delta;
}

static int law_is_missing(const struct user_law *l)
{
    return isnan(l->alpha) || isnan(l->beta) || isnan(l->gamma) || isnan(l->delta);
}

static double current_mode(struct worker *w, const struct user_law *l)
{
    if (w->mode_alpha != l->alpha || w->mode_beta != l->beta) {
        w->mode = shape_mode(w->shape);
        w->mode_alpha = l->alpha;
        w->mode_beta = l->beta;
    }
    return w->mode;
}

/* How a parametrisation differs from "delta + gamma times position". */
struct frame {
    double gamma;               /* scale of the S0 or S1 law */
    double log_gamma;
    double shift;               /* position = (x - delta)/gamma + shift */
    int    shifted;             /* positions count from zeta */
};

static struct frame frame_of(struct worker *w, const struct user_law *l)
{
    struct frame f = { l->gamma, log(l->gamma), 0, 0 };

    if (l->pm == 1 && l->alpha != 1)
        f.shifted = 1;
    else if (l->pm == 1 && l->beta != 0)
        f.shift = -l->beta * TWO_OVER_PI * f.log_gamma;
    else if (l->pm == 2) {
        f.gamma *= pow(l->alpha, -1 / l->alpha);
        f.log_gamma -= log(l->alpha) / l->alpha;
        f.shift = current_mode(w, l);
    }
    return f;
}

static void fill(struct point_values *y, double pdf, double cdf, double sf, int give_log)
{
    y->pdf = give_log ? log(pdf) : pdf;
    y->cdf = give_log ? log(cdf) : cdf;
    y->sf = give_log ? log(sf) : sf;
    y->error = 0;
}

static int fill_nan(struct point_values *y, double nan_value)
{
    y->pdf = y->cdf = y->sf = y->error = nan_value;
    return 1;
}

/* a exp(s) / gamma without an underflow on the way. */
static double scaled(double a, double s, double gamma)
{
    a /= gamma;
    if (s == 0) return a;
    if (s > -700) return a * exp(s);
    return a * exp(0.5 * s) * exp(0.5 * s);
}

/* Beyond the range of double positions the tail is a power law to working
 * precision unless alpha is small; `beyond` is the logarithm of the missing
 * factor of the position. */
static void extend_tail(struct stable_value *v, double alpha, double beyond)
{
    v->error += exp(-alpha * 0.693 * POSITION_MAX_EXPONENT);
    v->pdf_scale -= alpha * beyond;
    v->tail_scale -= alpha * beyond;
}

static void values_at(struct worker *w, const struct user_law *l, struct abscissa z, double beyond,
                      const struct frame *f, int what, int give_log, struct point_values *y)
{
    struct stable_value v;

    shape_eval(w->shape, z, &v);
    if (beyond > 0) extend_tail(&v, l->alpha, beyond);
    if (what & WANT_PDF) {
        if (give_log)
            y->pdf = value_pdf(&v, 1) - f->log_gamma - beyond;
        else
            y->pdf = scaled(v.pdf, v.pdf_scale - beyond, f->gamma);
    }
    if (what & WANT_CDF) y->cdf = value_cdf(&v, 1, give_log);
    if (what & WANT_SF)  y->sf = value_cdf(&v, 0, give_log);
    y->error = v.error;
}

/* An infinite scale: no density anywhere, and every x is at position 0. */
static void flat_law(struct worker *w, const struct user_law *l, const struct frame *f, int what,
                     int give_log, struct point_values *y)
{
    struct abscissa z = { 0, 0, f->shifted };

    if (isinf(f->shift)) {
        fill(y, 0, f->shift > 0, f->shift < 0, give_log);
        return;
    }
    values_at(w, l, position_shift(z, f->shift), 0, f, what & ~WANT_PDF, give_log, y);
    y->pdf = give_log ? -INFINITY : 0;
}

int point_eval(struct worker *w, const struct user_law *l, double x, int what, int give_log,
               struct point_values *y)
{
    if (isnan(x) || law_is_missing(l)) {
        fill_nan(y, x + missing(l));
        return 0;
    }
    if (!inside_domain(l)) return fill_nan(y, NAN);
    if (isinf(x) && x == l->delta) {            /* x - delta is undefined */
        fill_nan(y, NAN);
        if (!isinf(l->gamma)) return 1;
        y->pdf = give_log ? -INFINITY : 0;
        return (what & ~WANT_PDF) != 0;
    }
    if (l->gamma == 0 || isinf(x) || isinf(l->delta)) {
        fill(y, l->gamma == 0 && x == l->delta ? INFINITY : 0, !(x < l->delta), x < l->delta,
             give_log);
        return 0;
    }
    shape_set(w->shape, l->alpha, l->beta);
    struct frame f = frame_of(w, l);
    double beyond;
    if (isinf(f.gamma)) {
        flat_law(w, l, &f, what, give_log, y);
        return 0;
    }
    struct abscissa z = position_of(x, l->delta, f.gamma, &beyond);
    z.shifted = f.shifted;
    if (f.shift != 0) z = position_shift(z, f.shift);
    values_at(w, l, z, beyond, &f, what, give_log, y);
    return 0;
}

/* An end of the support as a position: zeta for the bounded end of a one-sided
 * law, infinite otherwise. */
static struct abscissa support_end(struct worker *w, const struct user_law *l, int lower,
                                   int shifted)
{
    struct abscissa end = { lower ? -INFINITY : INFINITY, 0, shifted };

    if (l->alpha >= 1 || l->beta != (lower ? 1 : -1)) return end;
    end.hi = 0;
    if (!shifted) end = shape_zeta(w->shape);
    end.shifted = shifted;
    return end;
}

static double back(struct abscissa z, const struct user_law *l, const struct frame *f)
{
    if (isinf(z.hi)) return z.hi;
    if (f->shift != 0) z = position_shift(z, -f->shift);
    return position_back(z, l->delta, f->gamma);
}

int point_quantile(struct worker *w, const struct user_law *l, double p, int lower, int log_p,
                   double *q)
{
    *q = p + missing(l);
    if (isnan(p) || law_is_missing(l)) return 0;
    *q = NAN;
    if (!inside_domain(l) || p > (log_p ? 0 : 1) || (!log_p && p < 0)) return 1;

    int at_zero = p == (log_p ? -INFINITY : 0), at_one = p == (log_p ? 0 : 1);
    shape_set(w->shape, l->alpha, l->beta);
    if (at_zero || at_one) {
        int shifted = l->pm == 1;
        struct abscissa end = support_end(w, l, at_zero == lower, shifted);
        if (isinf(end.hi)) {
            *q = end.hi;
            return 0;
        }
    }
    if (l->gamma == 0 || isinf(l->delta)) {
        *q = l->delta;
        return 0;
    }
    struct frame f = frame_of(w, l);
    struct abscissa z = at_zero || at_one
        ? support_end(w, l, at_zero == lower, f.shifted)
        : shape_quantile(w->shape, p, lower, log_p, f.shifted);
    if (isinf(f.gamma)) {
        *q = (z.hi - f.shift) * f.gamma;
        return isnan(*q);
    }
    *q = back(z, l, &f);
    return isnan(*q);
}

static int repeat(double value, size_t count, double *y)
{
    for (size_t k = 0; k < count; k++) y[k] = value;
    return isnan(value);
}

int point_random(struct worker *w, const struct user_law *l, struct philox_key key, uint64 first,
                 size_t count, double *y)
{
    if (law_is_missing(l) || !inside_domain(l) || isinf(l->gamma)) return repeat(NAN, count, y);
    if (l->gamma == 0 || isinf(l->delta)) return repeat(l->delta, count, y);
    if (l->pm == 2) shape_set(w->shape, l->alpha, l->beta);
    struct frame f = frame_of(w, l);
    double centre = l->delta - f.gamma * f.shift;
    if (w->draw.alpha != l->alpha || w->draw.beta != l->beta)
        w->draw = draw_law_of(l->alpha, l->beta);
    for (size_t k = 0; k < count; k++)
        y[k] = draw_at(&w->draw, f.gamma, centre, f.shifted, key, first + k);
    return 0;
}

int point_mode(struct worker *w, const struct user_law *l, double *mode)
{
    *mode = missing(l);
    if (law_is_missing(l)) return 0;
    *mode = NAN;
    if (!inside_domain(l) || isinf(l->gamma)) return 1;
    *mode = l->delta;
    if (l->gamma == 0 || isinf(l->delta) || l->pm == 2) return 0;
    shape_set(w->shape, l->alpha, l->beta);
    struct frame f = frame_of(w, l);
    struct abscissa z = { current_mode(w, l), 0, 0 };
    if (f.shifted) {
        struct abscissa zeta = shape_zeta(w->shape);
        z = position_shift(position_shift(z, -zeta.hi), -zeta.lo);
    }
    *mode = back(z, l, &f);
    return 0;
}
