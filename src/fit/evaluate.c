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

static void drop_data(struct evaluator *e)
{
    if (e->data && !e->is_data_borrowed) backend_forget(e->data);
    e->data = 0;
}

void evaluator_release(struct evaluator *e, size_t kept)
{
    drop_data(e);
    e->sample = NULL;
    if (e->length <= kept) return;
    memory_release(e->workspace);
    e->workspace = NULL;
    e->length = 0;
}

static int is_shared(const struct evaluator *e)
{
    return e->sample->n >= e->shared;
}

void evaluator_set(struct evaluator *e, const struct sample *s)
{
    drop_data(e);
    e->sample = s;
    e->is_data_borrowed = s->data != 0;
    e->data = s->data ? s->data : is_shared(e) ? backend_data() : 0;
    e->count = e->is_rough = 0;
}

/* Counts an evaluation, and fails if the user has interrupted the fit or another thread has failed. */
static int count_evaluation(struct evaluator *e, struct status *st)
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
static double to_sample_units(const struct sample *s, double *law)
{
    if (s->z) return -(1.0 + law[ALPHA]) * s->excess;
    sample_from_canonical(s, law);
    return s->total * log(s->scale);
}

/* TRUE if no sum has to be computed here: it was read from the replay log, or it was added to the requests of the log
 * (*st then holds ST_AWAITED or a failure).  A fit on the CPU adds no requests. */
static int is_read(struct evaluator *e, const struct laws *l, int what, double *sum, struct status *st)
{
    struct replay_log *log = e->replay_log;
    if (!log) return 0;
    if (replay_read(log, what, sum)) return 1;
    if (log->is_on_cpu) return 0;
    if (!log->answer || log->requests_so_far == 0) replay_request(log, l, what, st);
    if (!log->answer) return 1;
    return replay_answer(log, st) || replay_read(log, what, sum);
}

/* TRUE if the next sum is neither read from the replay log nor requested. */
static int is_computed_here(const struct evaluator *e)
{
    return !e->replay_log || (e->replay_log->is_on_cpu && !replay_has_answer(e->replay_log));
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

/* Returns the value, or -Inf if it is NaN. */
static double nan_as_minus_inf(double value)
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
    double offset = to_sample_units(e->sample, law);
    if (count_evaluation(e, st)) return st->code;
    if (is_read(e, &l, REQUEST_EXACTLY, value, st)) {
        *value = nan_as_minus_inf(*value) + offset;
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
    *value = nan_as_minus_inf(*value) + offset;
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
    if (!uses_tables(y) && !is_computed_here(e)) return evaluate_exactly(e, c, y, value, st);
    if (count_evaluation(e, st)) return st->code;
    if (!uses_tables(y)) return differences_value(e, c, y, value, st);
    double offset = to_sample_units(e->sample, law);
    if (approximate(e, &l, 1, sum, st)) return st->code;
    *value = nan_as_minus_inf(sum[0]) + offset;
    return ST_OK;
}

/* Converts the sums of JOB_APPROXIMATE, in the order of run/job.h, to the units of y. */
static void from_sums(const double *sum, const double *unit, struct answer *a)
{
    int at = 1 + PARAMETERS;
    a->value = nan_as_minus_inf(sum[0]);
    for (int i = 0; i < PARAMETERS; i++) a->gradient[i] = unit[i] * sum[1 + i];
    for (int i = 0; i < PARAMETERS; i++)
        for (int j = 0; j <= i; j++) a->outer[i][j] = a->outer[j][i] = unit[i] * unit[j] * sum[at++];
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
        double unit[PARAMETERS] = { 1.0, 1.0, law[GAMMA], c->unit }, offset = to_sample_units(s, law);
        if (!s->z) {
            unit[BETA] *= s->side;
            unit[GAMMA] *= s->scale;
            unit[DELTA] *= s->side * s->scale;
        }
        if (count_evaluation(e, st) || approximate(e, &l, 0, sum, st)) return st->code;
        from_sums(sum, unit, a);
        a->value += offset;
        a->gradient[ALPHA] -= s->z ? s->excess : 0.0;
        return ST_OK;
    }
    if (!is_computed_here(e)) {
        replay_request(e->replay_log, &l, REQUEST_HOST, st);
        if (!e->replay_log->answer || replay_answer(e->replay_log, st)) return st->code;
    }
    if (count_evaluation(e, st)) return st->code;
    return differences_answer(e, c, y, a, st);
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
    if (!e->replay_log || e->replay_log->is_on_cpu || replay_has_answer(e->replay_log)) return ST_OK;
    if (what != REQUEST_EXACTLY && !use_tables(count, y)) return ST_OK;      /* needs more than one sum */
    for (int i = 0; i < count; i++) {
        if (!law_of(c, y[i], law, &l)) continue;
        to_sample_units(e->sample, law);
        replay_request(e->replay_log, &l, what, st);
    }
    if (e->replay_log->answer && st->code == ST_AWAITED) st->code = ST_OK;
    return st->code;
}

