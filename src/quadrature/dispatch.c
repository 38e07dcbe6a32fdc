/* Chooses where integrals are computed, and runs them there.
 *
 * Under "auto" the CPU computes the first integrals and is timed; a device receives the others if backend_integrals()
 * expects a gain.  Integrals that a device leaves unfinished, because they need more intervals than most, are run on
 * the device again with more memory, and then on the CPU, and so are those that do not converge there if the CPU can
 * complete them otherwise (method.h).
 *
 * For methods that evaluate samples, for few integrals over boxes or of long integrands, and for integrands with
 * several components, the algorithm runs on the CPU; a device only evaluates points, all of them for one integral, or
 * advances steppers (published/drivers.h).
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
#define MIN_POINTS       4              /* least number of evaluations for one more interval */
#define FEW              8
#define STEPPERS_POINTS  1e4            /* evaluations that an integral is expected to take if steppers compute it */

/* Least seconds of one evaluation by one thread, and the number of iterations still to be expected. */
#define SAMPLE_SECONDS     5e-8
#define ITERATIONS_TO_COME 5.0

/* The arguments of dispatch_integrals(). */
struct request {
    const struct integral_job *job;
    const struct column *parameter;
    const struct program *program;
    double *pool;
    const struct quadrature_method *method;
    const char *backend;
    enum wanted wanted;
    poll_function poll;
    int *on_device;
};

/* Returns the precision in which devices evaluate the integrand. */
static enum precision precision_of(const struct request *r)
{
    int is_single = r->method->sampling != NO_SAMPLING && r->job->option.sampling.precision == PRECISION_SINGLE;
    return is_single ? PRECISION_SINGLE : PRECISION_DOUBLE;
}

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
    double *memory = is_contiguous ? NULL : memory_allocate(((size_t)j.parameters * j.n + 1) * sizeof *memory);

    if (!is_contiguous && !memory) return fail(st, ST_MEMORY, "no memory for the parameters of %.0f integrals",
                                             (double)j.n);
    for (int k = 0; memory && k < j.parameters; k++)
        for (size_t i = 0; i < j.n; i++) memory[(size_t)k * j.n + i] = column_value(parameter[k], i);
    j.parameter = memory ? memory : parameter->at;
    for (size_t k = 0; k < j.n * (size_t)j.components; k++)
        if (j.status[k] == INTEGRAL_NOT_DONE) j.evaluations[k % j.n] = 0.0;
    run(&j, s, poll, st);
    memory_release(memory);
    return st->code;
}

/* Runs the unfinished integrals in CPU threads.  `device` may evaluate points for them; NULL: none. */
static int run_threads(const struct request *r, const struct integral_job *j, struct box_device *device,
                       struct status *st)
{
    struct interpreter_pool *interpreters = NULL;

    if (!interpreters_open(r->program, r->pool, threads_limit(), r->poll, &interpreters, st)) {
        struct sampler s = interpreters_sampler(interpreters);
        s.device = device;
        dispatch_cpu(j, r->parameter, &s, r->method->cpu, r->poll, st);
    }
    interpreters_close(interpreters);
    return st->code;
}

/* --- a device ----------------------------------------------------------------------- */

/* A job for a device, with the memory that belongs to it. */
struct device_job {
    struct integrals_job job;
    struct column *column;
    char *source, *source_single;       /* source_single: NULL if devices use double precision */
    double *table;
    struct reference reference;
};

static void device_job_release(struct device_job *o)
{
    reference_free(&o->reference);
    memory_release(o->source);
    memory_release(o->source_single);
    memory_release(o->table);
    memory_release(o->column);
}

static struct column column_from(struct column c, size_t first)
{
    if (c.length > 1) c.at += first;
    return c;
}

/* Sets the columns of integrals first, ..., n - 1. */
static int set_columns(struct device_job *o, const struct request *r, size_t first, struct status *st)
{
    const struct integral_job *j = r->job;
    int dim = j->dim, columns = 2 * dim + j->parameters + (j->each.length > 0);

    o->job.column = o->column = memory_allocate((size_t)columns * sizeof *o->column);
    if (!o->column) return fail(st, ST_MEMORY, "no memory for the parameters on a device");
    for (int k = 0; k < dim; k++) {
        o->column[k] = column_from(j->lower[k], first);
        o->column[dim + k] = column_from(j->upper[k], first);
    }
    for (int k = 0; k < j->parameters; k++) o->column[2 * dim + k] = column_from(r->parameter[k], first);
    if (j->each.length) o->column[columns - 1] = column_from(j->each, first);
    o->job.columns = columns;
    return ST_OK;
}

