/* Fits of many data sets in lock-step, with sums that a device computes.
 *
 * Thousands of fits are in progress at a time.  In each round, every fit runs to its next request (evaluate.h), and a
 * device computes the sums of all requests at once (many_job in backend.h).  When fewer fits are left than the pool
 * states, or the device is given up, the threads of the CPU finish the remaining fits.  A single fit has its requests
 * answered as they occur.
 *
 * The sums of the device and of the CPU agree up to rounding.  Which of the two computes a sum may depend on the other
 * data sets.
 */
#include <string.h>
#include "fit.h"
#include "../base/parallel.h"
#include "../base/memory.h"

#define MAX_VALUES  32768               /* largest data set; larger ones may start with a subsample (likelihood.c) */
#define GROUP_VALUES 16777216           /* values of all data sets in progress */
#define STEPS       8                   /* steps that a thread takes at a time */

/* States of a fit: its sums are computed by the device, or on the CPU; or it has ended. */
enum { ACTIVE, ON_CPU, FINISHED };

struct fit_job {
    size_t number;                      /* index of its data set */
    struct prepared_fit prepared;
    struct replay_log replay_log;
    int state, is_waiting;              /* is_waiting: its requests have not been answered */
    size_t first_request;               /* index of its first request in this round */
};

struct lockstep {
    const struct lockstep_pool *pool;
    const struct fit_data *data;
    const struct fit_preference *preference;
    struct fit_result *result;
    struct fit_job *fit_job;
    size_t fit_jobs;
    double *z;                          /* the samples of all jobs, one after another */
    size_t length;
    unsigned long number;               /* under which devices cache them */
    struct many_request *request;       /* requests of one round and one kind */
    size_t requests, capacity;              /* their number, and the largest number */
    size_t *pending, pending_count;     /* indices of the jobs with requests in this round, and their number */
    double *sum;                        /* results: see many_job in run/job.h */
    int *left;
    double clock;                       /* end of the part that was timed last (threads_clock()) */
};

static struct lockstep_times times;

struct lockstep_times lockstep_times(void)
{
    static const struct lockstep_times none;
    struct lockstep_times so_far = times;
    times = none;
    return so_far;
}

/* Adds the time since *clock to *part, and sets *clock to the present time. */
static void add_time(double *part, double *clock)
{
    double now = threads_clock();
    *part += now - *clock;
    *clock = now;
}

int lockstep_can_fit(const struct fit_preference *w, const struct fit_data *d)
{
    return d->n <= MAX_VALUES && !d->weight && w->estimator <= BY_GRID;
}

/* --- threads ------------------------------------------------------------------- */

typedef void step_function(struct lockstep *, struct fitter *, size_t i, struct status *);

struct steps { struct lockstep *lockstep; step_function *step; };

static void run_steps(void *context, int thread, size_t from, size_t to)
{
    const struct steps *s = context;
    const struct lockstep_pool *pool = s->lockstep->pool;
    struct status local = { ST_OK, "" };
    for (size_t i = from; i < to && !local.code; i++) s->step(s->lockstep, &pool->fitters[thread], i, &local);
    if (local.code) stop_all(pool->stop, local.code, local.message);
}

/* Runs a step for 0, ..., count - 1 in parallel, in any order.  No more steps are begun after a failure. */
static int in_parallel(struct lockstep *r, step_function *step, size_t count, struct status *st)
{
    struct steps s = { r, step };
    parallel_for(count, STEPS, r->pool->threads, run_steps, &s, r->pool->stop);
    return st->code;
}

/* --- steps --------------------------------------------------------------------- */

/* Computes the starting values of fit i. */
static void prepare(struct lockstep *r, struct fitter *f, size_t i, struct status *st)
{
    struct fit_job *a = &r->fit_job[i];
    struct fit_result *result = &r->result[a->number];
    if (fit_prepare(f, &r->data[a->number], r->preference, a->prepared.sample.z, &a->prepared, result, st)) return;
    a->state = result->trouble ? FINISHED : ACTIVE;
}

/* Runs fit i to its next request, or to its end. */
static void run_to_request(struct lockstep *r, struct fitter *f, size_t i, struct status *st)
{
    struct fit_job *a = &r->fit_job[i];
    if (a->state == FINISHED) return;
    replay_begin(&a->replay_log);
    f->evaluator.replay_log = &a->replay_log;
    fit_finish(&f->evaluator, &a->prepared, r->preference, &r->result[a->number], st);
    f->evaluator.replay_log = NULL;
    if (st->code == ST_OK) a->state = FINISHED;
    if (st->code != ST_AWAITED) return;
    st->code = ST_OK;
    a->is_waiting = 1;
    if (a->replay_log.what == REQUEST_HOST) a->state = ON_CPU;
}

