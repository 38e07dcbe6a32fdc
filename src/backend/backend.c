/* backend/backend.c: chooses where a job runs, works it off in slices, and polls for
 * interrupts between them.
 *
 * Under "auto" a job starts on the CPU.  Once jobs that a first slice does not finish add
 * up to more than it costs to wake a driver, it is worth while to know the crossover of
 * this kind of job: it is then measured, and later jobs beyond it go to the device at once.
 * So small jobs never wake a driver.  When a device fails, the CPU goes on from the slice
 * that failed, and "auto" does not come back to devices until it is asked for again.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "backend.h"
#include "choice.h"
#include "columns.h"
#include "crossover.h"
#include "cpu/blocks.h"
#include "cpu/cpu.h"
#include "grouped.h"
#include "sessions.h"
#include "task.h"
#include "threads.h"
#include "verify.h"
#include "opencl/devices.h"
#include "../base/process.h"

/* An interrupt is noticed within this time (seconds). */
#define SLICE_SECONDS 0.1

/* Jobs that the CPU does in this time are its own, whatever devices there are. */
#define WORTH_SECONDS 0.05

/* To find devices, open one and build programs takes a few tenths of a second: longer
 * jobs must have come up to that. */
#define WAKE_SECONDS 0.5

/* Integrals go to a device under "auto" if the CPU would need so long for them: where the session has their program,
 * where it has none yet, and where there is no session. */
#define INTEGRALS_KNOWN  0.02
#define INTEGRALS_NEW    0.5
#define INTEGRALS_CLOSED 2.0

#define WISH_LENGTH 256

static char wishes[WISH_SOURCES][WISH_LENGTH];
static char given_up[1200];             /* why "auto" does without devices, or "" */
static int notice_due;
static double polled;                   /* when (threads_clock) */
static double cpu_seconds;              /* that longer jobs have taken or will take */
static int integrals_lost;              /* the device has been slower than the CPU */

static enum wish_source source_in_force(void)
{
    int s = 0;
    while (s < WISH_SOURCES && !wishes[s][0]) s++;
    return (enum wish_source)s;
}

static const char *wish_in_force(void)
{
    enum wish_source s = source_in_force();
    return s < WISH_SOURCES ? wishes[s] : "auto";
}

/* One call: where it runs, and whether that may still change. */
struct run {
    const struct task *task;
    struct slice slice;
    struct place place, cpu;
    int is_auto, undecided;
};

/* Prefixes the failure with the devices it happened on. */
static void name_devices(const struct choice *c, struct status *st)
{
    int count;
    const struct device *d = devices_list(&count);
    struct status plain = *st;

    if (c->count == 1 && c->device[0] < count)
        fail(st, plain.code, "the device '%s' failed: %.800s", d[c->device[0]].name, plain.message);
    else
        fail(st, plain.code, "one of %d devices failed: %.900s", c->count, plain.message);
}

/* The failure is told to the user once, by backend_notice(); the call goes on. */
static int give_up(struct run *r, struct status *st)
{
    snprintf(given_up, sizeof given_up, "%s", st->message);
    notice_due = 1;
    st->code = ST_OK;
    r->place = r->cpu;
    return ST_OK;
}

/* After a failure on devices: the CPU takes over, or the call has failed. */
static int device_failed(struct run *r, const struct choice *devices, struct status *st)
{
    struct choice those = *devices;     /* may be what is closed now */

    sessions_close_devices();
    name_devices(&those, st);
    if (r->is_auto) return give_up(r, st);
    return st->code;
}

static int move_to(struct run *r, const struct choice *devices, struct status *st)
{
    if (sessions_devices(devices, &r->place, st)) return device_failed(r, devices, st);
    return ST_OK;
}

static int start_auto(struct run *r, struct status *st)
{
    int kind = crossover_kind(r->task);
    struct choice device;

    r->is_auto = 1;
    if (kind < 0 || given_up[0]) return ST_OK;
    double crossover = crossover_of(kind);
    r->undecided = isnan(crossover);
    if (r->undecided) r->slice.seconds = WORTH_SECONDS;
    if ((double)r->task->n > crossover && choice_auto(&device)) return move_to(r, &device, st);
    return ST_OK;
}

static int start(struct run *r, struct status *st)
{
    enum choice_kind kind;
    struct choice devices;

    if (sessions_cpu(&r->cpu, st)) return st->code;
    r->place = r->cpu;
    if (process_is_child()) return ST_OK;
    if (choice_resolve(wish_in_force(), &kind, &devices, st)) return st->code;
    if (kind == CHOICE_CPU) return ST_OK;
    return kind == CHOICE_AUTO ? start_auto(r, st) : move_to(r, &devices, st);
}

