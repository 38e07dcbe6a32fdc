#include <stdlib.h>
#include <string.h>
#include "lockstep.h"
#include "../base/threads.h"
#include "../base/memory.h"
#ifdef _OPENMP
#  include <omp.h>
#endif

#define MOST_VALUES 32768               /* of a data set: of more, a part is fitted first (likelihood.c) */
#define WAVE        16777216            /* values in flight */
#define LEAST       8                   /* fits in flight, for each thread, below which threads are faster */

enum { FLYING, GROUNDED, LANDED };

struct flight {
    size_t number;                      /* of its data set */
    struct fit_course course;
    struct script script;
    int state;
    size_t asks;                        /* the first of its requests */
};

struct rounds {
    const struct rounds_crew *crew;
    const struct fit_data *data;
    const struct fit_wish *wish;
    struct fit_result *result;
    struct flight *flight;
    size_t flights;
    double *z;                          /* all samples */
    size_t length;
    unsigned long number;               /* under which devices know them */
    struct many_request *request;
    size_t requests, room;              /* how many there are, there is room for */
    size_t *asker, askers;              /* whose they are */
    double *sum;
    int *left;
};

static struct rounds_times times;

struct rounds_times rounds_times(void)
{
    static const struct rounds_times none;
    struct rounds_times so_far = times;
    times = none;
    return so_far;
}

/* Adds what has passed since *clock, which is set anew. */
static void clock_in(double *part, double *clock)
{
    double now = threads_clock();
    *part += now - *clock;
    *clock = now;
}

int rounds_take(const struct fit_data *d)
{
    return d->n <= MOST_VALUES && !d->weight;
}

/* --- threads ------------------------------------------------------------------- */

typedef void step_function(struct rounds *, struct fitter *, size_t i, struct status *);

/* A step for each of 0, ..., count - 1, in any order; after a failure, for no more. */
static int in_parallel(struct rounds *r, step_function *step, size_t count, struct status *st)
{
#ifdef _OPENMP
#pragma omp parallel num_threads(r->crew->threads) if (r->crew->threads > 1)
#endif
    {
        struct status own = { ST_OK, "" };
        int thread = 0;
#ifdef _OPENMP
        thread = omp_get_thread_num();
#pragma omp for schedule(dynamic, 8)
#endif
        for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++)
            if (!own.code) step(r, &r->crew->fitters[thread], (size_t)i, &own);
        if (own.code) {
#ifdef _OPENMP
#pragma omp critical(stablecl_round_failed)
#endif
            *st = own;
        }
    }
    return st->code;
}

/* --- steps --------------------------------------------------------------------- */

static void prepare(struct rounds *r, struct fitter *f, size_t i, struct status *st)
{
    struct flight *a = &r->flight[i];
    struct fit_result *result = &r->result[a->number];
    if (fit_prepare(f, &r->data[a->number], r->wish, a->course.sample.z, &a->course, result, st)) return;
    a->state = result->trouble ? LANDED : FLYING;
}

/* On to the next question, or to the end. */
static void go_on(struct rounds *r, struct fitter *f, size_t i, struct status *st)
{
    struct flight *a = &r->flight[i];
    if (a->state == LANDED) return;
    script_begin(&a->script);
    f->evaluator.script = &a->script;
    fit_finish(&f->evaluator, &a->course, r->wish, &r->result[a->number], st);
    f->evaluator.script = NULL;
    if (st->code == ST_OK) a->state = LANDED;
    if (st->code != ST_AWAITED) return;
    st->code = ST_OK;
    if (a->script.what == ASKS_HOST) a->state = GROUNDED;
}

static void fly(struct rounds *r, struct fitter *f, size_t i, struct status *st)
{
    if (r->flight[i].state == FLYING) go_on(r, f, i, st);
}

static void land(struct rounds *r, struct fitter *f, size_t i, struct status *st)
{
    r->flight[i].script.is_grounded = 1;
    go_on(r, f, i, st);
}

