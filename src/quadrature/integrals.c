#include <string.h>
#include "box_jobs.h"
#include "integrals.h"
#include "../base/memory.h"
#include "../base/parallel.h"

#define CHUNK 8                         /* integrals that a thread computes between two checks for interrupts */
#define TOGETHER_SECONDS 1e-3           /* few integrals that take longer are each computed by all threads, */
#define TOGETHER_BLOCKS  64             /* with this number of blocks at a time */
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

/* --- the values of one integral, by all threads or a device ---------------------------- */

int points_on_device(const struct integral_job *j, struct box_device *device, size_t i, const double *x, size_t count,
                     double *value, double points)
{
    double *parameter = memory_allocate(((size_t)j->parameters + 1) * sizeof *parameter);
    struct points_job job = {
        .box = { .use = FOR_POINTS, .shares = count, .dim = j->dim, .parameters = j->parameters,
                 .parameter = parameter },
        .components = j->components, .coordinates = x, .value = value
    };
    if (!parameter) return 0;
    for (int k = 0; k < j->parameters; k++) parameter[k] = j->parameter[(size_t)k * j->n + i];
    int done = device->run(device, &job.box, points);
    memory_release(parameter);
    return done;
}

/* Points of an integral, evaluated in blocks of `block`. */
struct points {
    const struct integral_job *job;
    const struct sampler *sampler;
    size_t integral, count, block;
    const double *x;
    double *value;
    struct stop_flag *stop_flag;
};

static void evaluate_blocks(void *context, int thread, size_t from, size_t to)
{
    const struct points *p = context;
    const struct sampler *s = p->sampler;
    for (size_t k = from; k < to && !stop_is_set(p->stop_flag); k++) {
        size_t at = k * p->block, left = p->count - at, count = left < p->block ? left : p->block;
        memcpy(s->input(s->self, thread, 0), p->x + at, count * sizeof *p->x);
        const double *value = each_integral_values(p->job, s, thread, p->integral, (int)count);
        if (value) memcpy(p->value + at, value, count * sizeof *value);
        else stop_interrupted(p->stop_flag);
    }
}

int values_in_threads(const struct integral_job *j, const struct sampler *s, size_t i, const double *x, size_t count,
                      double *value, struct stop_flag *stop)
{
    int threads = sampler_threads_again(s, (double)count);
    size_t share = (count + (size_t)threads - 1) / (size_t)threads, maximum = (size_t)s->block;
    struct points p = { j, s, i, count, sampler_is_slow(s) && share < maximum ? share : maximum, x, value, stop };
    int done = s->device ? points_on_device(j, s->device, i, x, count, value, (double)count) : 0;
    if (done < 0) stop_interrupted(stop);
    if (!done) parallel_for((count + p.block - 1) / p.block, 1, threads, evaluate_blocks, &p, stop);
    return !is_stop_requested(stop);
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

const double *evaluator_values(const struct evaluator *e, size_t i, int count)
{
    if (e->thread != ALL_THREADS) return each_integral_values(e->job, e->sampler, e->thread, i, count);
    return values_in_threads(e->job, e->sampler, i, e->x, (size_t)count, e->value, e->stop_flag) ? e->value : NULL;
}

struct each {
    const struct integral_job *job;
    struct evaluator *evaluator;        /* one for all threads, or one for each */
    void *memory;                       /* that of all evaluators */
    one_integral *one;
    struct stop_flag stop_flag;
};

static void integrate_some(void *context, int thread, size_t from, size_t to)
{
    struct each *e = context;
    for (size_t i = from; i < to && !stop_is_set(&e->stop_flag); i++)
        if (e->job->status[i] == INTEGRAL_NOT_DONE && !e->one(&e->evaluator[thread], i))
            stop_interrupted(&e->stop_flag);
}

/* Makes one evaluator for all threads, or one for each.  Returns 0 if memory is short. */
static int open_evaluators(struct each *e, const struct sampler *s, int threads, int is_together, size_t node_size)
{
    int capacity = is_together ? TOGETHER_BLOCKS * s->block : s->block;
    size_t points = (size_t)capacity, size = points * (node_size + 2 * sizeof(double));
    char *at = e->memory = memory_allocate((size_t)threads * size);

    e->evaluator = memory_allocate((size_t)threads * sizeof *e->evaluator);
    if (!at || !e->evaluator) return 0;
    for (int t = 0; t < threads; t++, at += size) {
        double *x = (double *)(void *)at;
        struct evaluator own = { e->job, s, &e->stop_flag, is_together ? ALL_THREADS : t, capacity,
                                 is_together ? x : s->input(s->self, t, 0), x + points, x + 2 * points };
        e->evaluator[t] = own;
    }
    return 1;
}

int integrate_each(const struct integral_job *j, const struct sampler *s, one_integral *one, size_t node_size,
                   double evaluations, poll_function poll, struct status *st)
{
    struct each e = { .job = j, .one = one, .stop_flag = { .poll = poll, .st = st } };
    double seconds = evaluations * s->seconds;
    int is_together = s->device || (s->threads > 1 && j->n < 2 * (size_t)s->threads && seconds > TOGETHER_SECONDS);
    int threads = is_together ? 1 : sampler_threads(s, (double)j->n * seconds);

    if (open_evaluators(&e, s, threads, is_together, node_size))
        parallel_for(j->n, CHUNK, threads, integrate_some, &e, &e.stop_flag);
    else fail(st, ST_MEMORY, "no memory for %d threads", threads);
    memory_release(e.evaluator);
    memory_release(e.memory);
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
    struct sampler s = { c, c->of->threads, c->of->block, component_input, component_run, NULL, 1, c->of->seconds };
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

void statuses_to_factor(int *status, size_t n)
{
    over_statuses(n, 0, factor_some, status);
}

static int checked_status(double value, double error, struct tolerance t)
{
    if (!isfinite(value) || !isfinite(error)) return INTEGRAL_NOT_FINITE;
    return error <= error_allowed(t.relative, t.absolute, value) ? INTEGRAL_CONVERGED : INTEGRAL_ROUNDOFF;
}

int status_is_examined(int status, double evaluations, double examined_above)
{
    if (status == INTEGRAL_NOT_DONE || status == INTEGRAL_COARSE) return 0;
    return status != INTEGRAL_CONVERGED || evaluations > examined_above;
}

struct status_check {
    int *status;
    const double *value, *error, *evaluations;
    struct tolerance tolerance;
    double examined_above;
    size_t examined, not_done;          /* atomic */
};

static void check_some(void *context, int thread, size_t from, size_t to)
{
    struct status_check *g = context;
    size_t examined = 0, not_done = 0;
    (void)thread;
    for (size_t i = from; i < to; i++) {
        if (g->status[i] == INTEGRAL_CONVERGED) g->status[i] = checked_status(g->value[i], g->error[i], g->tolerance);
        examined += (size_t)status_is_examined(g->status[i], g->evaluations[i], g->examined_above);
        not_done += g->status[i] == INTEGRAL_NOT_DONE;
    }
    ATOMIC_ADD(&g->examined, examined);
    ATOMIC_ADD(&g->not_done, not_done);
}

size_t statuses_check(int *status, const double *value, const double *error, const double *evaluations, size_t n,
                      struct tolerance t, double examined_above)
{
    struct status_check g = { status, value, error, evaluations, t, examined_above, 0, 0 };
    over_statuses(n, 0, check_some, &g);
    return g.not_done ? 0 : g.examined;
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