/* Returns the number of subregions that the allowed evaluations may produce, within the limits above. */
static int capacity_deep(const struct integrals_job *d)
{
    const struct device_method *m = d->method;
    double each = m->points ? m->points(d->dim) : MIN_POINTS;
    return (int)fmin(CAPACITY + fmin(d->max_eval, EVALUATIONS_DEEP) / each, CAPACITY_DEEP);
}

/* Prepares integrals first, ..., n - 1 for a device. */
static int device_job_init(struct device_job *o, const struct request *r, size_t first, struct status *st)
{
    const struct integral_job *j = r->job;
    struct integrals_job d = {
        .method = r->method->device, .reference = &o->reference.shared, .n = j->n - first, .first = first,
        .dim = j->dim, .breaks = j->breaks, .pool = r->pool, .break_count = (size_t)j->break_count,
        .pool_size = (size_t)r->program->constants, .rel_tol = j->rel_tol, .abs_tol = j->abs_tol,
        .max_eval = j->max_eval, .option = j->option, .value = j->value + first, .error = j->error + first,
        .evaluations = j->evaluations + first, .status = j->status + first, .bound = j->bound ? j->bound + first : NULL
    };

    memset(o, 0, sizeof *o);
    o->job = d;
    reference_begin(&o->reference, j, r->parameter, r->program, r->pool);
    o->job.source = o->source = source_of(r->program, j->dim, 0, st);
    if (o->source && precision_of(r) == PRECISION_SINGLE)
        o->source_single = source_of(r->program, j->dim, 1, st);
    if (st->code || device_constants_build(r->program, r->pool, &o->table, &o->job.table_size, st)) return st->code;
    o->job.table = o->table;
    return set_columns(o, r, first, st);
}

/* Copies of the unfinished integrals of a job.  at: their numbers in the job. */
struct unfinished {
    struct integrals_job job;
    struct column *column;
    size_t *at;
    double *memory;
    int *status;
};

static void unfinished_free(struct unfinished *u)
{
    memory_release(u->column);
    memory_release(u->at);
    memory_release(u->memory);
    memory_release(u->status);
}

static int unfinished_gather(struct unfinished *u, const struct integrals_job *d, size_t left, struct status *st)
{
    size_t columns = (size_t)d->columns, count = 0;

    u->job = *d;
    u->at = memory_allocate(left * sizeof *u->at);
    u->memory = memory_allocate((columns + 3) * left * sizeof *u->memory);
    u->status = memory_allocate(left * sizeof *u->status);
    u->job.column = u->column = memory_allocate(columns * sizeof *u->column);
    if (!u->at || !u->memory || !u->status || !u->column)
        return fail(st, ST_MEMORY, "no memory for %.0f integrals", (double)left);
    for (size_t i = 0; i < d->n && count < left; i++)
        if (d->status[i] == INTEGRAL_NOT_DONE) u->at[count++] = i;
    for (size_t k = 0; k < columns; k++) {
        double *to = u->memory + k * left;
        struct column c = { to, d->column[k].length > 1 ? left : 1 };
        for (size_t i = 0; i < c.length; i++) to[i] = column_value(d->column[k], u->at[i]);
        u->column[k] = c;
    }
    u->job.n = left;
    u->job.value = u->memory + columns * left;
    u->job.error = u->job.value + left;
    u->job.evaluations = u->job.error + left;
    u->job.status = u->status;
    return ST_OK;
}

static void unfinished_return(const struct unfinished *u, const struct integrals_job *d, size_t done)
{
    for (size_t i = 0; i < done; i++) {
        d->value[u->at[i]] = u->job.value[i];
        d->error[u->at[i]] = u->job.error[i];
        d->evaluations[u->at[i]] = u->job.evaluations[i];
        d->status[u->at[i]] = u->status[i];
    }
}