/* After the first slice, which took `seconds` on the CPU. */
static int decide(struct run *r, double seconds, struct status *st)
{
    int kind = crossover_kind(r->task);
    double left = (double)(r->task->n - r->slice.first);
    double seconds_left = seconds / (double)r->slice.done * left;
    struct choice device;
    struct place place;

    r->undecided = 0;
    r->slice.seconds = SLICE_SECONDS;
    cpu_seconds += seconds + seconds_left;
    if (seconds_left < WORTH_SECONDS || cpu_seconds < WAKE_SECONDS || !choice_auto(&device))
        return ST_OK;
    if (sessions_devices(&device, &place, st) || crossover_measure(kind, &place, &r->cpu, st))
        return device_failed(r, &device, st);
    if (left > crossover_of(kind)) r->place = place;
    return ST_OK;
}

static int one_slice(struct run *r, struct status *st)
{
    int nans = r->slice.nans;
    double start = threads_clock();

    r->slice.done = 0;
    if (!task_slice(r->task, r->place.backend, r->place.session, &r->slice, st)) {
        r->slice.first += r->slice.done;
        if (!r->undecided || r->slice.first >= r->task->n) return ST_OK;
        return decide(r, threads_clock() - start, st);
    }
    r->slice.nans = nans;
    if (r->place.backend == r->cpu.backend) return st->code;
    if (st->code != ST_UNSUPPORTED) return device_failed(r, sessions_open_devices(), st);
    st->code = ST_OK;
    r->place = r->cpu;
    return ST_OK;
}

/* Asks at the end of a slice, and now and then where short calls come in a row. */
static int is_interrupted(poll_function poll)
{
    double now = threads_clock();
    if (!poll || fabs(now - polled) < 0.5 * SLICE_SECONDS) return 0;
    polled = now;
    return poll();
}

static int run(struct task task, poll_function poll, int *nans, struct status *st)
{
    struct run r = { &task, { 0, SLICE_SECONDS, 0, 0 }, { NULL, NULL }, { NULL, NULL }, 0, 0 };

    if (start(&r, st)) return st->code;
    while (r.slice.first < task.n) {
        if (is_interrupted(poll))
            return fail(st, ST_INTERRUPTED, "interrupted");
        if (one_slice(&r, st)) return st->code;
    }
    *nans = r.slice.nans;
    return ST_OK;
}

static int eval_part(const void *like, const struct columns *c, poll_function poll, int *nans, struct status *st)
{
    struct eval_job job = *(const struct eval_job *)like;
    job.n = c->n;
    job.x = c->x;
    job.laws = c->laws;
    job.pdf = c->out[0];
    job.cdf = c->out[1];
    job.sf = c->out[2];
    job.error = c->out[3];
    return run(task_eval(&job), poll, nans, st);
}

int backend_eval(const struct eval_job *job, poll_function poll, int *nans, struct status *st)
{
    struct columns c = { job->n, job->x, job->laws, { job->pdf, job->cdf, job->sf, job->error } };
    return grouped_run(job, &c, eval_part, poll, nans, st);
}

static int quantile_part(const void *like, const struct columns *c, poll_function poll, int *nans, struct status *st)
{
    struct quantile_job job = *(const struct quantile_job *)like;
    job.n = c->n;
    job.p = c->x;
    job.laws = c->laws;
    job.q = c->out[0];
    return run(task_quantile(&job), poll, nans, st);
}

int backend_quantile(const struct quantile_job *job, poll_function poll, int *nans, struct status *st)
{
    struct columns c = { job->n, job->p, job->laws, { job->q, NULL, NULL, NULL } };
    return grouped_run(job, &c, quantile_part, poll, nans, st);
}

int backend_random(const struct random_job *job, poll_function poll, int *nans,
                   struct status *st)
{
    return run(task_random(job), poll, nans, st);
}

int backend_mode(const struct mode_job *job, poll_function poll, int *nans, struct status *st)
{
    return run(task_mode(job), poll, nans, st);
}

int backend_loglik(const struct loglik_job *job, poll_function poll, double *sum, struct status *st)
{
    struct loglik_job own = *job;
    size_t blocks = blocks_of(job->n);
    int nans;

    own.block = calloc(blocks + 1, sizeof *own.block);
    if (!own.block) return fail(st, ST_MEMORY, "no memory for the sums of %.0f blocks", (double)blocks);
    if (!run(task_loglik(&own), poll, &nans, st)) *sum = blocks_total(&own);
    free(own.block);
    return st->code;
}

