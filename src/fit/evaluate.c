#include <math.h>
#include <string.h>
#include "evaluate.h"
#include "../base/memory.h"

/* --- the evaluator ------------------------------------------------------------------------- */

int evaluator_begin(struct evaluator *e, struct status *st)
{
    memset(e, 0, sizeof *e);
    e->context = context_new();
    return e->context ? ST_OK : fail(st, ST_MEMORY, "no memory for the context of a thread");
}

void evaluator_end(struct evaluator *e)
{
    evaluator_release(e, 0);
    context_free(e->context);
}

static void forget_data(struct evaluator *e)
{
    if (e->data && !e->lends_data) backend_forget(e->data);
    e->data = 0;
}

void evaluator_release(struct evaluator *e, size_t kept)
{
    forget_data(e);
    e->sample = NULL;
    if (e->length <= kept) return;
    memory_release(e->room);
    e->room = NULL;
    e->length = 0;
}

static int is_shared(const struct evaluator *e)
{
    return e->sample->n >= e->shared;
}

void evaluator_set(struct evaluator *e, const struct sample *s)
{
    forget_data(e);
    e->sample = s;
    e->lends_data = s->data != 0;
    e->data = s->data ? s->data : is_shared(e) ? backend_data() : 0;
    e->count = 0;
}

/* Counts an evaluation, and fails if the user has interrupted the fit or another thread has failed. */
static int step(struct evaluator *e, struct status *st)
{
    e->count++;
    return is_stop_requested(e->stop) ? fail(st, ST_INTERRUPTED, "interrupted") : ST_OK;
}

static struct column data_of(const struct sample *s)
{
    struct column x = { s->z ? s->z : s->x, s->n };
    return x;
}

static struct column weights_of(const struct sample *s)
{
    struct column w = { s->weight, s->weight ? s->n : 0 };
    return w;
}

/* Writes the law of y to `law` and makes *l refer to it, in columns of length 1.  Returns FALSE if the law is not
 * valid. */
static int law_of(const struct coordinates *c, const double *y, double *law, struct laws *l)
{
    const struct laws laws = { { law, 1 }, { law + 1, 1 }, { law + 2, 1 }, { law + 3, 1 }, c->pm };
    law[ALPHA] = y[ALPHA];
    law[BETA] = y[BETA];
    law[GAMMA] = exp(y[GAMMA]);
    law[DELTA] = c->centre + c->unit * y[DELTA];
    *l = laws;
    return law[GAMMA] > 0.0 && law[GAMMA] < INFINITY && isfinite(law[DELTA]);
}

/* Converts the law to the units of the sample's values, and returns the term to add to their log-likelihood. */
static double in_units(const struct sample *s, double *law)
{
    if (s->z) return 0.0;
    sample_from_canonical(s, law);
    return s->total * log(s->scale);
}

/* TRUE if no sum has to be computed here: it was read from the replay log, or it was added to the requests of the log
 * (*st then holds ST_AWAITED or a failure).  A fit on the CPU adds no requests. */
static int is_read(struct evaluator *e, const struct laws *l, int what, double *sum, struct status *st)
{
    if (!e->replay_log) return 0;
    if (replay_read(e->replay_log, what, sum)) return 1;
    return !e->replay_log->is_on_cpu && replay_request(e->replay_log, l, what, st) != ST_OK;
}

static int approximate(struct evaluator *e, const struct laws *l, int only_value, double *sum, struct status *st)
{
    if (is_read(e, l, only_value ? REQUEST_VALUE : REQUEST_SUMS, sum, st)) return st->code;

    struct element_job job = {
        .quantity = JOB_APPROXIMATE, .n = e->sample->n, .x = data_of(e->sample), .weight = weights_of(e->sample),
        .laws = *l, .only_value = only_value, .data = e->data
    };
    int nans;
    if (!is_shared(e)) return context_sums(e->context, &job, sum, st);
    return backend_sums(&job, e->stop->poll, sum, &nans, st);
}

static double proper(double value)
{
    return isnan(value) ? -INFINITY : value;
}

