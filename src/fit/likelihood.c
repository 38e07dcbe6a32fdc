/* Maximum likelihood for a canonical sample: starting values and searches for a maximum.
 *
 * The likelihood has no global maximum: as alpha -> 0 with zeta on one observation, it grows without bound
 * (DuMouchel 1973, doi:10.1214/aos/1176342516).  The estimate is the highest maximum with alpha >= alpha_min that is
 * reached from reasonable starting values.
 *
 * If a sample is large, a subsample is fitted first.  This takes little time and leads to a point that is a few
 * standard errors of the whole sample from its maximum.
 */
#include <math.h>
#include <string.h>
#include "fit.h"
#include "maximise.h"
#include "../base/memory.h"

#define SAME_MAXIMUM    0.1             /* standard errors between points that lead to the same maximum, ... */
#define SAME_VALUE      0.05            /* ... and the difference of their log-likelihoods */
#define NEAR_MAXIMUM    2.0             /* predicted increase of the log-likelihood at less than two standard errors */
#define PREDICTED_FACTOR 4.0            /* an increase may be larger than predicted by this factor, ... */
#define MAX_LOST    1.0             /* ... and by this */
#define SAME_MODE       0.3             /* standard errors between modes that lead to the same maximum */
#define MODE_MARGIN     4.0             /* log-likelihood below the best position, beyond which one is not tried */
#define MAX_RANGES      12              /* largest number of coordinate systems used from one starting value */
#define ROUNDING        1e-15           /* of a location in S0, relative to its terms */
#define STEPS_AT_END    3               /* steps at an end of a coordinate system after which it is left */
#define NEARLY_NORMAL   1.99            /* alpha above which beta has hardly any effect, ... */
#define BESIDE_NORMAL   1.98            /* ... and from which searches with large |beta| start then */
#define FROM_BORDER     4.0             /* standard errors from beta to a bound at which no law is more likely */
#define MAX_TRIED       8               /* candidates tried for a sample of up to ROUGH observations, ... */
#define MAX_TRIED_LARGE  4              /* ... and for a larger one, ... */
#define MAX_TRIED_TIED  1               /* ... of which one if tied values have made the likelihood unbounded */
#define LARGEST_BESIDE  0.6             /* alpha above which a starting value is never superfluous */
#define PART            8192            /* least size of the subsample that is fitted first */
#define PROGRESS_STEPS  10              /* steps over which the progress of a search is measured */
#define PARTS           6               /* samples of PART * PARTS observations or more are fitted this way */

/* The state of a fit. */
struct maximisation {
    struct evaluator *e;
    const struct problem *p;
    struct candidates *far;             /* candidates for the sample (starting_values.c) */
    struct scoring best;                /* the best result so far; here.value -Inf: none */
    int steps;                          /* of all searches */
};

/* --- searches ------------------------------------------------------------------ */

/* TRUE if the next step of the search is expected to reach the best point so far, or if the search has ended there.
 * Next to alpha = 2, where standard errors of beta are large, points with small distance may lead to different
 * maxima. */
static int is_known(const struct maximisation *k, struct scoring *s)
{
    double best[PARAMETERS], ahead = s->end == SCORING_RUNNING ? s->predicted : 0.0;
    const struct scoring *b = &k->best;
    if (b->here.value == -INFINITY || s->here.value == -INFINITY || b->c.pm != s->c.pm) return 0;
    if (s->y[ALPHA] > NEARLY_NORMAL) return 0;
    if (!(fabs(b->here.value - (s->here.value + ahead)) < SAME_VALUE)) return 0;
    memcpy(best, b->y, sizeof best);
    best[DELTA] = (b->c.centre + b->c.unit * b->y[DELTA] - s->c.centre) / s->c.unit;
    return scoring_distance(s->information, s->end == SCORING_RUNNING ? s->trial : s->y, best) < SAME_MAXIMUM;
}

/* TRUE if the search has ended where tied values make the likelihood unbounded. */
static int is_unbounded(const struct maximisation *k, const struct scoring *s)
{
    return s->here.value > -INFINITY && s->y[ALPHA] < k->e->sample->tied_alpha;
}