static int by_number(const void *a, const void *b)
{
    size_t i = *(const size_t *)a, k = *(const size_t *)b;
    return (i > k) - (i < k);
}

static int quick_sums(const struct quick_job *job, struct left *left, poll_function poll, double *sum, int *nans,
                      struct status *st)
{
    struct quick_job own = *job;
    size_t blocks = blocks_of(job->n);

    own.sum = calloc((blocks + 1) * QUICK_SUMS, sizeof *sum);
    own.left = left;
    if (!own.sum) return fail(st, ST_MEMORY, "no memory for the sums of %.0f blocks", (double)blocks);
    if (!run(task_quick(&own), poll, nans, st)) blocks_sums(&own, sum);
    free(own.sum);
    return st->code;
}

/* Adds the sums over the elements that a device has left. */
static int add_left(const struct quick_job *job, struct left *left, poll_function poll, double *sum, int *nans,
                    struct status *st)
{
    size_t n = left->count;
    double *x = malloc(2 * n * sizeof *x), *weight = x ? x + n : NULL, rest[QUICK_SUMS];
    struct quick_job others = *job;

    if (!x) return fail(st, ST_MEMORY, "no memory for %.0f elements", (double)n);
    qsort(left->at, n, sizeof *left->at, by_number);
    for (size_t k = 0; k < n; k++) {
        x[k] = column_value(job->x, left->at[k]);
        weight[k] = job->weight.length ? column_value(job->weight, left->at[k]) : 1.0;
    }
    others.n = others.x.length = others.weight.length = n;
    others.x.at = x;
    others.weight.at = weight;
    if (!quick_sums(&others, NULL, poll, rest, nans, st))
        for (int c = 0; c < QUICK_SUMS; c++) sum[c] += rest[c];
    free(x);
    return st->code;
}

int backend_quick(const struct quick_job *job, poll_function poll, double *sum, int *nans, struct status *st)
{
    struct left left = { NULL, 0, 0 };

    if (!sum) return run(task_quick(job), poll, nans, st);
    if (!quick_sums(job, &left, poll, sum, nans, st) && left.count) add_left(job, &left, poll, sum, nans, st);
    free(left.at);
    return st->code;
}

int backend_logliks(const struct logliks_job *job, poll_function poll, struct status *st)
{
    int nans;
    return run(task_logliks(job), poll, &nans, st);
}

/* Jobs of many samples: seconds that longer ones were to take, and what a second of these takes on the CPU and on
 * a device (0: not known). */
static double many_seconds, many_pace[2];

/* Under "auto", once these come up to what waking a driver costs, as long as the device is the faster one. */
static int auto_takes_many(double seconds)
{
    struct choice device;
    int is_slower = many_pace[0] > 0.0 && many_pace[1] > many_pace[0];

    if (given_up[0]) return 0;
    if (crossover_is_forced()) return choice_auto(&device);
    if (seconds < WORTH_SECONDS || is_slower) return 0;
    many_seconds += seconds;
    return many_seconds > WAKE_SECONDS && choice_auto(&device);
}

int backend_takes_many(double seconds)
{
    enum choice_kind kind;
    struct choice devices;
    struct status unused = { ST_OK, "" };

    if (process_is_child() || choice_resolve(wish_in_force(), &kind, &devices, &unused)) return 0;
    return kind == CHOICE_AUTO ? auto_takes_many(seconds) : kind == CHOICE_DEVICE;
}

/* The first one on a device has opened it. */
void backend_took_many(int on_device, double expected, double seconds)
{
    static int is_open;
    if (expected < WORTH_SECONDS) return;
    if (!on_device || is_open) many_pace[on_device] = seconds / expected;
    is_open |= on_device;
}

/* The device of a job of many samples; the CPU has its own way with these. */
static int start_many(struct run *r, struct status *st)
{
    enum choice_kind kind;
    struct choice devices;

    if (choice_resolve(wish_in_force(), &kind, &devices, st)) return st->code;
    r->is_auto = kind == CHOICE_AUTO;
    if (kind == CHOICE_CPU || process_is_child() || (r->is_auto && (given_up[0] || !choice_auto(&devices))))
        return ST_OK;
    return move_to(r, &devices, st);
}