/* Runs the `left` unfinished integrals of a job on a device again, with more memory. */
static int run_again(const struct request *r, const struct integrals_job *d, size_t left, struct status *st)
{
    struct unfinished u = { .at = NULL };
    size_t done = 0;

    if (!unfinished_gather(&u, d, left, st)) {
        struct integrand_job job = { &u.job, NULL };
        struct device_work work = device_work_of(&job, (double)left, INFINITY);
        u.job.capacity = capacity_deep(d);
        device_dispatch(&work, r->backend, r->poll, &done, st);
        unfinished_return(&u, d, done);
    }
    unfinished_free(&u);
    return st->code;
}

/* Runs integrals first, ..., n - 1 on a device if one is in use, and those left unfinished once more with more memory,
 * if the method stores subregions.  seconds: their time on the CPU. */
static int run_device(const struct request *r, size_t first, double seconds, struct status *st)
{
    struct device_job o;
    struct integrals_job *d = &o.job;
    struct integrand_job job = { d, NULL };
    size_t done = 0;

    if (!device_job_init(&o, r, first, st)) {
        struct device_work work = device_work_of(&job, (double)d->n, seconds);
        d->capacity = d->n <= FEW ? capacity_deep(d) : CAPACITY;
        device_dispatch(&work, r->backend, r->poll, &done, st);
        for (size_t i = done; i < d->n; i++) d->status[i] = INTEGRAL_NOT_DONE;
        size_t left = !st->code && done == d->n ? count_left(r->job) : 0;
        if (left && d->method->subregion_size && d->capacity < capacity_deep(d)) run_again(r, d, left, st);
    }
    *r->on_device = done > 0;
    device_job_release(&o);
    return st->code;
}

/* Computes the first SAMPLE integrals in CPU threads.  Returns the number of integrals that are left for a device, 0 if
 * it would not save time; *seconds is the time that they would take on the CPU. */
static size_t time_sample(const struct request *r, double *seconds, struct status *st)
{
    struct integral_job first = *r->job;
    double start = threads_clock();

    if (first.n <= SAMPLE) return 0;
    first.n = SAMPLE;
    if (run_threads(r, &first, NULL, st)) return 0;
    size_t left = r->job->n - SAMPLE;
    *seconds = (threads_clock() - start) / SAMPLE * (double)left;
    return backend_device_may_be_faster(*seconds) ? left : 0;
}

/* Sets the integrals that have not converged on a device to INTEGRAL_NOT_DONE, so that the CPU computes them.  Usually
 * there are none; several threads count them first. */
static void reset_unconverged(const struct integral_job *j)
{
    if (count_of(j, INTEGRAL_CONVERGED) == j->n) return;
    for (size_t i = 0; i < j->n; i++)
        if (j->status[i] != INTEGRAL_CONVERGED) j->status[i] = INTEGRAL_NOT_DONE;
}

/* --- boxes: samples, and subregions of few integrals ----------------------------- */

/* The device on which samplers have points evaluated.  is_named: the user has chosen the backend. */
struct boxes_device {
    struct box_device device;           /* first member, through which samplers use it */
    const struct device_job *device_job;
    const struct request *request;
    int is_named;
};

/* Returns the seconds that the CPU would take for an iteration of `points` and those expected after it. */
static double seconds_of(const struct program *p, double points)
{
    double each = fmax(SAMPLE_SECONDS, p->work * OPERATION_TIME);
    return ITERATIONS_TO_COME * each * points / threads_limit();
}

static void set_integrand(const struct device_job *o, struct box_job *b)
{
    const struct integrals_job *of = &o->job;
    b->source = o->source_single ? o->source_single : of->source;
    b->reference = of->reference;
    b->pool = of->pool;
    b->pool_size = of->pool_size;
    b->table = of->table;
    b->table_size = of->table_size;
}

/* Returns 1 if a device has computed all shares of a job, 0 if the CPU should, -1 after a failure. */
static int run_box(struct box_device *self, struct box_job *box, double points)
{
    struct boxes_device *d = (struct boxes_device *)(void *)self;
    struct status *st = self->st;
    struct integrand_job job = { NULL, box };
    struct device_work work = device_work_of(&job, points, seconds_of(d->request->program, points));
    size_t shares;

    set_integrand(d->device_job, box);
    device_dispatch(&work, d->request->backend, d->request->poll, &shares, st);
    int is_done = shares == box->shares;
    if (st->code == ST_UNSUPPORTED && !d->is_named) st->code = ST_OK;
    *d->request->on_device |= is_done;
    return st->code ? -1 : is_done;
}