/* TRUE if the search, at the rate of its last PROGRESS_STEPS steps, would end below the best point so far.  *before is
 * its value PROGRESS_STEPS steps ago.  Next to a bound of beta most observations may be beyond the light tail, where
 * each step gains little. */
static int is_hopeless(const struct maximisation *k, const struct scoring *s, double *before)
{
    double gain = s->here.value - *before, left = (double)(s->max_steps - s->steps) / PROGRESS_STEPS;
    if (s->steps % PROGRESS_STEPS || is_unbounded(k, &k->best)) return 0;
    *before = s->here.value;
    return k->best.here.value - s->here.value > gain * left;
}

/* The history of a search: its value PROGRESS_STEPS steps ago, and for how many steps it has been at an end of the
 * coordinates' range of alpha, and where the likelihood is unbounded. */
struct history { double before; int at_end, unbounded; };

/* TRUE if the model of the log-likelihood predicts, for a point near its maximum, that the search would end below the
 * best point so far.  The model is not reliable for a small sample, nor next to the bounds of beta, where the support
 * changes. */
static int is_below(const struct maximisation *k, const struct scoring *s)
{
    const struct scoring *b = &k->best;
    if (k->e->sample->total <= ROUGH || is_unbounded(k, b) || !(s->predicted < NEAR_MAXIMUM)) return 0;
    if (fabs(s->y[BETA]) > NEAR_BORDER || fabs(b->y[BETA]) > NEAR_BORDER) return 0;
    return s->here.value + PREDICTED_FACTOR * s->predicted + MAX_LOST < b->here.value;
}

/* Ends a search that leads to the best point so far, that would end below it, that is too slow to reach it, or that has
 * been for STEPS_AT_END steps where the likelihood is unbounded or, if it may leave, at an end of the coordinates'
 * range of alpha outside the range of the tables, where steps are expensive. */
static void end_early(const struct maximisation *k, int may_leave, struct scoring *s, struct history *r)
{
    r->at_end = coordinates_at_range_end(&s->c, s->y) && !uses_tables(s->y) ? r->at_end + 1 : 0;
    r->unbounded = s->c.moves[ALPHA] && is_unbounded(k, s) ? r->unbounded + 1 : 0;
    if (is_known(k, s)) s->end = SCORING_KNOWN;
    else if (is_hopeless(k, s, &r->before) || is_below(k, s)) s->end = SCORING_NO_PROGRESS;
    else if (s->end != SCORING_RUNNING) return;
    else if (r->unbounded >= STEPS_AT_END) s->end = SCORING_NO_PROGRESS;
    else if (may_leave && r->at_end >= STEPS_AT_END) s->end = SCORING_AT_RANGE_END;
}

/* Runs a search from the base of the coordinates until it ends. */
static int maximise_once(struct maximisation *k, const struct coordinates *c, int may_leave, struct scoring *s,
                      struct status *st)
{
    struct history history = { .before = -INFINITY };
    struct answer a;
    const double *y;
    scoring_begin(s, c, k->e->sample->total, k->p->tolerance, k->p->max_steps);
    while ((y = scoring_next_point(s))) {
        if (evaluate_answer(k->e, c, y, &a, st)) return st->code;
        scoring_update(s, &a);
        end_early(k, may_leave, s, &history);
    }
    k->steps += s->steps;
    return ST_OK;
}

/* Keeps the result of a search if it is better than the best so far.  A maximum is better than a point where the
 * likelihood is unbounded, regardless of its value. */
static void keep_higher(struct maximisation *k, const struct scoring *s)
{
    int is_first = k->best.here.value == -INFINITY, was_unbounded = is_unbounded(k, &k->best);
    int is_higher = s->here.value > k->best.here.value + HIGHER;
    if (s->end == SCORING_KNOWN || s->here.value == -INFINITY) return;
    if (is_first || (was_unbounded != is_unbounded(k, s) ? was_unbounded : is_higher)) k->best = *s;
}

