/* Chooses where integrals are computed, and runs them there.
 *
 * Under "auto" the CPU computes the first integrals and is timed; a device receives the others if backend_integrals()
 * expects a gain.  Integrals that a device leaves unfinished, because they need more intervals than most, are run on
 * the device again with more memory, and then on the CPU, and so are those that do not converge there if the CPU can
 * complete them otherwise (method.h).
 *
 * For methods that evaluate samples, for the refinement of a few integrals over boxes, and for integrands with several
 * components, the algorithm runs on the CPU; a device only evaluates points, all of them for one integral.
 */
#include <math.h>
#include <string.h>
#include "../integrand/program.h"
#include "dispatch.h"
#include "integrals.h"
#include "../run/backend.h"
#include "../base/parallel.h"
#include "../base/memory.h"

#define SAMPLE 1024                     /* integrals by which the CPU is timed */

/* Largest number of intervals or boxes of an integral on a device, about 70 to 190 bytes each: CAPACITY in the first
 * attempt, and up to CAPACITY_DEEP in the second one or if there are at most FEW integrals.  It is less if
 * EVALUATIONS_DEEP evaluations do not produce that many: a single group of work items evaluates them all. */
#define CAPACITY         1024
#define CAPACITY_DEEP    65536
#define EVALUATIONS_DEEP 2e7
#define LEAST_POINTS     4              /* least number of evaluations for one more interval */
#define FEW              8

/* Approximate seconds of one evaluation by one thread, and the number of iterations still to be expected. */
#define SAMPLE_SECONDS     5e-8
#define ITERATIONS_TO_COME 5.0

/* Returns the number of integrals, or of their components, with a status. */
static size_t count_of(const struct integral_job *j, int status)
{
    double count[INTEGRAL_STATUSES];
    statuses_count(j->status, j->n * (size_t)j->components, count);
    return (size_t)count[status];
}

static size_t count_left(const struct integral_job *j)
{
    return count_of(j, INTEGRAL_NOT_DONE);
}

/* --- CPU threads ----------------------------------------------------------------- */

int dispatch_cpu(const struct integral_job *job, const struct column *parameter, const struct sampler *s,
                 integral_method run, poll_function poll, struct status *st)
{
    struct integral_job j = *job;
    int is_contiguous = j.parameters == 1 && parameter->length >= j.n;
    double *room = is_contiguous ? NULL : memory_allocate(((size_t)j.parameters * j.n + 1) * sizeof *room);

    if (!is_contiguous && !room) return fail(st, ST_MEMORY, "no memory for the parameters of %.0f integrals",
                                             (double)j.n);
    for (int k = 0; room && k < j.parameters; k++)
        for (size_t i = 0; i < j.n; i++) room[(size_t)k * j.n + i] = column_value(parameter[k], i);
    j.parameter = room ? room : parameter->at;
    for (size_t k = 0; k < j.n * (size_t)j.components; k++)
        if (j.status[k] == INTEGRAL_NOT_DONE) j.evaluations[k % j.n] = 0.0;
    run(&j, s, poll, st);
    memory_release(room);
    return st->code;
}

/* --- a device ----------------------------------------------------------------------- */

/* A job for a device, with the memory that belongs to it. */
struct order {
    struct integrals_job job;
    struct column *column;
    char *source;
    double *table;
    struct reference reference;
};

static void order_free(struct order *o)
{
    reference_free(&o->reference);
    memory_release(o->source);
    memory_release(o->table);
    memory_release(o->column);
}