/* Runs fit i if it is in progress on the device and its requests have been answered. */
static void activate(struct lockstep *r, struct fitter *f, size_t i, struct status *st)
{
    if (r->fit_job[i].state == ACTIVE && !r->fit_job[i].is_waiting) run_to_request(r, f, i, st);
}

/* Finishes fit i on the CPU. */
static void complete_job(struct lockstep *r, struct fitter *f, size_t i, struct status *st)
{
    r->fit_job[i].replay_log.is_on_cpu = 1;
    run_to_request(r, f, i, st);
}

/* Returns the job of all requests of this round and kind. */
static struct many_job job_of(const struct lockstep *r, int exactly)
{
    const struct many_job job = {
        r->requests, r->request, { r->z, r->length }, r->number, exactly, r->sum, r->left
    };
    return job;
}

/* Adds the answers to all requests of a fit to its replay log; k: index in `pending`. */
static void supply_sums(struct lockstep *r, struct fitter *f, size_t k, struct status *st)
{
    struct fit_job *a = &r->fit_job[r->pending[k]];
    const struct many_job job = job_of(r, 0);
    a->is_waiting = 0;
    for (size_t i = a->first_request; i < a->first_request + a->replay_log.requests_so_far && !st->code; i++)
        if (!context_add_deferred(f->evaluator.context, &job, i, r->sum + i * APPROXIMATE_SUMS, st))
            replay_add_answer(&a->replay_log, r->sum + i * APPROXIMATE_SUMS, st);
}

/* Adds the exact log-likelihoods to the replay log of a fit; k: index in `pending`. */
static void supply_values(struct lockstep *r, struct fitter *f, size_t k, struct status *st)
{
    struct fit_job *a = &r->fit_job[r->pending[k]];
    (void)f;
    a->is_waiting = 0;
    for (size_t i = 0; i < a->replay_log.requests_so_far && !st->code; i++)
        replay_add_answer(&a->replay_log, &r->sum[a->first_request + i], st);
}

/* --- rounds -------------------------------------------------------------------- */

/* Allocates memory for that many requests. */
static int reserve_requests(struct lockstep *r, size_t requests, struct status *st)
{
    if (requests <= r->capacity) return ST_OK;
    memory_release(r->request);
    memory_release(r->sum);
    memory_release(r->left);
    r->capacity = requests + requests / 2;
    r->request = memory_allocate(r->capacity * sizeof *r->request);
    r->sum = memory_allocate(r->capacity * APPROXIMATE_SUMS * sizeof *r->sum);
    r->left = memory_allocate(r->capacity * (MANY_DEFERRED + 1) * sizeof *r->left);
    if (r->request && r->sum && r->left) return ST_OK;
    return fail(st, ST_MEMORY, "no memory for %.0f simultaneous sums", (double)requests);
}

/* Finds the fits with requests of one kind, exact or not, and counts their requests. */
static void list_pending(struct lockstep *r, int exactly)
{
    r->pending_count = r->requests = 0;
    for (size_t i = 0; i < r->fit_jobs; i++) {
        struct fit_job *a = &r->fit_job[i];
        if (a->state != ACTIVE || (a->replay_log.what == REQUEST_EXACTLY) != exactly) continue;
        a->first_request = r->requests;
        r->requests += a->replay_log.requests_so_far;
        r->pending[r->pending_count++] = i;
    }
}

/* Collects their requests. */
static void collect(struct lockstep *r)
{
    struct many_request *q = r->request;
    for (size_t k = 0; k < r->pending_count; k++) {
        const struct fit_job *a = &r->fit_job[r->pending[k]];
        for (size_t i = 0; i < a->replay_log.requests_so_far; i++, q++) {
            *q = a->replay_log.replay_entry[i];
            q->first = (size_t)(a->prepared.sample.z - r->z);
            q->n = a->prepared.sample.n;
        }
    }
}

/* Answers all requests of one kind. */
static int answer(struct lockstep *r, int exactly, struct status *st)
{
    list_pending(r, exactly);
    if (r->pending_count == 0) return ST_OK;
    if (reserve_requests(r, r->requests, st)) return st->code;
    collect(r);
    struct many_job job = job_of(r, exactly);
    add_time(&times.search, &r->clock);
    if (backend_many(&job, r->pool->stop->poll, st)) return st->code;
    add_time(exactly ? &times.exact : &times.device, &r->clock);
    times.requests += (double)r->requests;
    in_parallel(r, exactly ? supply_values : supply_sums, r->pending_count, st);
    add_time(&times.answer, &r->clock);
    return st->code;
}

static size_t in_progress(const struct lockstep *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->fit_jobs; i++) count += r->fit_job[i].state == ACTIVE;
    return count;
}