/* TRUE if no observation is between two points. */
static int is_between_same(const struct sample *s, double a, double b)
{
    return numbers_below(s->n, s->z, a) == numbers_below(s->n, s->z, b);
}

/* TRUE if a search from this position of the mode would find the location of the best point so far. */
static int finds_best_location(const struct maximisation *k, const struct coordinates *c)
{
    const struct scoring *b = &k->best;
    double away = (c->centre - b->c.centre) / b->c.unit - b->y[DELTA];
    if (!b->c.moves[DELTA]) return is_between_same(k->e->sample, b->c.centre, c->centre);
    return b->here.value > -INFINITY && b->c.pm == 1
        && b->information[DELTA][DELTA] * away * away < SAME_MODE * SAME_MODE;
}

/* Returns coordinates about the law theta.  If zeta is the half-sample mode up to the rounding of delta, it is
 * moved there. */
static struct coordinates coordinates_at_mode(const struct maximisation *k, const double *theta)
{
    struct coordinates c = coordinates_about(k->p, theta);
    double mode = k->e->sample->mode, away = fabs(c.centre - mode);
    if (c.pm == 1 && away <= ROUNDING * (fabs(theta[DELTA]) + fabs(theta[DELTA] - mode))) c.centre = mode;
    return c;
}

/* Searches from a point, and continues in new coordinates if the search has left the range of the old ones, and with
 * the location fixed if the mode has become too narrow, until the fixed location belongs to the estimate.  At a bound
 * of beta the new ones may exclude observations, so that the search cannot continue from them. */
static int maximise_from(struct maximisation *k, const struct coordinates *from, struct scoring *s, struct status *st)
{
    struct coordinates c = *from;
    struct placement placement = { .is_known = 0 };
    struct scoring before;
    for (int i = 0; i < MAX_RANGES; i++) {
        if (i > 0) before = *s;
        if (maximise_once(k, &c, i < MAX_RANGES - 1, s, st)) return st->code;
        if (i > 0 && s->end == SCORING_OFF_SUPPORT) {
            *s = before;
            break;
        }
        if (s->end == SCORING_KNOWN || s->end == SCORING_OFF_SUPPORT) break;
        c = coordinates_recentred(k->p, &s->c, s->y);
        if (c.pm == 1 && !k->e->sample->z) break;
        if (!starts_must_continue(k->e->sample, &s->c, s->y, &c, &placement)) break;
        if (starts_fit_support(k->e, &c, st)) return st->code;
    }
    return ST_OK;
}

/* Searches from the best positions of the mode around a point, at most `modes`.  Those that lead to the best point so
 * far are skipped, except for the first one of a new starting value (is_new). */
static int maximise_best(struct maximisation *k, const struct coordinates *at, int is_new, int modes, struct status *st)
{
    struct coordinates c[MAX_MODES] = { *at };
    struct scoring s;
    int count;
    if (starts_modes(k->e, c, modes, MODE_MARGIN, &count, st)) return st->code;
    for (int i = 0; i < count; i++) {
        if (!(is_new && i == 0) && finds_best_location(k, &c[i])) continue;
        if (maximise_from(k, &c[i], &s, st)) return st->code;
        keep_higher(k, &s);
    }
    return ST_OK;
}

/* Searches from the law theta. */
static int maximise_about(struct maximisation *k, const double *theta, struct status *st)
{
    struct coordinates c = coordinates_at_mode(k, theta);
    if (starts_fit_support(k->e, &c, st)) return st->code;
    return maximise_best(k, &c, 1, k->e->sample->total <= ROUGH ? MAX_MODES : 1, st);
}

/* Searches from other positions of the mode around the best point.  Where the likelihood is rough, another one may be
 * better than this one once all parameters have adapted to it. */
static int maximise_next(struct maximisation *k, struct status *st)
{
    struct coordinates c = coordinates_recentred(k->p, &k->best.c, k->best.y);
    if (starts_are_smooth(k->e->sample, &c)) return ST_OK;
    return maximise_best(k, &c, 0, MAX_MODES, st);
}