static int order_make(struct order *o, const struct integral_job *j, const struct column *parameter,
                      const struct program *p, double *pool, struct status *st)
{
    memset(o, 0, sizeof *o);
    reference_begin(&o->reference, j, parameter, p, pool);
    o->source = source_of(p, j->dim, st);
    if (!o->source) return st->code;
    if (device_constants_build(p, pool, &o->table, &o->job.table_size, st)) return st->code;
    o->job.columns = 2 * j->dim + j->parameters + (j->each.length > 0);
    o->column = memory_allocate((size_t)o->job.columns * sizeof *o->column);
    if (!o->column) return fail(st, ST_MEMORY, "no memory for the parameters on a device");
    for (int k = 0; k < j->dim; k++) {
        o->column[k] = j->lower[k];
        o->column[j->dim + k] = j->upper[k];
    }
    for (int k = 0; k < j->parameters; k++) o->column[2 * j->dim + k] = parameter[k];
    if (j->each.length) o->column[o->job.columns - 1] = j->each;
    o->job.source = o->source;
    o->job.reference = &o->reference.shared;
    o->job.dim = j->dim;
    o->job.column = o->column;
    o->job.breaks = j->breaks;
    o->job.break_count = (size_t)j->break_count;
    o->job.pool = pool;
    o->job.pool_size = (size_t)p->constants;
    o->job.table = o->table;
    o->job.rel_tol = j->rel_tol;
    o->job.abs_tol = j->abs_tol;
    o->job.max_eval = j->max_eval;
    o->job.option = j->option;
    return ST_OK;
}

/* Returns the number of subregions that the allowed evaluations may produce, within the limits above. */
static int capacity_deep(const struct integral_job *j, const struct device_method *m)
{
    double each = m->points ? m->points(j->dim) : LEAST_POINTS;
    return (int)fmin(CAPACITY + fmin(j->max_eval, EVALUATIONS_DEEP) / each, CAPACITY_DEEP);
}

/* Runs integrals first, ..., n - 1 on a device; the first *done of them are complete. */
static int run_rest(struct order *o, const struct integral_job *j, size_t first, const char *preference, double seconds,
                    poll_function poll, size_t *done, struct status *st)
{
    struct integrals_job *d = &o->job;

    for (int k = 0; k < d->columns; k++)
        if (o->column[k].length > 1) o->column[k].at += first;
    d->n = j->n - first;
    d->first = first;
    d->capacity = d->n <= FEW ? capacity_deep(j, d->method) : CAPACITY;
    d->value = j->value + first;
    d->error = j->error + first;
    d->evaluations = j->evaluations + first;
    d->status = j->status + first;
    if (j->bound) d->bound = j->bound + first;
    integrals_on_device(d, preference, seconds, poll, done, st);
    for (size_t i = *done; i < d->n; i++) d->status[i] = INTEGRAL_NOT_DONE;
    for (int k = 0; k < d->columns; k++)
        if (o->column[k].length > 1) o->column[k].at -= first;
    return st->code;
}

/* Gathers the integrals from `first` on that are still INTEGRAL_NOT_DONE, `left` in number, and runs them on a device
 * with more memory. */
static int run_left(struct order *o, const struct integral_job *j, size_t first, size_t left, const char *preference,
                    poll_function poll, struct status *st)
{
    size_t columns = (size_t)o->job.columns, count = 0, done = 0, *at = memory_allocate((left + 1) * sizeof *at);
    double *room = memory_allocate((columns + 3) * left * sizeof *room);
    int *status = memory_allocate((left + 1) * sizeof *status);
    struct column *column = memory_allocate(columns * sizeof *column);
    struct integrals_job d = o->job;

    if (!at || !room || !status || !column) fail(st, ST_MEMORY, "no memory for %.0f integrals", (double)left);
    else {
        for (size_t i = first; i < j->n && count < left; i++)
            if (j->status[i] == INTEGRAL_NOT_DONE) at[count++] = i;
        for (size_t k = 0; k < columns; k++) {
            column[k].at = room + k * left;
            column[k].length = o->column[k].length > 1 ? left : 1;
            for (size_t i = 0; i < column[k].length; i++) room[k * left + i] = column_value(o->column[k], at[i]);
        }
        d.n = count;
        d.column = column;
        d.capacity = capacity_deep(j, d.method);
        d.value = room + columns * left;
        d.error = d.value + left;
        d.evaluations = d.error + left;
        d.status = status;
        integrals_on_device(&d, preference, INFINITY, poll, &done, st);
        for (size_t i = 0; i < done; i++) {
            j->value[at[i]] = d.value[i];
            j->error[at[i]] = d.error[i];
            j->evaluations[at[i]] = d.evaluations[i];
            j->status[at[i]] = status[i];
        }
    }
    memory_release(at);
    memory_release(room);
    memory_release(status);
    memory_release(column);
    return st->code;
}