/* A slice, one of whose requests is looked at. */
static int one_of_many(struct run *r, const struct many_job *job, struct status *st)
{
    if (!r->place.backend->many(r->place.session, job, &r->slice, st)) {
        struct many_job done = *job;
        done.n = r->slice.first + r->slice.done;
        if (!verify_many(&done, r->slice.first, st)) {
            r->slice.first = done.n;
            return ST_OK;
        }
    }
    if (st->code == ST_UNSUPPORTED || st->code == ST_MEMORY) return st->code;
    return device_failed(r, sessions_open_devices(), st);
}

int backend_many(const struct many_job *job, poll_function poll, struct status *st)
{
    struct run r = { .slice = { 0, SLICE_SECONDS, 0, 0 } };

    if (start_many(&r, st)) return st->code;
    while (r.place.session && r.slice.first < job->n) {
        if (is_interrupted(poll)) return fail(st, ST_INTERRUPTED, "interrupted");
        if (one_of_many(&r, job, st)) return st->code;
    }
    return r.place.session ? ST_OK : fail(st, ST_UNSUPPORTED, "no device is in force");
}

int backend_wanted(const char *wish, enum wanted *wanted, struct status *st)
{
    static const enum wanted of[] = { [CHOICE_AUTO] = WANTED_AUTO, [CHOICE_CPU] = WANTED_CPU,
                                      [CHOICE_DEVICE] = WANTED_DEVICE };
    enum choice_kind kind;
    struct choice devices;

    *wanted = WANTED_CPU;
    if (process_is_child()) return ST_OK;
    if (choice_resolve(*wish ? wish : wish_in_force(), &kind, &devices, st)) return st->code;
    *wanted = of[kind];
    return ST_OK;
}

int backend_may_gain(double seconds)
{
    return crossover_is_forced() || (!given_up[0] && !integrals_lost && seconds >= INTEGRALS_KNOWN);
}

/* A job that only devices do, of some size; `seconds`: what it would take without them. */
struct device_job {
    const char *source;
    double size, seconds;
    size_t parts;                       /* of which slices are made */
    int (*slice)(const struct place *, const void *job, struct slice *, struct status *);
    const void *job;
};

static int is_worth(const struct device_job *d, const struct choice *device)
{
    const struct choice *open = sessions_open_devices();
    struct place place;
    struct status st = { ST_OK, "" };

    if (crossover_is_forced()) return d->size > crossover_of(0);
    if (!backend_may_gain(d->seconds)) return 0;
    if (!open || !choice_equal(open, device)) return d->seconds >= INTEGRALS_CLOSED;
    if (d->seconds >= INTEGRALS_NEW) return 1;
    return !sessions_devices(device, &place, &st) && place.backend->has_integrand(place.session, d->source);
}

static int start_device(struct run *r, const struct device_job *d, const char *wish, struct status *st)
{
    enum choice_kind kind;
    struct choice devices;

    if (sessions_cpu(&r->cpu, st)) return st->code;
    r->place = r->cpu;
    if (process_is_child()) return ST_OK;
    if (choice_resolve(*wish ? wish : wish_in_force(), &kind, &devices, st)) return st->code;
    r->is_auto = kind == CHOICE_AUTO;
    if (kind == CHOICE_CPU) return ST_OK;
    if (r->is_auto && (given_up[0] || !choice_auto(&devices) || !is_worth(d, &devices))) return ST_OK;
    return move_to(r, &devices, st);
}

static int run_device(const struct device_job *d, const char *wish, poll_function poll, size_t *done,
                      struct status *st)
{
    struct run r = { NULL, { 0, SLICE_SECONDS, 0, 0 }, { NULL, NULL }, { NULL, NULL }, 0, 0 };

    *done = 0;
    if (start_device(&r, d, wish, st)) return st->code;
    if (r.place.backend == r.cpu.backend) return ST_OK;
    int was_built = r.place.backend->has_integrand(r.place.session, d->source);
    double start = threads_clock();
    while (r.slice.first < d->parts && r.place.backend != r.cpu.backend) {
        if (is_interrupted(poll)) return fail(st, ST_INTERRUPTED, "interrupted");
        r.slice.done = 0;
        if (d->slice(&r.place, d->job, &r.slice, st)) {
            if (st->code == ST_UNSUPPORTED) return st->code;
            if (device_failed(&r, sessions_open_devices(), st)) return st->code;
        } else
            *done = r.slice.first += r.slice.done;
    }
    integrals_lost |= r.is_auto && was_built && *done == d->parts && threads_clock() - start > d->seconds;
    return ST_OK;
}