/* Repeats maximise_next() as long as the log-likelihood increases. */
static int maximise_modes(struct maximisation *k, struct status *st)
{
    double before = -INFINITY;
    while (k->best.here.value > before + HIGHER && k->best.c.pm == 1) {
        before = k->best.here.value;
        if (maximise_next(k, st)) return st->code;
    }
    return ST_OK;
}

/* TRUE for a starting value with a much larger alpha than the best law, if that is not nearly one-sided: a search from
 * there leads to the same law, or to one that is found from the next positions. */
static int is_superfluous(const struct maximisation *k, const double *theta)
{
    const struct scoring *b = &k->best;
    if (b->here.value == -INFINITY || is_unbounded(k, b) || k->e->sample->total <= ROUGH) return 0;
    return b->y[ALPHA] < 0.5 * theta[ALPHA] && theta[ALPHA] < LARGEST_BESIDE && fabs(b->y[BETA]) < INSIDE;
}

/* Searches from all starting values that belong to the law `from`. */
static int maximise_starts(struct maximisation *k, const double *from, struct status *st)
{
    double theta[MAX_STARTS][PARAMETERS];
    int count = starts_list(k->p, from, k->e->sample, theta);
    for (int i = 0; i < count; i++)
        if (!is_superfluous(k, theta[i]) && maximise_about(k, theta[i], st)) return st->code;
    return ST_OK;
}

/* Returns the value below which a search from a candidate does not lead to a higher maximum. */
static double promising_threshold(const struct maximisation *k)
{
    double total = k->e->sample->total;
    if (k->best.here.value == -INFINITY || is_unbounded(k, &k->best)) return -INFINITY;
    return (k->best.here.value - SEARCH_MARGIN) / total - SEARCH_GAIN;
}

/* TRUE if a search from a candidate may lead to a higher maximum. */
static int is_promising(const struct maximisation *k, const struct candidate *c)
{
    double total = k->e->sample->total, theta[PARAMETERS];
    if (k->best.here.value == -INFINITY || is_unbounded(k, &k->best)) return 1;
    if (c->value < promising_threshold(k)) return 0;
    coordinates_theta(&k->best.c, k->best.y, theta);
    return (c->is_maximum || total <= ROUGH || theta[ALPHA] > NEARLY_NORMAL) && !screen_is_near(k->p, theta, c->theta);
}

/* Searches from laws far from the quantile estimate, the most likely ones first. */
static int maximise_screened(struct maximisation *k, struct status *st)
{
    struct candidates *far = k->far;
    int is_rough = k->e->sample->total <= ROUGH, tried = 0, maximum = is_rough ? MAX_TRIED : MAX_TRIED_LARGE;
    if (!is_rough && is_unbounded(k, &k->best)) maximum = MAX_TRIED_TIED;
    if (!far->is_known) screen_laws(k->p, k->e->sample, is_rough ? -INFINITY : promising_threshold(k), far);
    for (int i = 0; i < far->count && tried < maximum; i++) {
        if (!is_promising(k, &far->law[i])) continue;
        tried++;
        if (maximise_about(k, far->law[i].theta, st)) return st->code;
    }
    return ST_OK;
}

/* Searches from the most likely laws with small alpha if the best law has a small alpha or the sample is wide, but not
 * large.  For a few values that are not spread widely such a law may be slightly more likely than any other, whatever
 * these values are, because it fits one of them too well. */
static int maximise_small_alphas(struct maximisation *k, struct status *st)
{
    const struct sample *sample = k->e->sample;
    struct candidates *far = k->far;
    struct scoring s;
    if (sample->total > ROUGH || sample->n > ROUGH) return ST_OK;
    if (!(k->best.y[ALPHA] < NARROW_ALPHA) && !starts_are_wide(sample)) return ST_OK;
    if (far->small_alphas < 0) far->small_alphas = small_alpha_laws(k->p, sample, far->small_alpha);
    for (int i = 0; i < far->small_alphas; i++) {
        const struct small_alpha_law *law = &far->small_alpha[i];
        if (k->best.here.value > -INFINITY && law->value < k->best.here.value - MODE_MARGIN) break;
        struct coordinates c = coordinates_about(k->p, law->theta);
        c.centre = law->mode;
        starts_fix_location(sample, FIXED_SHARE, &c);
        if (!k->best.c.moves[DELTA] && finds_best_location(k, &c)) continue;
        if (starts_fit_support(k->e, &c, st) || maximise_from(k, &c, &s, st)) return st->code;
        keep_higher(k, &s);
    }
    return ST_OK;
}