/* Computes the log-likelihoods at all points by one job. */
static int values_at_once(struct evaluator *e, const struct coordinates *c, int count, double (*y)[PARAMETERS],
                          double *value, struct status *st)
{
    double column[PARAMETERS][MAX_AT_ONCE], law[PARAMETERS], offset[MAX_AT_ONCE] = { 0.0 };
    size_t n = (size_t)count;
    struct laws l;
    struct element_job job = {
        .quantity = JOB_LOGLIKS, .n = n, .x = data_of(e->sample), .out = { value }, .data = e->data,
        .laws = { { column[ALPHA], n }, { column[BETA], n }, { column[GAMMA], n }, { column[DELTA], n }, c->pm }
    };
    for (int i = 0; i < count; i++) {
        law_of(c, y[i], law, &l);
        offset[i] = to_sample_units(e->sample, law);
        for (int j = 0; j < PARAMETERS; j++) column[j][i] = law[j];
    }
    if (count_evaluation(e, st)) return st->code;
    if (is_shared(e) ? backend_logliks(&job, e->stop->poll, st) : context_run(e->context, &job, st)) return st->code;
    for (int i = 0; i < count; i++) value[i] = nan_as_minus_inf(value[i]) + offset[i];
    e->count += count - 1;
    return ST_OK;
}

int evaluate_values(struct evaluator *e, const struct coordinates *c, int count, double (*y)[PARAMETERS], double *value,
                    struct status *st)
{
    int is_exact = !use_tables(count, y);
    if (is_computed_here(e)) return values_at_once(e, c, count, y, value, st);
    if (evaluate_ahead(e, c, count, y, is_exact ? REQUEST_EXACTLY : REQUEST_VALUE, st)) return st->code;
    for (int i = 0; i < count; i++)
        if (is_exact ? evaluate_exactly(e, c, y[i], &value[i], st) : evaluate_value(e, c, y[i], &value[i], st))
            return st->code;
    return ST_OK;
}

/* TRUE if the laws of all points are valid. */
static int are_valid(const struct coordinates *c, int count, double (*y)[PARAMETERS])
{
    double law[PARAMETERS];
    struct laws l;
    for (int i = 0; i < count; i++)
        if (!law_of(c, y[i], law, &l)) return 0;
    return 1;
}

int evaluate_locations(struct evaluator *e, const struct coordinates *c, int count, double (*y)[PARAMETERS],
                       double *value, struct status *st)
{
    if (count > 1 && !uses_tables(y[0]) && is_computed_here(e) && are_valid(c, count, y)) {
        if (count_evaluation(e, st)) return st->code;
        e->count += count - 1;
        return differences_locations(e, c, count, y, value, st);
    }
    if (evaluate_ahead(e, c, count, y, REQUEST_VALUE, st)) return st->code;
    for (int i = 0; i < count; i++)
        if (evaluate_value(e, c, y[i], &value[i], st)) return st->code;
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