/* Runs integrals first, ..., n - 1 on a device if one is in use, and those left unfinished once more with more memory,
 * if the method stores subregions. */
static int run_device(const struct integral_job *j, const struct column *parameter, const struct program *p,
                      double *pool, const struct device_method *m, size_t first, const char *preference, double seconds,
                      poll_function poll, int *on_device, struct status *st)
{
    struct order o;
    size_t done = 0, left;
    int is_made = !order_make(&o, j, parameter, p, pool, st);

    o.job.method = m;
    if (is_made && !run_rest(&o, j, first, preference, seconds, poll, &done, st) && done == j->n - first) {
        left = count_left(j);
        if (left && m->subregion_size && o.job.capacity < capacity_deep(j, m))
            run_left(&o, j, first, left, preference, poll, st);
    }
    *on_device = done > 0;
    order_free(&o);
    return st->code;
}

/* Leaves the integrals that have not converged on a device to the CPU.  Usually there are none, which several threads
 * find out. */
static void reopen(const struct integral_job *j)
{
    if (count_of(j, INTEGRAL_CONVERGED) == j->n) return;
    for (size_t i = 0; i < j->n; i++)
        if (j->status[i] != INTEGRAL_CONVERGED) j->status[i] = INTEGRAL_NOT_DONE;
}

/* Runs the unfinished integrals in CPU threads.  `device` may evaluate points for them; NULL: none. */
static int run_threads(const struct integral_job *j, const struct column *parameter, const struct program *p,
                       double *pool, integral_method run, struct box_device *device, poll_function poll,
                       struct status *st)
{
    struct interpreter_pool *interpreter_pool = NULL;

    if (!interpreters_open(p, pool, threads_limit(), poll, &interpreter_pool, st)) {
        struct sampler s = interpreters_sampler(interpreter_pool);
        s.device = device;
        dispatch_cpu(j, parameter, &s, run, poll, st);
    }
    interpreters_close(interpreter_pool);
    return st->code;
}

/* --- boxes: samples, and subregions of few integrals ----------------------------- */

struct boxes_device {
    struct box_device device;           /* first member: samplers see only this one */
    const struct order *order;
    const char *preference;
    poll_function poll;
    int is_named, *on_device;
};

/* Returns the seconds that the CPU would take for an iteration of `points` and those expected after it. */
static double seconds_of(double points)
{
    return ITERATIONS_TO_COME * SAMPLE_SECONDS * points / threads_limit();
}

static void set_integrand(const struct boxes_device *d, struct box_job *b)
{
    b->source = d->order->source;
    b->reference = d->order->job.reference;
    b->pool = d->order->job.pool;
    b->pool_size = d->order->job.pool_size;
    b->table = d->order->table;
    b->table_size = d->order->job.table_size;
}

static int outcome_of(const struct boxes_device *d, int done)
{
    struct status *st = d->device.st;
    if (st->code == ST_UNSUPPORTED && !d->is_named) st->code = ST_OK;
    *d->on_device |= done;
    return st->code ? -1 : done;
}

static int run_box(struct box_device *self, struct box_job *job, double points)
{
    struct boxes_device *d = (struct boxes_device *)(void *)self;
    int done = 0;

    set_integrand(d, job);
    box_on_device(job, points, d->preference, seconds_of(points), d->poll, &done, self->st);
    return outcome_of(d, done);
}