static int run_boxes(const struct request *r, struct status *st)
{
    struct device_job o;
    struct status device_status = { ST_OK, "" };
    int is_wanted = r->wanted == WANTED_DEVICE;
    struct boxes_device d = { { run_box, &device_status, is_wanted }, &o, r, *r->backend != 0 };
    int is_bisection = r->method->sampling == NO_SAMPLING;
    int is_few = is_bisection || is_wanted || r->job->n < 2 * (size_t)threads_limit();

    if (device_job_init(&o, r, 0, st) && st->code == ST_UNSUPPORTED && !d.is_named) {
        st->code = ST_OK;
        is_few = 0;
    }
    if (!st->code) run_threads(r, r->job, is_few ? &d.device : NULL, st);
    if (device_status.code) *st = device_status;
    device_job_release(&o);
    return st->code;
}

/* --- the choice ------------------------------------------------------------------ */

/* Returns NULL if devices implement the method with its options, otherwise the reason. */
static const char *unsupported_reason(const struct quadrature_method *m, const struct integral_job *j)
{
    if (!m->device && m->sampling == NO_SAMPLING) return "devices do not support the method";
    return m->unsupported_reason ? m->unsupported_reason(j) : NULL;
}

/* TRUE if a device computes the method by advancing the steppers of the CPU driver. */
static int uses_steppers(const struct request *r)
{
    const struct quadrature_method *m = r->method;
    return m->has_steppers && m->has_steppers(r->job, r->program->work);
}

/* TRUE unless "auto" cannot gain by having a device advance steppers. */
static int may_gain(const struct request *r)
{
    double points = STEPPERS_POINTS * (double)r->job->n;
    return r->wanted == WANTED_DEVICE || backend_device_may_be_faster(seconds_of(r->program, points));
}

/* TRUE if, for few integrals, the algorithm runs on the CPU and a device only evaluates points or subregions. */
static int uses_host_algorithm(const struct request *r)
{
    const struct device_method *d = r->method->device;
    return d && (d->few == FEW_BY_SUBREGIONS || (d->few == FEW_BY_POINTS && r->program->work >= LONG_WORK));
}

int dispatch_integrals(const struct integral_job *j, const struct column *parameter, const struct program *p,
                       double *pool, const struct dispatch_preference *preference, poll_function poll,
                       int *on_device, struct status *st)
{
    const struct quadrature_method *m = preference->method;
    struct request r = { j, parameter, p, pool, m, preference->backend, WANTED_CPU, poll, on_device };
    int is_named = *r.backend != 0, is_sampling = m->sampling != NO_SAMPLING;
    const char *reason = unsupported_reason(m, j);
    double seconds = INFINITY;

    *on_device = 0;
    if (program_check(p, j->dim + j->parameters, st) || backend_wanted(r.backend, precision_of(&r), &r.wanted, st))
        return st->code;
    program_prelude(p, pool);
    int is_wanted = r.wanted == WANTED_DEVICE, is_stepped = uses_steppers(&r);
    int may_use = !reason && r.wanted != WANTED_CPU && (!is_stepped || may_gain(&r));
    int is_few = may_use && uses_host_algorithm(&r);
    if (is_wanted && is_named && reason) return fail(st, ST_UNSUPPORTED, "%s", reason);
    if (is_sampling && j->components > 1) return run_threads(&r, j, NULL, st);
    if (may_use && (is_sampling || j->components > 1 || is_stepped)) return run_boxes(&r, st);
    if (may_use && !(is_few && j->n <= FEW)) {
        size_t n = is_wanted ? j->n : time_sample(&r, &seconds, st);
        if (n) run_device(&r, j->n - n, seconds, st);
    }
    if (st->code == ST_UNSUPPORTED && !(is_wanted && is_named)) st->code = ST_OK;
    if (*on_device && m->completes && !st->code) reset_unconverged(j);
    size_t left = count_left(j);
    if (st->code || !left) return st->code;
    return is_few && left <= FEW ? run_boxes(&r, st) : run_threads(&r, j, NULL, st);
}