/* TRUE if the best law is nearly one-sided, so that laws with beta at its bound may be more likely.  Where the
 * log-likelihood is smooth, they are not if beta is far from its bound. */
static int is_one_sided(const struct maximisation *k)
{
    const struct scoring *b = &k->best;
    int is_smooth = k->e->sample->total > ROUGH && b->c.moves[DELTA];
    return b->c.moves[BETA] && starts_are_nearly_one_sided(k->e->sample, b->y) &&
           !(is_smooth && scoring_errors_to(b, BETA, copysign(1.0, b->y[BETA])) > FROM_BORDER);
}

/* Searches from the best law with beta moved to its bound or close to it.  For alpha < 1 the support of a one-sided law
 * ends at zeta: the likelihood may have one maximum with beta at its bound, another one close to the bound, and, if it
 * is rough, another one further inside. */
static int maximise_border(struct maximisation *k, struct status *st)
{
    const struct scoring *b = &k->best;
    const double beside[3] = { 1.0, NEAR_BORDER, INSIDE };
    double theta[PARAMETERS];
    if (!is_one_sided(k)) return ST_OK;
    coordinates_theta(&b->c, b->y, theta);
    int first = fabs(theta[BETA]) == 1.0, count = k->e->sample->total <= ROUGH ? 3 - first : 1;
    for (int i = first; i < first + count; i++) {
        theta[BETA] = copysign(beside[i], theta[BETA]);
        if (maximise_about(k, theta, st)) return st->code;
    }
    return ST_OK;
}

/* Searches from the candidates with beta of the same sign, moved to its bound: their support ends between other
 * observations. */
static int maximise_screened_border(struct maximisation *k, struct status *st)
{
    const struct scoring *b = &k->best;
    double side = b->y[BETA], theta[PARAMETERS];
    if (k->e->sample->total > ROUGH || !is_one_sided(k)) return ST_OK;
    for (int i = 0; i < k->far->count; i++) {
        const struct candidate *c = &k->far->law[i];
        if (c->theta[ALPHA] >= BORDERED || c->theta[BETA] * side <= 0.0) continue;
        memcpy(theta, c->theta, sizeof theta);
        theta[BETA] = copysign(1.0, side);
        if (maximise_about(k, theta, st)) return st->code;
    }
    return ST_OK;
}

/* Searches with large |beta| of both signs if the best law is nearly normal.  To first order in 2 - alpha the
 * log-likelihood is linear in beta: if it increases from the normal law at all, it does so for a bound of beta. */
static int maximise_nearly_normal(struct maximisation *k, struct status *st)
{
    double theta[PARAMETERS];
    if (k->p->is_fixed[BETA] || k->best.here.value == -INFINITY || k->best.y[ALPHA] <= NEARLY_NORMAL) return ST_OK;
    coordinates_theta(&k->best.c, k->best.y, theta);
    if (!k->p->is_fixed[ALPHA]) theta[ALPHA] = BESIDE_NORMAL;
    for (int i = 0; i < 2; i++) {
        theta[BETA] = i ? -NEAR_BORDER : NEAR_BORDER;
        if (maximise_about(k, theta, st)) return st->code;
    }
    return ST_OK;
}

/* Runs all searches for a sample.  If the first ones lead from a smaller alpha to above FLAT_ALPHA, where the
 * likelihood is flat, searches from the starting values of that region follow. */