int evaluate_exactly(struct evaluator *e, const struct coordinates *c, const double *y, double *value,
                     struct status *st)
{
    double law[PARAMETERS];
    struct laws l;
    *value = -INFINITY;
    if (!law_of(c, y, law, &l)) return ST_OK;
    double lacks = in_units(e->sample, law);
    if (step(e, st)) return st->code;
    if (is_read(e, &l, REQUEST_EXACTLY, value, st)) {
        *value = proper(*value) + lacks;
        return st->code;
    }
    struct element_job job = {
        .quantity = JOB_LOGLIK, .n = e->sample->n, .x = data_of(e->sample), .weight = weights_of(e->sample), .laws = l,
        .data = e->data
    };
    int nans;
    if (is_shared(e) ? backend_sums(&job, e->stop->poll, value, &nans, st)
                     : context_sums(e->context, &job, value, st))
        return st->code;
    *value = proper(*value) + lacks;
    return ST_OK;
}

int evaluate_law(struct evaluator *e, const double *theta, double *value, struct status *st)
{
    const struct coordinates plain = { .unit = 1.0 };
    const double y[PARAMETERS] = { theta[ALPHA], theta[BETA], log(theta[GAMMA]), theta[DELTA] };
    return evaluate_exactly(e, &plain, y, value, st);
}

int evaluate_value(struct evaluator *e, const struct coordinates *c, const double *y, double *value,
                   struct status *st)
{
    double law[PARAMETERS], sum[APPROXIMATE_SUMS];
    struct laws l;
    *value = -INFINITY;
    if (!law_of(c, y, law, &l)) return ST_OK;
    if (!uses_tables(y)) return evaluate_exactly(e, c, y, value, st);
    double lacks = in_units(e->sample, law);
    if (step(e, st) || approximate(e, &l, 1, sum, st)) return st->code;
    *value = proper(sum[0]) + lacks;
    return ST_OK;
}

/* Converts the sums of JOB_APPROXIMATE, in the order of run/job.h, to the units of y. */
static void from_sums(const double *sum, const double *unit, struct answer *a)
{
    int at = 1 + PARAMETERS;
    a->value = proper(sum[0]);
    for (int i = 0; i < PARAMETERS; i++) a->gradient[i] = unit[i] * sum[1 + i];
    for (int i = 0; i < PARAMETERS; i++)
        for (int j = 0; j <= i; j++) a->outer[i][j] = a->outer[j][i] = unit[i] * unit[j] * sum[at++];
}

/* --- scores by differences -------------------------------------------------------------- */

/* Scores by central differences that stay inside the parameter space, one-sided at a bound.
 *
 * The scores in scale and location both follow from the derivative l' of the log density l in u = (z - location)/gamma,
 *
 *     d/d log gamma = -1 - u l'(u),      d/d location = -l'(u) / gamma.
 *
 * They are computed first, because the density of this shape has just been evaluated.  A difference across the end of
 * the support carries no information and counts as zero.
 */
#define RELATIVE_STEP 1e-4               /* of differences */

/* Columns of the evaluator's workspace: u, shifted u, log densities at both points of a difference, l'(u), and the
 * derivatives in alpha and beta. */
enum { STANDARDISED, MOVED, LOW, HIGH, SLOPE, IN_ALPHA, IN_BETA, COLUMNS };

static double *column(struct evaluator *e, int k)
{
    return e->room + (size_t)k * e->length;
}

static int make_room(struct evaluator *e, struct status *st)
{
    if (e->sample->n <= e->length) return ST_OK;
    double *room = memory_resize(e->room, COLUMNS * e->sample->n * sizeof *room);
    if (!room) return fail(st, ST_MEMORY, "no memory for the scores of %.0f values", (double)e->sample->n);
    e->room = room;
    e->length = e->sample->n;
    return ST_OK;
}

/* Computes the log densities of the standard law of this shape at the points x, one for each value of the sample. */
static int log_shape(struct evaluator *e, double alpha, double beta, int pm, const double *x, double *log_f,
                     struct status *st)
{
    static const double unit = 1.0, zero = 0.0;
    const struct laws l = { { &alpha, 1 }, { &beta, 1 }, { &unit, 1 }, { &zero, 1 }, pm };
    return evaluate_points(e, &l, e->sample->n, x, log_f, st);
}

static void difference(size_t n, const double *low, const double *high, double width, double *slope)
{
    for (size_t i = 0; i < n; i++) slope[i] = (high[i] - low[i]) / width;
}