static int integrals_slice(const struct place *p, const void *job, struct slice *slice, struct status *st)
{
    return p->backend->integrals(p->session, job, slice, st);
}

int backend_integrals(const struct integrals_job *job, const char *wish, double seconds, poll_function poll,
                      size_t *done, struct status *st)
{
    struct device_job d = { job->source, (double)job->n, seconds, job->n, integrals_slice, job };
    return run_device(&d, wish, poll, done, st);
}

static int cubes_slice(const struct place *p, const void *job, struct slice *slice, struct status *st)
{
    return p->backend->cubes(p->session, job, slice, st);
}

int backend_cubes(const struct cubes_job *job, double points, const char *wish, double seconds, poll_function poll,
                  int *done, struct status *st)
{
    struct device_job d = { job->box.source, points, seconds, job->shares, cubes_slice, job };
    size_t shares;
    run_device(&d, wish, poll, &shares, st);
    *done = shares == job->shares;
    return st->code;
}

static int lattice_slice(const struct place *p, const void *job, struct slice *slice, struct status *st)
{
    return p->backend->lattice(p->session, job, slice, st);
}

int backend_lattice(const struct lattice_job *job, double points, const char *wish, double seconds,
                    poll_function poll, int *done, struct status *st)
{
    struct device_job d = { job->box.source, points, seconds, job->shares, lattice_slice, job };
    size_t shares;
    run_device(&d, wish, poll, &shares, st);
    *done = shares == job->shares;
    return st->code;
}

unsigned long backend_data(void)
{
    static unsigned long last;
    return ++last;
}

void backend_forget(unsigned long data)
{
    sessions_forget_data(data);
}

int backend_score(const struct score_job *job, poll_function poll, int *nans, struct status *st)
{
    return run(task_score(job), poll, nans, st);
}

int backend_wish(enum wish_source source, const char *text, struct status *st)
{
    enum choice_kind kind;
    struct choice devices;

    if (strlen(text) >= WISH_LENGTH)
        return fail(st, ST_DEVICE, "the name of a backend has fewer than %d letters", WISH_LENGTH);
    if (source == WISH_CALL) {
        if (!process_is_child() && choice_resolve(text, &kind, &devices, st)) return st->code;
        given_up[0] = 0;
        notice_due = 0;
        integrals_lost = 0;
    }
    memcpy(wishes[source], text, strlen(text) + 1);
    return ST_OK;
}

const char *backend_wished(enum wish_source source)
{
    return wishes[source];
}

const char *backend_notice(void)
{
    int due = notice_due;
    notice_due = 0;
    return due ? given_up : NULL;
}

const char *backend_given_up(void)
{
    return given_up;
}

void backend_describe(struct backend_state *s)
{
    enum choice_kind kind;
    struct status ok = { ST_OK, "" };
    const struct choice *open = sessions_open_devices();

    s->wish = wish_in_force();
    s->source = source_in_force();
    s->is_child = process_is_child();
    s->given_up = given_up;
    s->wrong = ok;
    if (choice_resolve(s->wish, &kind, &s->devices, &s->wrong)) s->devices.count = 0;
    s->is_auto = kind == CHOICE_AUTO;
    if (s->is_auto && !given_up[0]) choice_auto(&s->devices);
    if (s->is_child) s->devices.count = 0;
    s->is_open = s->devices.count > 0 && open && choice_equal(open, &s->devices);
}

int backend_threads(void)
{
    return threads_limit();
}

/* More threads make the CPU faster: what was measured holds no longer. */
void backend_wish_threads(int call_wish, int option_wish)
{
    threads_wish(call_wish, option_wish);
    if (call_wish >= 0) crossover_forget();
}

int backend_cache_limit(double limit, double *before, struct status *st)
{
    struct place cpu;
    if (sessions_cpu(&cpu, st)) return st->code;
    *before = cpu_cache_limit(cpu.session, limit);
    return ST_OK;
}

int backend_cache_list(struct cache_entry *entries, int room, struct status *st)
{
    struct place cpu;
    return sessions_cpu(&cpu, st) ? -1 : cpu_cache_list(cpu.session, entries, room);
}

void backend_load(void)
{
    const char *wish = getenv("STABLECL_BACKEND");

    process_load();
    threads_load();
    if (wish && strlen(wish) < WISH_LENGTH) memcpy(wishes[WISH_ENVIRONMENT], wish, strlen(wish) + 1);
}

void backend_unload(void)
{
    sessions_close_all();
    verify_unload();
}
