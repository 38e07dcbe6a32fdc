/* Applies the functions of stable/user_law.h before and after the evaluation of the standard distribution. */
#include "element.h"
#include "random.h"
#include "../base/memory.h"
#include "../stable/streamed_sum.h"

void worker_clear(struct worker *w)
{
    shape_free(w->shape);
    scorer_free(w->scorer);
    approximation_free(&w->approximation);
    memory_release(w->batch);
    memory_release(w->block);
}

static double current_mode(struct worker *w, const struct user_law *l)
{
    if (w->mode_alpha != l->alpha || w->mode_beta != l->beta) {
        shape_set(w->shape, l->alpha, l->beta);
        w->mode = shape_mode_place(w->shape);
        w->mode_alpha = l->alpha;
        w->mode_beta = l->beta;
    }
    return w->mode;
}

static double mode_if_needed(struct worker *w, const struct user_law *l)
{
    return user_needs_mode(l) ? current_mode(w, l) : 0;
}

int point_eval(struct worker *w, const struct user_law *l, double x, int what, int give_log, int alone,
               struct point_values *y)
{
    struct place at;
    struct stable_value v;
    int nans;

    if (user_place(l, mode_if_needed(w, l), x, what, give_log, &at, y, &nans)) return nans;
    shape_set(w->shape, l->alpha, l->beta);
    if (alone) value_single(shape_law(w->shape), at.z, what == WANT_PDF, &v);
    else shape_eval(w->shape, at.z, &v);
    user_values(l, &at, &v, what, give_log, y);
    return 0;
}

int point_quantile(struct worker *w, const struct user_law *l, double p, int lower, int log_p,
                   double *q)
{
    int nans;

    if (user_refuses(l, p, log_p, q, &nans)) return nans;
    struct frame f = user_frame(l, mode_if_needed(w, l));
    shape_set(w->shape, l->alpha, l->beta);
    if (user_quantile_at_border(l, &f, standard_zeta(shape_law(w->shape)), p, lower, log_p, q, &nans))
        return nans;
    return user_quantile(l, &f, shape_quantile(w->shape, p, lower, log_p, f.shifted), q);
}

static int repeat(double value, size_t count, double *y)
{
    for (size_t k = 0; k < count; k++) y[k] = value;
    return isnan(value);
}

int point_random(struct worker *w, const struct user_law *l, struct philox_key key, uint64 first,
                 size_t count, double *y)
{
    double constant;

    if (user_is_constant(l, &constant)) return repeat(constant, count, y);
    struct frame f = user_frame(l, mode_if_needed(w, l));
    if (w->draw.alpha != l->alpha || w->draw.beta != l->beta)
        w->draw = draw_law_of(l->alpha, l->beta);
    struct draw_place place = user_draw_place(&w->draw, l, &f);
    sample(&w->draw, &place, key, first, count, y);
    return 0;
}

static const struct mode_slopes *current_slopes(struct worker *w, const struct user_law *l)
{
    if (w->slopes_alpha != l->alpha || w->slopes_beta != l->beta) {
        scorer_mode(w->scorer, &w->slopes);
        w->slopes_alpha = l->alpha;
        w->slopes_beta = l->beta;
    }
    return &w->slopes;
}

/* Computes the scores where the density is finite and positive and the standardised argument is representable. */
static void scores_at(struct worker *w, const struct user_law *l, double x, int is_approximate, double *y)
{
    struct place at;
    struct point_values unused;
    struct mode_slopes none = { { 0, 0 }, { 0, 0 } };
    struct scores s;
    int nans;

    if (user_place(l, mode_if_needed(w, l), x, WANT_PDF, 1, &at, &unused, &nans) || at.flat || at.beyond > 0 ||
        user_is_vast(&at.frame))
        return;
    scorer_set(w->scorer, l->alpha, l->beta);
    (is_approximate ? scorer_approximate : scorer_eval)(w->scorer, at.z, score_at_fixed_x(l), &s);
    score_chain(l, &at, x, &s, l->pm == 2 ? current_slopes(w, l) : &none, y);
}

int point_score(struct worker *w, const struct user_law *l, double x, int is_approximate, double *score, size_t stride)
{
    double y[SCORE_COLUMNS], missing = x + user_missing(l);
    int is_missing = isnan(x) || user_is_missing(l), nans = 0;

    for (int k = 0; k < SCORE_COLUMNS; k++) y[k] = is_missing ? missing : NAN;
    if (!is_missing) scores_at(w, l, x, is_approximate, y);
    for (int k = 0; k < SCORE_COLUMNS; k++) {
        score[(size_t)k * stride] = y[k];
        nans |= !is_missing && isnan(y[k]);
    }
    return nans;
}

int point_mode(struct worker *w, const struct user_law *l, double *mode)
{
    *mode = user_missing(l);
    if (user_is_missing(l)) return 0;
    *mode = NAN;
    if (!user_is_inside(l) || isinf(l->gamma)) return 1;
    *mode = l->delta;
    if (l->gamma == 0 || isinf(l->delta) || l->pm == 2) return 0;
    struct frame f = user_frame(l, 0);
    struct abscissa z = { current_mode(w, l), 0, l->alpha < MODE_BY_DISTANCE };
    if (f.shifted != z.shifted) {
        shape_set(w->shape, l->alpha, l->beta);
        struct abscissa zeta = standard_zeta(shape_law(w->shape));
        double sign = f.shifted ? -1.0 : 1.0;
        z = argument_shift(argument_shift(z, sign * zeta.hi), sign * zeta.lo);
    }
    return user_quantile(l, &f, z, mode);
}
