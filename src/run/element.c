/* Applies the functions of stable/user_law.h before and after the evaluation of the standard distribution. */
#include <string.h>
#include "element.h"
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
        shape_set(w->shape, l->alpha, l->beta, 1);
        w->mode = shape_frame_mode(w->shape);
        w->mode_alpha = l->alpha;
        w->mode_beta = l->beta;
    }
    return w->mode;
}

double mode_if_needed(struct worker *w, const struct user_law *l)
{
    return user_needs_mode(l) ? current_mode(w, l) : 0;
}

int point_eval(struct worker *w, const struct user_law *l, double x, int what, int give_log, int without_store,
               struct point_values *y)
{
    struct user_argument at;
    struct stable_value v;
    int nans;

    if (user_argument(l, mode_if_needed(w, l), x, what, give_log, &at, y, &nans)) return nans;
    shape_set(w->shape, l->alpha, l->beta, what == WANT_PDF);
    if (without_store) value_streamed(shape_law(w->shape), at.z, what == WANT_PDF, &v);
    else shape_eval(w->shape, at.z, &v);
    user_values(l, &at, &v, what, give_log, y);
    return 0;
}

int point_quantile(struct worker *w, const struct user_law *l, double p, int lower, int log_p, int without_store,
                   double *q)
{
    int nans;

    if (user_quantile_is_invalid(l, p, log_p, q, &nans)) return nans;
    struct frame f = user_frame(l, mode_if_needed(w, l));
    shape_set(w->shape, l->alpha, l->beta, 0);
    if (user_quantile_at_boundary(l, &f, standard_zeta(shape_law(w->shape)), p, lower, log_p, q, &nans))
        return nans;
    return user_quantile(l, &f, shape_quantile(w->shape, p, lower, log_p, without_store, f.shifted), q);
}

/* --- variates of one law in batches ---
 *
 * Applies the formulas of stable/random.h to arrays, so that the compiler vectorises them.  Each element has exactly
 * the bits that draw_at() returns. */

#define BATCH 16
#define FEW   4         /* fewer elements are faster one by one */

struct words { uint32 word[4][BATCH]; };

/* Not WIDE: with AVX2 the products in Philox require moving factors between the halves of a vector, which takes
 * 10.4 ns per number, against 7.6 with vectors of half the length (Zen). */
static void words_set(struct words *w, struct philox_key key, uint64 first)
{
    for (uint32 k = 0; k < BATCH; k++) {
        struct philox_block r = philox_at(key, first + k);
        for (int j = 0; j < 4; j++) w->word[j][k] = r.word[j];
    }
}

LANE struct philox_block words_get(const struct words *w, int k)
{
    struct philox_block r = { { w->word[0][k], w->word[1][k], w->word[2][k], w->word[3][k] } };
    return r;
}

/* Copies the law, because the compiler must otherwise assume that stores to y change it. */
WIDE void batch_near_one(const struct draw_law *law, const struct draw_frame *frame, const struct words *w,
                         double *y)
{
    struct draw_law s = *law;
    struct draw_frame p = *frame;
    for (int k = 0; k < BATCH; k++) y[k] = draw_near_one(&s, &p, words_get(w, k));
}

WIDE void batch_general(const struct draw_law *law, const struct draw_frame *frame, const struct words *w,
                        double *y)
{
    struct draw_law s = *law;
    struct draw_frame p = *frame;
    for (int k = 0; k < BATCH; k++) y[k] = draw_general(&s, &p, words_get(w, k));
}

static void batch(const struct draw_law *law, const struct draw_frame *frame, struct philox_key key,
                  uint64 first, double *y)
{
    struct words w;
    words_set(&w, key, first);
    if (draw_is_near_one(law)) batch_near_one(law, frame, &w, y);
    else batch_general(law, frame, &w, y);
}

/* Computes elements first, ..., first + count - 1 of the stream of a key. */
static void sample(const struct draw_law *law, const struct draw_frame *frame, struct philox_key key, uint64 first,
            size_t count, double *y)
{
    double more[BATCH];

    for (; count >= BATCH; count -= BATCH, first += BATCH, y += BATCH) batch(law, frame, key, first, y);
    if (count >= FEW) {
        batch(law, frame, key, first, more);
        memcpy(y, more, count * sizeof *y);
    } else {
        for (size_t k = 0; k < count; k++) y[k] = draw_at(law, frame, key, first + k);
    }
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
    struct draw_frame frame = user_draw_frame(&w->draw, l, &f);
    sample(&w->draw, &frame, key, first, count, y);
    return 0;
}

/* --- scores and modes --- */

static const struct mode_slopes *current_slopes(struct worker *w, const struct user_law *l)
{
    if (w->slopes_alpha != l->alpha || w->slopes_beta != l->beta) {
        scorer_mode(w->scorer, &w->slopes);
        w->slopes_alpha = l->alpha;
        w->slopes_beta = l->beta;
    }
    return &w->slopes;
}

int score_prepare(struct worker *w)
{
    if (!w->scorer) w->scorer = scorer_new();
    return w->scorer != NULL;
}

int point_score(struct worker *w, const struct user_law *l, double x, int is_approximate, double *y)
{
    struct user_argument at;
    struct mode_slopes none = { { 0, 0 }, { 0, 0 } };
    struct scores s;

    if (!score_is_missing(l, mode_if_needed(w, l), x, &at, y)) {
        scorer_set(w->scorer, l->alpha, l->beta);
        (is_approximate ? scorer_approximate : scorer_eval)(w->scorer, at.z, score_at_fixed_x(l), &s);
        score_chain_rule(l, &at, x, &s, l->pm == 2 ? current_slopes(w, l) : &none, y);
    }
    return score_has_nans(l, x, y);
}

int point_mode(struct worker *w, const struct user_law *l, double *mode)
{
    int nans;

    if (user_mode_is_known(l, mode, &nans)) return nans;
    double standard_mode = current_mode(w, l);
    shape_set(w->shape, l->alpha, l->beta, 1);
    return user_mode(l, standard_mode, standard_zeta(shape_law(w->shape)), mode);
}