/* Sums over elements of a sample that the device has left, or over all of it. */
static int sum_here(struct fitter *f, const struct many_request *q, const double *x, size_t n, double *sum,
                    struct status *st)
{
    struct quick_job job = {
        .n = n, .x = { x, n }, .only_value = q->only_value,
        .laws = { { &q->alpha, 1 }, { &q->beta, 1 }, { &q->gamma, 1 }, { &q->delta, 1 }, q->pm }
    };
    return solo_quick(f->evaluator.solo, &job, sum, st);
}

static int by_number(const void *a, const void *b)
{
    int i = *(const int *)a, k = *(const int *)b;
    return (i > k) - (i < k);
}

static int add_left(struct rounds *r, struct fitter *f, size_t i, double *sum, struct status *st)
{
    const struct many_request *q = &r->request[i];
    int *left = r->left + i * (MANY_LEFT + 1), count = *left++;
    double x[MANY_LEFT], rest[QUICK_SUMS];

    if (count < 0 || count > MANY_LEFT) return sum_here(f, q, r->z + q->first, q->n, sum, st);
    if (count == 0) return ST_OK;
    qsort(left, (size_t)count, sizeof *left, by_number);
    for (int k = 0; k < count; k++) x[k] = r->z[q->first + (size_t)left[k]];
    if (sum_here(f, q, x, (size_t)count, rest, st)) return st->code;
    for (int c = 0; c < (q->only_value ? 1 : QUICK_SUMS); c++) sum[c] += rest[c];
    return ST_OK;
}

/* The answers to all questions of one flight. */
static void take_sums(struct rounds *r, struct fitter *f, size_t k, struct status *st)
{
    struct flight *a = &r->flight[r->asker[k]];
    for (size_t i = a->asks; i < a->asks + a->script.questions && !st->code; i++)
        if (!add_left(r, f, i, r->sum + i * QUICK_SUMS, st)) script_answer(&a->script, r->sum + i * QUICK_SUMS, st);
}

static void take_value(struct rounds *r, struct fitter *f, size_t k, struct status *st)
{
    struct flight *a = &r->flight[r->asker[k]];
    (void)f;
    for (size_t i = 0; i < a->script.questions && !st->code; i++) script_answer(&a->script, &r->sum[a->asks + i], st);
}

/* --- rounds -------------------------------------------------------------------- */

static int fit_room(struct rounds *r, size_t requests, struct status *st)
{
    if (requests <= r->room) return ST_OK;
    memory_release(r->request);
    memory_release(r->sum);
    memory_release(r->left);
    r->room = requests + requests / 2;
    r->request = memory_allocate(r->room * sizeof *r->request);
    r->sum = memory_allocate(r->room * QUICK_SUMS * sizeof *r->sum);
    r->left = memory_allocate(r->room * (MANY_LEFT + 1) * sizeof *r->left);
    if (r->request && r->sum && r->left) return ST_OK;
    return fail(st, ST_MEMORY, "no memory for %.0f sums at a time", (double)requests);
}

/* Whose questions are of one kind, and how many these are. */
static void find_askers(struct rounds *r, int exactly)
{
    r->askers = r->requests = 0;
    for (size_t i = 0; i < r->flights; i++) {
        struct flight *a = &r->flight[i];
        if (a->state != FLYING || (a->script.what == ASKS_EXACTLY) != exactly) continue;
        a->asks = r->requests;
        r->requests += a->script.questions;
        r->asker[r->askers++] = i;
    }
}

static void collect(struct rounds *r)
{
    struct many_request *q = r->request;
    for (size_t k = 0; k < r->askers; k++) {
        const struct flight *a = &r->flight[r->asker[k]];
        for (size_t i = 0; i < a->script.questions; i++, q++) {
            *q = a->script.question[i];
            q->first = (size_t)(a->course.sample.z - r->z);
            q->n = a->course.sample.n;
        }
    }
}