/* Returns the number of fits that do not wait for exact log-likelihoods. */
static size_t searching(const struct lockstep *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->fit_jobs; i++)
        count += r->fit_job[i].state == ACTIVE && r->fit_job[i].replay_log.what != REQUEST_EXACTLY;
    return count;
}

/* Runs rounds until few fits are left, and finishes those on the CPU.  Exact log-likelihoods, with which most fits end,
 * are computed together once few other fits are left: for a few fits at a time, the device takes almost as long as for
 * a thousand. */
static int run(struct lockstep *r, struct status *st)
{
    if (in_parallel(r, prepare, r->fit_jobs, st)) return st->code;
    add_time(&times.prepare, &r->clock);
    for (;;) {
        if (in_parallel(r, activate, r->fit_jobs, st)) return st->code;
        if (in_progress(r) < r->pool->min_active) break;
        times.rounds++;
        if (answer(r, 0, st)) break;
        if (searching(r) < r->pool->min_active && answer(r, 1, st)) break;
    }
    add_time(&times.search, &r->clock);
    if (st->code && st->code != ST_UNSUPPORTED) return st->code;
    st->code = ST_OK;
    for (size_t i = 0; i < r->fit_jobs; i++) times.on_cpu += r->fit_job[i].state != FINISHED;
    in_parallel(r, complete_job, r->fit_jobs, st);
    add_time(&times.rest, &r->clock);
    return st->code;
}

/* Answers the requests of a fit that is alone. */
static int answer_alone(void *context, struct status *st)
{
    struct lockstep *r = context;
    times.rounds++;
    return answer(r, r->fit_job[0].replay_log.what == REQUEST_EXACTLY, st);
}

static int run_alone(struct lockstep *r, struct status *st)
{
    struct fit_job *a = &r->fit_job[0];
    prepare(r, r->pool->fitters, 0, st);
    add_time(&times.prepare, &r->clock);
    a->replay_log.answer = answer_alone;
    a->replay_log.answer_context = r;
    if (!st->code) run_to_request(r, r->pool->fitters, 0, st);
    add_time(&times.search, &r->clock);
    times.on_cpu += a->replay_log.is_on_cpu;
    return st->code;
}

/* --- groups: data sets that are in progress together --------------------------- */

static int allocate_group(struct lockstep *r, struct status *st)
{
    size_t n = r->fit_jobs;
    r->fit_job = memory_zeroed(n, sizeof *r->fit_job);
    r->z = memory_allocate(r->length * sizeof *r->z);
    r->pending = memory_allocate(n * sizeof *r->pending);
    if (r->fit_job && r->z && r->pending) return ST_OK;
    return fail(st, ST_MEMORY, "no memory for %.0f simultaneous fits", (double)n);
}

static void release_group(struct lockstep *r)
{
    for (size_t i = 0; r->fit_job && i < r->fit_jobs; i++) replay_free(&r->fit_job[i].replay_log);
    memory_release(r->fit_job);
    memory_release(r->z);
    memory_release(r->request);
    memory_release(r->pending);
    memory_release(r->sum);
    memory_release(r->left);
}

/* Sets the number of jobs and of values of the group that begins with data set `from`; returns the index at which the
 * next group begins. */
static size_t set_group(struct lockstep *r, size_t from, size_t count)
{
    r->fit_jobs = r->length = 0;
    for (; from < count; from++) {
        if (!lockstep_can_fit(r->preference, &r->data[from])) continue;
        if (r->fit_jobs && r->length + r->data[from].n > GROUP_VALUES) break;
        r->length += r->data[from].n;
        r->fit_jobs++;
    }
    return from;
}

static int fit_group(struct lockstep *r, size_t from, struct status *st)
{
    if (allocate_group(r, st)) return st->code;
    double *z = r->z;
    for (size_t i = 0; i < r->fit_jobs; from++) {
        if (!lockstep_can_fit(r->preference, &r->data[from])) continue;
        r->fit_job[i].number = from;
        r->fit_job[i++].prepared.sample.z = z;
        z += r->data[from].n;
    }
    r->number = backend_data();
    r->clock = threads_clock();
    if (r->fit_jobs == 1) run_alone(r, st);
    else run(r, st);
    backend_forget(r->number);
    return st->code;
}

int lockstep_fit(const struct lockstep_pool *pool, const struct fit_data *data, size_t count,
                 const struct fit_preference *preference,
                 struct fit_result *result, struct status *st)
{
    for (size_t from = 0; from < count && !st->code;) {
        struct lockstep r = { .pool = pool, .data = data, .preference = preference, .result = result };
        size_t next = set_group(&r, from, count);
        if (r.fit_jobs) fit_group(&r, from, st);
        release_group(&r);
        from = next;
    }
    return st->code;
}