static int maximise_all(struct maximisation *k, const double *from, struct status *st)
{
    double theta[PARAMETERS];
    if (maximise_starts(k, from, st)) return st->code;
    if (from[ALPHA] <= FLAT_ALPHA && k->best.here.value > -INFINITY && k->best.y[ALPHA] > FLAT_ALPHA) {
        coordinates_theta(&k->best.c, k->best.y, theta);
        if (maximise_starts(k, theta, st)) return st->code;
    }
    if (maximise_nearly_normal(k, st) || maximise_screened(k, st)) return st->code;
    if (maximise_small_alphas(k, st)) return st->code;
    if (maximise_border(k, st) || maximise_screened_border(k, st)) return st->code;
    return maximise_modes(k, st);
}

/* --- subsamples of large samples ------------------------------------------------- */

/* Sets `from` to the law that fits a subsample best, if one is found, slightly inside the bounds. */
static int fit_part(struct evaluator *e, const struct problem *p, double *from, struct status *st)
{
    const struct sample *whole = e->sample;
    struct candidates far = { .is_known = 0, .small_alphas = -1 };
    struct maximisation k = { .e = e, .p = p, .far = &far, .best = { .here = { .value = -INFINITY } } };
    struct sample part;
    double *memory;
    unsigned long data = e->data;
    int count = e->count;

    if (!whole->z && whole->parts == 0) return ST_OK;   /* the caller has fitted a subsample */
    if (sample_part(whole, PART, &part, &memory, st)) return st->code;
    e->sample = &part;
    e->data = 0;
    maximise_all(&k, from, st);
    e->sample = whole;
    e->data = data;
    e->count = count;
    memory_release(memory);
    if (k.best.here.value > -INFINITY) coordinates_theta(&k.best.c, k.best.y, from);
    from[ALPHA] = p->is_fixed[ALPHA] ? from[ALPHA] : fmin(from[ALPHA], 1.999);
    from[BETA] = p->is_fixed[BETA] ? from[BETA] : fmax(fmin(from[BETA], 0.999), -0.999);
    return st->code;
}

/* Fails if a sample that is not sorted would be searched in zeta coordinates, which need the nearest values. */
static int check_location(const struct maximisation *k, const double *theta, struct status *st)
{
    if (k->e->sample->z || coordinates_about(k->p, theta).pm == 0) return ST_OK;
    return fail(st, ST_UNSUPPORTED, "alpha = %.3g is too small for a sample that is not in memory; fit a part of it",
                theta[ALPHA]);
}

static int maximise_large(struct maximisation *k, const double *approximate, struct status *st)
{
    double from[PARAMETERS];
    memcpy(from, approximate, sizeof from);
    if (fit_part(k->e, k->p, from, st) || check_location(k, from, st)) return st->code;
    return maximise_about(k, from, st);
}

/* --- the fit -------------------------------------------------------------------- */

int likelihood_fit(struct evaluator *v, const struct problem *p, const double *from, struct candidates *far,
                   struct estimate *e, struct status *st)
{
    struct maximisation k = { .e = v, .p = p, .far = far, .best = { .here = { .value = -INFINITY } } };
    struct estimate gaussian = { .loglik = -INFINITY };

    e->loglik = -INFINITY;
    if (p->is_fixed[ALPHA] && p->fixed[ALPHA] == 2.0) {
        gaussian_fit(v->sample, p, e);
        return ST_OK;
    }
    v->is_rough = v->sample->total > ROUGH;
    if (v->sample->n < PART * PARTS ? maximise_all(&k, from, st) : maximise_large(&k, from, st)) return st->code;
    v->is_rough = 0;
    if (k.best.here.value > -INFINITY && k.best.y[ALPHA] < 2.0 && likelihood_finish(v, p, &k.best, e, st))
        return st->code;
    if (v->sample->z || v->sample->variance > 0.0) gaussian_fit(v->sample, p, &gaussian);
    if (is_unbounded(&k, &k.best) && gaussian_choose(v, p, &gaussian, e, st)) return st->code;
    if (gaussian.loglik >= e->loglik - GAUSSIAN_MARGIN) *e = gaussian;
    e->steps = k.steps;
    e->evaluations = v->count;
    return ST_OK;
}