static int answer(struct rounds *r, int exactly, double *clock, struct status *st)
{
    find_askers(r, exactly);
    if (r->askers == 0) return ST_OK;
    if (fit_room(r, r->requests, st)) return st->code;
    collect(r);
    struct many_job job = {
        r->requests, r->request, { r->z, r->length }, r->number, exactly, r->sum, r->left
    };
    clock_in(&times.search, clock);
    if (backend_many(&job, r->crew->watch->poll, st)) return st->code;
    clock_in(exactly ? &times.exact : &times.device, clock);
    times.requests += (double)r->requests;
    in_parallel(r, exactly ? take_value : take_sums, r->askers, st);
    clock_in(&times.answer, clock);
    return st->code;
}

static size_t in_flight(const struct rounds *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->flights; i++) count += r->flight[i].state == FLYING;
    return count;
}

/* Until few are left; those the processor takes on. */
static int run(struct rounds *r, struct status *st)
{
    double clock = threads_clock();
    if (in_parallel(r, prepare, r->flights, st)) return st->code;
    clock_in(&times.prepare, &clock);
    for (;;) {
        if (in_parallel(r, fly, r->flights, st)) return st->code;
        if (in_flight(r) < (size_t)(LEAST * r->crew->threads)) break;
        times.rounds++;
        if (answer(r, 0, &clock, st) || answer(r, 1, &clock, st)) break;
    }
    clock_in(&times.search, &clock);
    if (st->code && st->code != ST_UNSUPPORTED) return st->code;
    st->code = ST_OK;
    for (size_t i = 0; i < r->flights; i++) times.grounded += r->flight[i].state != LANDED;
    in_parallel(r, land, r->flights, st);
    clock_in(&times.rest, &clock);
    return st->code;
}

/* --- waves --------------------------------------------------------------------- */

static int make_room(struct rounds *r, struct status *st)
{
    size_t n = r->flights;
    r->flight = memory_zeroed(n, sizeof *r->flight);
    r->z = memory_allocate(r->length * sizeof *r->z);
    r->asker = memory_allocate(n * sizeof *r->asker);
    if (r->flight && r->z && r->asker) return ST_OK;
    return fail(st, ST_MEMORY, "no memory for %.0f fits at a time", (double)n);
}

static void give_back(struct rounds *r)
{
    for (size_t i = 0; r->flight && i < r->flights; i++) script_free(&r->flight[i].script);
    memory_release(r->flight);
    memory_release(r->z);
    memory_release(r->request);
    memory_release(r->asker);
    memory_release(r->sum);
    memory_release(r->left);
}

/* The data sets from number `from` on that fly together; returns where the next wave begins. */
static size_t end_of_wave(struct rounds *r, size_t from, size_t count)
{
    r->flights = r->length = 0;
    for (; from < count; from++) {
        if (!rounds_take(&r->data[from])) continue;
        if (r->flights && r->length + r->data[from].n > WAVE) break;
        r->length += r->data[from].n;
        r->flights++;
    }
    return from;
}

static int fit_wave(struct rounds *r, size_t from, struct status *st)
{
    if (make_room(r, st)) return st->code;
    double *z = r->z;
    for (size_t i = 0; i < r->flights; from++) {
        if (!rounds_take(&r->data[from])) continue;
        r->flight[i].number = from;
        r->flight[i++].course.sample.z = z;
        z += r->data[from].n;
    }
    r->number = backend_data();
    run(r, st);
    backend_forget(r->number);
    return st->code;
}

int rounds_fit(const struct rounds_crew *crew, const struct fit_data *data, size_t count, const struct fit_wish *wish,
               struct fit_result *result, struct status *st)
{
    for (int i = 0; i < crew->threads; i++) fitter_serve(&crew->fitters[i], crew->watch, i == 0);
    for (size_t from = 0; from < count && !st->code;) {
        struct rounds r = { .crew = crew, .data = data, .wish = wish, .result = result };
        size_t next = end_of_wave(&r, from, count);
        if (r.flights) fit_wave(&r, from, st);
        give_back(&r);
        from = next;
    }
    for (int i = 0; i < crew->threads; i++) fitter_rest(&crew->fitters[i]);
    return st->code;
}