static int run_boxes(const struct integral_job *j, const struct column *parameter, const struct program *p,
                     double *pool, const struct dispatch_preference *preference, enum wanted wanted,
                     poll_function poll, int *on_device, struct status *st)
{
    struct order o;
    struct status on_the_way = { ST_OK, "" };
    int is_wanted = wanted == WANTED_DEVICE;
    struct boxes_device d = {
        { run_box, &on_the_way, is_wanted }, &o, preference->backend, poll, *preference->backend != 0, on_device
    };
    int is_bisection = preference->method->sampling == NO_SAMPLING;
    int is_few = is_bisection || is_wanted || j->n < 2 * (size_t)threads_limit();

    if (order_make(&o, j, parameter, p, pool, st) && st->code == ST_UNSUPPORTED && !d.is_named) {
        st->code = ST_OK;
        is_few = 0;
    }
    if (!st->code) run_threads(j, parameter, p, pool, preference->method->cpu, is_few ? &d.device : NULL, poll, st);
    if (on_the_way.code) *st = on_the_way;
    order_free(&o);
    return st->code;
}

/* Computes the first SAMPLE integrals in CPU threads; *each is the time per integral in seconds. */
static int sample(const struct integral_job *job, const struct column *parameter, const struct program *p, double *pool,
                  integral_method run, poll_function poll, double *each, struct status *st)
{
    struct integral_job first = *job;
    double start = threads_clock();
    first.n = SAMPLE;
    if (run_threads(&first, parameter, p, pool, run, NULL, poll, st)) return st->code;
    *each = (threads_clock() - start) / SAMPLE;
    return ST_OK;
}

static int try_device(const struct integral_job *j, const struct column *parameter, const struct program *p,
                      double *pool, const struct dispatch_preference *preference, enum wanted wanted,
                      poll_function poll, int *on_device, struct status *st)
{
    const struct device_method *m = preference->method->device;
    double each = INFINITY;

    if (wanted == WANTED_DEVICE)
        return run_device(j, parameter, p, pool, m, 0, preference->backend, each, poll, on_device, st);
    if (j->n <= SAMPLE) return ST_OK;
    if (sample(j, parameter, p, pool, preference->method->cpu, poll, &each, st)) return st->code;
    double seconds = each * (double)(j->n - SAMPLE);
    if (!backend_may_gain(seconds)) return ST_OK;
    return run_device(j, parameter, p, pool, m, SAMPLE, preference->backend, seconds, poll, on_device, st);
}

/* Returns NULL if devices implement the method with its options, otherwise the reason. */
static const char *obstacle(const struct quadrature_method *m, const struct integral_job *j)
{
    if (!m->device && m->sampling == NO_SAMPLING) return "devices do not support the method";
    return m->obstacle ? m->obstacle(j) : NULL;
}

int dispatch_integrals(const struct integral_job *j, const struct column *parameter, const struct program *p,
                       double *pool, const struct dispatch_preference *preference, poll_function poll,
                       int *on_device, struct status *st)
{
    int is_named = *preference->backend != 0;
    const struct quadrature_method *m = preference->method;
    const char *reason = obstacle(m, j);
    enum wanted wanted;

    *on_device = 0;
    if (program_check(p, j->dim + j->parameters, st) || backend_wanted(preference->backend, &wanted, st))
        return st->code;
    program_prelude(p, pool);
    int may_use = !reason && wanted != WANTED_CPU;
    int is_bisection = may_use && m->device && m->device->evaluates_subregions;
    if (wanted == WANTED_DEVICE && is_named && reason) return fail(st, ST_UNSUPPORTED, "%s", reason);
    if (m->sampling != NO_SAMPLING && j->components > 1)
        return run_threads(j, parameter, p, pool, m->cpu, NULL, poll, st);
    if (may_use && (m->sampling != NO_SAMPLING || j->components > 1))
        return run_boxes(j, parameter, p, pool, preference, wanted, poll, on_device, st);
    if (may_use && !(is_bisection && j->n <= FEW))
        try_device(j, parameter, p, pool, preference, wanted, poll, on_device, st);
    if (st->code == ST_UNSUPPORTED && !(wanted == WANTED_DEVICE && is_named)) st->code = ST_OK;
    if (*on_device && m->completes && !st->code) reopen(j);
    size_t left = count_left(j);
    if (st->code || !left) return st->code;
    if (is_bisection && left <= FEW)
        return run_boxes(j, parameter, p, pool, preference, wanted, poll, on_device, st);
    return run_threads(j, parameter, p, pool, m->cpu, NULL, poll, st);
}