/* Computes l'(u) by differences with steps of RELATIVE_STEP * (unit + |u|). */
static int slopes_in_place(struct evaluator *e, const double *y, int pm, double unit, struct status *st)
{
    const double *u = column(e, STANDARDISED);
    double *x = column(e, MOVED), *low = column(e, LOW), *high = column(e, HIGH);
    size_t n = e->sample->n;
    for (size_t i = 0; i < n; i++) x[i] = u[i] - RELATIVE_STEP * (unit + fabs(u[i]));
    if (log_shape(e, y[ALPHA], y[BETA], pm, x, low, st)) return st->code;
    for (size_t i = 0; i < n; i++) x[i] = u[i] + RELATIVE_STEP * (unit + fabs(u[i]));
    if (log_shape(e, y[ALPHA], y[BETA], pm, x, high, st)) return st->code;
    for (size_t i = 0; i < n; i++)
        column(e, SLOPE)[i] = (high[i] - low[i]) / (2.0 * RELATIVE_STEP * (unit + fabs(u[i])));
    return ST_OK;
}

/* Computes the derivatives of the log density in alpha or beta (j) at fixed u. */
static int slopes_in_shape(struct evaluator *e, const struct coordinates *c, const double *y, int j, double *slope,
                           struct status *st)
{
    struct sides s = coordinates_sides(c, y, j, RELATIVE_STEP * fmin(1.0, y[ALPHA]));
    double at[2] = { y[ALPHA], y[BETA] };
    at[j] = y[j] + s.below;
    if (log_shape(e, at[0], at[1], c->pm, column(e, STANDARDISED), column(e, LOW), st)) return st->code;
    at[j] = y[j] + s.above;
    if (log_shape(e, at[0], at[1], c->pm, column(e, STANDARDISED), column(e, HIGH), st)) return st->code;
    difference(e->sample->n, column(e, LOW), column(e, HIGH), s.above - s.below, slope);
    return ST_OK;
}

/* Adds the weighted scores and their outer products to the answer. */
static void add_up(struct evaluator *e, const struct coordinates *c, double unit, struct answer *a)
{
    const struct sample *s = e->sample;
    for (size_t i = 0; i < s->n; i++) {
        double slope = column(e, SLOPE)[i], w = s->weight ? s->weight[i] : 1.0;
        double score[PARAMETERS] = {
            c->moves[ALPHA] ? column(e, IN_ALPHA)[i] : 0.0, c->moves[BETA] ? column(e, IN_BETA)[i] : 0.0,
            -1.0 - column(e, STANDARDISED)[i] * slope, -slope * unit
        };
        for (int k = 0; k < PARAMETERS; k++) {
            if (!isfinite(score[k])) score[k] = 0.0;
            a->gradient[k] += w * score[k];
            for (int j = 0; j <= k; j++) a->outer[k][j] += w * score[k] * score[j];
        }
    }
    for (int k = 0; k < PARAMETERS; k++)
        for (int j = 0; j < k; j++) a->outer[j][k] = a->outer[k][j];
}

static int scores_by_differences(struct evaluator *e, const struct coordinates *c, const double *y, struct answer *a,
                          struct status *st)
{
    const struct sample *s = e->sample;
    double gamma = exp(y[GAMMA]), location = c->centre + c->unit * y[DELTA], unit = c->unit / gamma;
    if (make_room(e, st)) return st->code;
    for (size_t i = 0; i < s->n; i++) column(e, STANDARDISED)[i] = (s->z[i] - location) / gamma;
    if (slopes_in_place(e, y, c->pm, unit, st)) return st->code;
    for (int j = ALPHA; j <= BETA; j++)
        if (c->moves[j] && slopes_in_shape(e, c, y, j, column(e, IN_ALPHA + j), st)) return st->code;
    add_up(e, c, unit, a);
    return ST_OK;
}

/* --- answers ------------------------------------------------------------------------------ */

