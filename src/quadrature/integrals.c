#include "integrals.h"
#include "../base/parallel.h"

#define CHUNK 8                         /* integrals that a thread computes between two checks for interrupts */
#define MANY ((size_t)1 << 18)          /* least number of statuses to be processed by several threads */
#define PART ((size_t)1 << 14)          /* statuses that a thread counts at a time */

double range_of(const struct integral_job *j, size_t i, int k, double *low, double *high)
{
    double from = j->lower[k].at[i % j->lower[k].length], to = j->upper[k].at[i % j->upper[k].length];
    *low = from < to ? from : to;
    *high = from < to ? to : from;
    return from <= to ? 1.0 : -1.0;
}

struct parts parts_of(const struct integral_job *j, size_t i)
{
    double low, high;
    range_of(j, i, 0, &low, &high);
    return parts_between(low, high, j->breaks, j->break_count);
}

void integral_end(const struct integral_job *j, size_t i, double value, double error, int status)
{
    double low, high;
    for (int k = 0; k < j->dim; k++) value *= range_of(j, i, k, &low, &high);
    j->value[i] = value;
    j->error[i] = error;
    ATOMIC_WRITE(&j->status[i], status);
}

int integral_is_trivial(const struct integral_job *j, size_t i)
{
    double low, high;
    int missing = 0, empty = 0;
    for (int k = 0; k < j->dim; k++) {
        range_of(j, i, k, &low, &high);
        missing |= isnan(low) || isnan(high);
        empty |= low == high;
    }
    for (int k = 0; k < j->parameters; k++) missing |= isnan(j->parameter[(size_t)k * j->n + i]);
    if (missing) integral_end(j, i, NAN, NAN, INTEGRAL_NOT_FINITE);
    else if (empty) integral_end(j, i, 0.0, 0.0, INTEGRAL_CONVERGED);
    return missing || empty;
}

/* --- one integral after the other ------------------------------------------------------ */

const double *each_integral_values(const struct integral_job *j, const struct sampler *smp, int thread, size_t i,
                                   int count)
{
    for (int p = 0; p < j->parameters; p++) {
        double *to = smp->input(smp->self, thread, p + 1), value = j->parameter[(size_t)p * j->n + i];
        for (int q = 0; q < count; q++) to[q] = value;
    }
    return smp->run(smp->self, thread, count);
}

struct each {
    const struct integral_job *job;
    const struct sampler *sampler;
    one_integral *one;
    struct stop_flag stop_flag;
};

static void integrate_some(void *context, int thread, size_t from, size_t to)
{
    struct each *e = context;
    for (size_t i = from; i < to && !stop_is_set(&e->stop_flag); i++)
        if (e->job->status[i] == INTEGRAL_NOT_DONE && !e->one(e->job, e->sampler, thread, i))
            stop_interrupted(&e->stop_flag);
}

int integrate_each(const struct integral_job *j, const struct sampler *smp, one_integral *one, double evaluations,
                   poll_function poll, struct status *st)
{
    struct each e = { j, smp, one, { .poll = poll, .st = st } };
    int threads = sampler_threads(smp, (double)j->n * evaluations * EVALUATION_TIME);
    parallel_for(j->n, CHUNK, threads, integrate_some, &e, &e.stop_flag);
    return st->code;
}

/* --- components ----------------------------------------------------------------------- */

void component_open(struct component *c, const struct integral_job *j, const struct sampler *of, int number)
{
    size_t first = (size_t)number * j->n;
    c->job = *j;
    c->of = of;
    c->number = number;
    c->job.components = 1;
    c->job.value += first;
    c->job.error += first;
    c->job.status += first;
}

static double *component_input(void *self, int thread, int k)
{
    const struct component *c = self;
    return c->of->input(c->of->self, thread, k);
}

static const double *component_run(void *self, int thread, int count)
{
    const struct component *c = self;
    const double *y = c->of->run(c->of->self, thread, count);
    return y ? y + (size_t)c->number * (size_t)c->of->block : NULL;
}

struct sampler component_sampler(struct component *c)
{
    struct sampler s = { c, c->of->threads, c->of->block, component_input, component_run, NULL, 1 };
    return s;
}

/* --- statuses --------------------------------------------------------------------- */

/* Runs a loop over n statuses, which takes little time for each. */
static void over_statuses(size_t n, size_t chunk, loop_body *body, void *context)
{
    parallel_for(n, chunk, n > MANY ? threads_limit() : 1, body, context, NULL);
}

static void begin_some(void *context, int thread, size_t from, size_t to)
{
    int *status = context;
    (void)thread;
    for (size_t i = from; i < to; i++) status[i] = INTEGRAL_NOT_DONE;
}

void statuses_begin(int *status, size_t n)
{
    over_statuses(n, 0, begin_some, status);
}

static void factor_some(void *context, int thread, size_t from, size_t to)
{
    int *status = context;
    (void)thread;
    for (size_t i = from; i < to; i++) status[i]++;
}

void statuses_factor(int *status, size_t n)
{
    over_statuses(n, 0, factor_some, status);
}

static int judged(double value, double error, struct tolerance t)
{
    if (!isfinite(value) || !isfinite(error)) return INTEGRAL_NOT_FINITE;
    return error <= error_allowed(t.relative, t.absolute, value) ? INTEGRAL_CONVERGED : INTEGRAL_ROUNDOFF;
}

int status_is_examined(int status, double evaluations, double enough)
{
    if (status == INTEGRAL_NOT_DONE || status == INTEGRAL_COARSE) return 0;
    return status != INTEGRAL_CONVERGED || evaluations > enough;
}

struct judgement {
    int *status;
    const double *value, *error, *evaluations;
    struct tolerance tolerance;
    double enough;
    size_t examined;                    /* atomic */
};

static void judge_some(void *context, int thread, size_t from, size_t to)
{
    struct judgement *g = context;
    size_t examined = 0;
    (void)thread;
    for (size_t i = from; i < to; i++) {
        if (g->status[i] == INTEGRAL_CONVERGED) g->status[i] = judged(g->value[i], g->error[i], g->tolerance);
        examined += (size_t)status_is_examined(g->status[i], g->evaluations[i], g->enough);
    }
    ATOMIC_ADD(&g->examined, examined);
}

size_t statuses_judge(int *status, const double *value, const double *error, const double *evaluations, size_t n,
                      struct tolerance t, double enough)
{
    struct judgement g = { status, value, error, evaluations, t, enough, 0 };
    over_statuses(n, 0, judge_some, &g);
    return g.examined;
}

struct counts { const int *status; size_t of[INTEGRAL_STATUSES]; };  /* of: atomic */

/* Counts each status in a separate loop, which compilers vectorise; almost all integrals have the first status. */
static void count_some(void *context, int thread, size_t from, size_t to)
{
    struct counts *c = context;
    const int *status = c->status;
    size_t left = to - from;
    (void)thread;
    for (int k = 0; k < INTEGRAL_STATUSES && left > 0; k++) {
        int found = 0;
        for (size_t i = from; i < to; i++) found += status[i] == k;
        ATOMIC_ADD(&c->of[k], (size_t)found);
        left -= (size_t)found;
    }
}

void statuses_count(const int *status, size_t n, double *count)
{
    struct counts c = { status, { 0 } };
    over_statuses(n, PART, count_some, &c);
    for (int k = 0; k < INTEGRAL_STATUSES; k++) count[k] = (double)c.of[k];
}