int evaluate_answer(struct evaluator *e, const struct coordinates *c, const double *y, struct answer *a,
                    struct status *st)
{
    double law[PARAMETERS], sum[APPROXIMATE_SUMS];
    struct laws l;
    memset(a, 0, sizeof *a);
    a->value = -INFINITY;
    if (!law_of(c, y, law, &l)) return ST_OK;
    if (uses_tables(y)) {
        const struct sample *s = e->sample;
        double unit[PARAMETERS] = { 1.0, 1.0, law[GAMMA], c->unit }, lacks = in_units(s, law);
        if (!s->z) {
            unit[BETA] *= s->side;
            unit[GAMMA] *= s->scale;
            unit[DELTA] *= s->side * s->scale;
        }
        if (step(e, st) || approximate(e, &l, 0, sum, st)) return st->code;
        from_sums(sum, unit, a);
        a->value += lacks;
        return ST_OK;
    }
    if (e->replay_log && !e->replay_log->is_on_cpu) return replay_request(e->replay_log, &l, REQUEST_HOST, st);
    if (evaluate_exactly(e, c, y, &a->value, st) || a->value == -INFINITY) return st->code;
    return scores_by_differences(e, c, y, a, st);
}

/* TRUE if all points are in the range of the tables. */
static int use_tables(int count, double (*y)[PARAMETERS])
{
    for (int i = 0; i < count; i++)
        if (!uses_tables(y[i])) return 0;
    return 1;
}

int evaluate_ahead(struct evaluator *e, const struct coordinates *c, int count, double (*y)[PARAMETERS], int what,
                   struct status *st)
{
    double law[PARAMETERS];
    struct laws l;
    if (!e->replay_log || e->replay_log->is_on_cpu || replay_has(e->replay_log)) return ST_OK;
    if (what != REQUEST_EXACTLY && !use_tables(count, y)) return ST_OK;      /* needs more than one sum */
    for (int i = 0; i < count; i++) {
        if (!law_of(c, y[i], law, &l)) continue;
        in_units(e->sample, law);
        replay_request(e->replay_log, &l, what, st);
    }
    return st->code;
}

/* Computes the log-likelihoods at all points by one job. */
static int values_at_once(struct evaluator *e, const struct coordinates *c, int count, double (*y)[PARAMETERS],
                          double *value, struct status *st)
{
    double column[PARAMETERS][MOST_AT_ONCE], law[PARAMETERS], lacks = 0.0;
    size_t n = (size_t)count;
    struct laws l;
    struct element_job job = {
        .quantity = JOB_LOGLIKS, .n = n, .x = data_of(e->sample), .out = { value }, .data = e->data,
        .laws = { { column[ALPHA], n }, { column[BETA], n }, { column[GAMMA], n }, { column[DELTA], n }, c->pm }
    };
    for (int i = 0; i < count; i++) {
        law_of(c, y[i], law, &l);
        lacks = in_units(e->sample, law);
        for (int j = 0; j < PARAMETERS; j++) column[j][i] = law[j];
    }
    if (step(e, st)) return st->code;
    if (is_shared(e) ? backend_logliks(&job, e->stop->poll, st) : context_run(e->context, &job, st)) return st->code;
    for (int i = 0; i < count; i++) value[i] = proper(value[i]) + lacks;
    e->count += count - 1;
    return ST_OK;
}

int evaluate_values(struct evaluator *e, const struct coordinates *c, int count, double (*y)[PARAMETERS], double *value,
                    struct status *st)
{
    const struct replay_log *log = e->replay_log;
    int is_exact = !use_tables(count, y);
    if (!log || (log->is_on_cpu && !replay_has(log))) return values_at_once(e, c, count, y, value, st);
    if (evaluate_ahead(e, c, count, y, is_exact ? REQUEST_EXACTLY : REQUEST_VALUE, st)) return st->code;
    for (int i = 0; i < count; i++)
        if (is_exact ? evaluate_exactly(e, c, y[i], &value[i], st) : evaluate_value(e, c, y[i], &value[i], st))
            return st->code;
    return ST_OK;
}

int evaluate_points(struct evaluator *e, const struct laws *l, size_t n, const double *x, double *log_f,
                    struct status *st)
{
    struct element_job job = {
        .quantity = JOB_VALUES, .n = n, .x = { x, n }, .laws = *l, .give_log = 1, .out = { log_f }
    };
    int nans;
    if (is_stop_requested(e->stop)) return fail(st, ST_INTERRUPTED, "interrupted");
    return n < e->shared ? context_run(e->context, &job, st) : backend_run(&job, e->stop->poll, &nans, st);
}
