/* Runs jobs: chooses the CPU or devices, runs the job in slices, and polls for interrupts between them.
 *
 * Under "auto" a job starts on the CPU.  Once jobs that are not finished within a first slice have taken as long as
 * loading a driver, the crossover of this kind of job is measured; later jobs above it go to the device at once.
 * Small jobs therefore never load a driver.  If a device fails, the CPU continues from the slice that failed, and
 * "auto" does not use devices again until the user requests it.  While a program is being compiled for a device, "auto"
 * computes on the CPU.
 *
 * Parts of integrals, and sums over many samples (fit/lockstep.c), are computed here only by devices.  Under "auto" a
 * device computes sums over many samples once jobs have taken as long as loading a driver, and as long as it is faster.
 */
#include <math.h>
#include <string.h>
#include "backend.h"
#include "columns.h"
#include "groups.h"
#include "selection.h"
#include "verify.h"
#include "../base/background.h"
#include "../base/parallel.h"
#include "../base/process.h"
#include "../opencl/devices.h"

/* Largest delay until an interrupt is noticed, in seconds. */
#define SLICE_SECONDS 0.1

/* Jobs that take less time than this on the CPU never use a device (seconds). */
#define DEVICE_JOB_SECONDS 0.05

/* Finding devices, opening one and building programs takes a few tenths of a second.  Devices are considered
 * only after longer jobs have taken this time in total. */
#define DEVICE_START_SECONDS 0.5

/* The execution of a job: the slice to compute next, the backend it runs on, and whether that may still change. */
struct run {
    const struct element_job *job;      /* NULL for jobs that only devices compute */
    struct slice slice;
    struct target target, cpu;
    int is_auto, undecided, is_counted; /* is_counted: cpu_seconds contains its time */
};

/* selection_resolve() with the preference in force in place of "". */
static int select_devices(const char *preference, enum precision precision, enum selection_kind *kind,
                          struct selection *devices, struct status *st)
{
    return selection_resolve(*preference ? preference : preference_in_force(), precision, kind, devices, st);
}

/* Selects the devices of a run.  A device that was selected by name is waited for while its programs are compiled. */
static int select_for(struct run *r, const char *preference, enum precision precision, enum selection_kind *kind,
                      struct selection *devices, struct status *st)
{
    if (select_devices(preference, precision, kind, devices, st)) return st->code;
    r->is_auto = *kind == SELECTION_AUTO;
    background_set_waiting(!r->is_auto || crossover_is_forced());
    return ST_OK;
}

static double polled;                   /* time of the last poll (threads_clock) */
static double cpu_seconds;              /* time that longer jobs have taken or will take */

/* Adds the names of the devices to the message of a failure. */
static void name_devices(const struct selection *c, struct status *st)
{
    int count;
    const struct device *d = devices_list(&count);
    struct status original = *st;

    if (c->count == 1 && c->device[0] < count)
        fail(st, original.code, "the device '%s' failed: %.800s", d[c->device[0]].name, original.message);
    else
        fail(st, original.code, "one of %d devices failed: %.900s", c->count, original.message);
}

/* The user is notified of the failure once; the call continues on the CPU. */
static int give_up(struct run *r, struct status *st)
{
    preference_give_up(st->message);
    st->code = ST_OK;
    r->target = r->cpu;
    return ST_OK;
}

/* Handles a failure of devices: under "auto" the job continues on the CPU, otherwise the call fails.  An interrupt and
 * a program that is still being compiled are no failures. */
static int device_failed(struct run *r, const struct selection *devices, struct status *st)
{
    if (st->code == ST_INTERRUPTED) return st->code;
    if (st->code == ST_BUSY) {
        st->code = ST_OK;
        r->target = r->cpu;
        return ST_OK;
    }
    struct selection those = *devices;  /* a copy: `devices` may belong to the session closed here */

    sessions_close_devices();
    name_devices(&those, st);
    if (r->is_auto) return give_up(r, st);
    return st->code;
}

/* Jobs that only devices compute are not part of the self-test: their first results are compared with the CPU's. */
static int move_to(struct run *r, const struct selection *devices, struct status *st)
{
    unsigned parts = r->job ? selftest_parts(r->job) : 0;
    if (sessions_devices(devices, parts, &r->target, st)) return device_failed(r, devices, st);
    return ST_OK;
}

/* Under "auto" a device computes jobs in single precision from this number of elements on. */
#define SINGLE_MIN 1e6

static int start_single(struct run *r, struct status *st)
{
    double minimum = crossover_is_forced() ? crossover_of(0) : SINGLE_MIN;
    struct selection device;

    if (preference_given_up()[0] || (double)r->job->n < minimum || !selection_auto(PRECISION_SINGLE, &device))
        return ST_OK;
    return move_to(r, &device, st);
}

static int start_auto(struct run *r, struct status *st)
{
    int kind = crossover_kind(r->job);
    struct selection device;

    if (r->job->precision == PRECISION_SINGLE) return start_single(r, st);
    if (kind < 0 || preference_given_up()[0]) return ST_OK;
    double crossover = crossover_of(kind);
    r->undecided = isnan(crossover);
    if (r->undecided) r->slice.seconds = DEVICE_JOB_SECONDS;
    if ((double)r->job->n > crossover && selection_auto(PRECISION_DOUBLE, &device)) return move_to(r, &device, st);
    return ST_OK;
}

static int start(struct run *r, struct status *st)
{
    enum selection_kind kind;
    struct selection devices;

    if (sessions_cpu(&r->cpu, st)) return st->code;
    r->target = r->cpu;
    if (process_is_child() || r->job->on_cpu) return ST_OK;
    if (select_for(r, "", r->job->precision, &kind, &devices, st)) return st->code;
    if (kind == SELECTION_CPU) return ST_OK;
    return kind == SELECTION_AUTO ? start_auto(r, st) : move_to(r, &devices, st);
}

/* Decides after a slice of `done` elements, which took `seconds` on the CPU, where the rest of the job runs: after the
 * first one, or later if programs are still being compiled. */
static int decide(struct run *r, size_t done, double seconds, struct status *st)
{
    int kind = crossover_kind(r->job);
    double left = (double)(r->job->n - r->slice.first);
    double seconds_left = seconds / (double)done * left;
    struct selection device;
    struct target target;

    r->slice.seconds = SLICE_SECONDS;
    if (!r->is_counted) cpu_seconds += seconds + seconds_left;
    r->is_counted = 1;
    if (background_is_busy()) return ST_OK;
    r->undecided = 0;
    if (seconds_left < DEVICE_JOB_SECONDS || cpu_seconds < DEVICE_START_SECONDS) return ST_OK;
    if (!selection_auto(PRECISION_DOUBLE, &device)) return ST_OK;
    if (sessions_devices(&device, selftest_parts(r->job), &target, st) ||
        crossover_measure(kind, &target, &r->cpu, st)) {
        r->undecided = st->code == ST_BUSY;
        return device_failed(r, &device, st);
    }
    if (left > crossover_of(kind)) r->target = target;
    return ST_OK;
}

static int is_on_device(const struct run *r)
{
    return r->target.backend != r->cpu.backend;
}

/* TRUE if a device that was selected by name must compute the job: elements that a user has requested, and whatever is
 * requested in single precision.  Sums of fits and starting values are parts of larger computations, in which the CPU
 * computes what devices do not support. */
static int is_obligatory(const struct run *r)
{
    enum quantity q = r->job->quantity;
    int is_single = r->job->precision == PRECISION_SINGLE;
    return !r->is_auto && (is_single || q == JOB_VALUES || q == JOB_QUANTILES || q == JOB_VARIATES);
}

/* Adds the remedy to the message of a job that devices do not support. */
static int fail_unsupported(struct status *st)
{
    struct status original = *st;
    return fail(st, original.code, "%.800s; select the CPU by stable_backend(\"cpu\"), or use stable_backend(\"auto\")",
                original.message);
}

/* Moves the job to the CPU after a slice has failed on a device, if that is permitted. */
static int fall_back(struct run *r, struct status *st)
{
    if (!is_on_device(r)) return st->code;
    if (st->code != ST_UNSUPPORTED) return device_failed(r, sessions_open_devices(), st);
    if (is_obligatory(r)) return fail_unsupported(st);
    st->code = ST_OK;
    r->target = r->cpu;
    return ST_OK;
}

/* Accepts the results of a slice, which began at this time, or leaves it to be computed again. */
static int end_slice(struct run *r, const struct slice *slice, double begin, struct status *st)
{
    if (!st->code && is_on_device(r)) verify_slice(r->job, slice, threads_clock() - begin, st);
    if (st->code) return fall_back(r, st);
    r->slice.first += slice->done;
    r->slice.nans = slice->nans;
    return r->undecided && r->slice.first < r->job->n ? decide(r, slice->done, threads_clock() - begin, st) : ST_OK;
}

/* Polls for interrupts at most every half SLICE_SECONDS, so that sequences of short calls are also interruptible. */
static int is_interrupted(poll_function poll, struct status *st)
{
    double now = threads_clock();
    if (!poll || fabs(now - polled) < 0.5 * SLICE_SECONDS) return 0;
    polled = now;
    return poll() && fail(st, ST_INTERRUPTED, "interrupted");
}

int backend_run(const struct element_job *job, poll_function poll, int *nans, struct status *st)
{
    struct parts parts;
    struct element_job part;

    *nans = 0;
    if (parts_find(&parts, job, poll, st)) return st->code;
    for (size_t k = 0; k < parts.count && !st->code; k++) {
        struct run r = { .job = parts_job(&parts, k, &part), .slice = { .seconds = SLICE_SECONDS } };
        start(&r, st);
        while (!st->code && r.slice.first < r.job->n && !is_interrupted(poll, st)) {
            struct slice slice = r.slice;
            double begin = threads_clock();
            r.target.backend->run(r.target.session, r.job, &slice, st);
            end_slice(&r, &slice, begin, st);
        }
        *nans |= r.slice.nans;
    }
    parts_end(&parts, !st->code);
    return st->code;
}

/* --- parts of integrals --- */

/* Smallest estimated time on the CPU, in seconds, for which "auto" uses a device: if the open session has the
 * program of the integrand, if it does not, and if no session is open. */
#define INTEGRALS_KNOWN  0.02
#define INTEGRALS_NEW    0.5
#define INTEGRALS_CLOSED 2.0

static int is_slower;                   /* whether the device was slower than the CPU */

void device_dispatch_forget(void)
{
    is_slower = 0;
}

int backend_wanted(const char *preference, enum precision precision, enum wanted *wanted, struct status *st)
{
    static const enum wanted of[] = { [SELECTION_AUTO] = WANTED_AUTO, [SELECTION_CPU] = WANTED_CPU,
                                      [SELECTION_DEVICE] = WANTED_DEVICE };
    enum selection_kind kind;
    struct selection devices;

    *wanted = WANTED_CPU;
    if (process_is_child()) return ST_OK;
    if (select_devices(preference, precision, &kind, &devices, st)) return st->code;
    *wanted = of[kind];
    return ST_OK;
}

int backend_computes_one_on_cpu(void)
{
    const char *preference = preference_in_force();
    return !crossover_is_forced() && (!strcmp(preference, "auto") || !strcmp(preference, "cpu"));
}

int backend_device_may_be_faster(double seconds)
{
    return crossover_is_forced() || (!preference_given_up()[0] && !is_slower && seconds >= INTEGRALS_KNOWN);
}

static int is_worthwhile(const struct device_work *w, const struct selection *device)
{
    const struct selection *open = sessions_open_devices();
    struct target target;
    struct status st = { ST_OK, "" };

    if (crossover_is_forced()) return w->size > crossover_of(0);
    if (!backend_device_may_be_faster(w->seconds)) return 0;
    if (!open || !selection_equal(open, device)) return w->seconds >= INTEGRALS_CLOSED;
    if (w->seconds >= INTEGRALS_NEW) return 1;
    return !sessions_devices(device, 0, &target, &st) && w->is_built(target.session, w->job);
}

static int start_device(struct run *r, const struct device_work *w, const char *preference, struct status *st)
{
    enum selection_kind kind;
    struct selection devices;

    if (sessions_cpu(&r->cpu, st)) return st->code;
    r->target = r->cpu;
    if (process_is_child()) return ST_OK;
    if (select_for(r, preference, w->precision, &kind, &devices, st)) return st->code;
    if (kind == SELECTION_CPU) return ST_OK;
    if (r->is_auto &&
        (preference_given_up()[0] || !selection_auto(w->precision, &devices) || !is_worthwhile(w, &devices)))
        return ST_OK;
    return move_to(r, &devices, st);
}

int device_dispatch(const struct device_work *w, const char *preference, poll_function poll, size_t *done,
                    struct status *st)
{
    struct run r = { .slice = { .seconds = SLICE_SECONDS } };

    *done = 0;
    if (start_device(&r, w, preference, st)) return st->code;
    if (!is_on_device(&r)) return ST_OK;
    int was_built = w->is_built(r.target.session, w->job);
    double start = threads_clock();
    while (r.slice.first < w->parts && is_on_device(&r)) {
        if (is_interrupted(poll, st)) return st->code;
        r.slice.done = 0;
        if (w->slice(r.target.session, w->job, &r.slice, st)) {
            if (st->code == ST_UNSUPPORTED) return st->code;
            if (device_failed(&r, sessions_open_devices(), st)) return st->code;
        } else
            *done = r.slice.first += r.slice.done;
    }
    is_slower |= r.is_auto && was_built && *done == w->parts && threads_clock() - start > w->seconds;
    return ST_OK;
}

/* --- many samples --- */

/* For jobs of many samples: the total estimated time of the longer ones, and the ratio of actual to estimated
 * time on the CPU and on a device (0: not measured). */
static double many_seconds, many_time_ratio[2];

static int auto_many_on_device(double seconds)
{
    struct selection device;
    int is_slower = many_time_ratio[0] > 0.0 && many_time_ratio[1] > many_time_ratio[0];

    if (preference_given_up()[0]) return 0;
    if (crossover_is_forced()) return selection_auto(PRECISION_DOUBLE, &device);
    if (seconds < DEVICE_JOB_SECONDS || is_slower) return 0;
    many_seconds += seconds;
    return many_seconds > DEVICE_START_SECONDS && selection_auto(PRECISION_DOUBLE, &device);
}

int backend_many_on_device(double seconds)
{
    enum selection_kind kind;
    struct selection devices;
    struct status unused = { ST_OK, "" };

    if (process_is_child() || select_devices("", PRECISION_DOUBLE, &kind, &devices, &unused)) return 0;
    return kind == SELECTION_AUTO ? auto_many_on_device(seconds) : kind == SELECTION_DEVICE;
}

/* The first job on a device is not measured, because it includes opening the device. */
void backend_record_many(int on_device, double expected, double seconds)
{
    static int is_open;
    if (expected < DEVICE_JOB_SECONDS) return;
    if (!on_device || is_open) many_time_ratio[on_device] = seconds / expected;
    is_open |= on_device;
}

static int start_many(struct run *r, struct status *st)
{
    enum selection_kind kind;
    struct selection devices;

    if (select_for(r, "", PRECISION_DOUBLE, &kind, &devices, st)) return st->code;
    if (kind == SELECTION_CPU || process_is_child() ||
        (r->is_auto && (preference_given_up()[0] || !selection_auto(PRECISION_DOUBLE, &devices))))
        return ST_OK;
    return move_to(r, &devices, st);
}

/* Runs a slice and verifies one of its requests. */
static int run_many_slice(struct run *r, const struct many_job *job, struct status *st)
{
    double start = threads_clock();
    if (!r->target.backend->many(r->target.session, job, &r->slice, st)) {
        size_t done = r->slice.first + r->slice.done;
        if (!verify_many(job, r->slice.first, done, threads_clock() - start, st)) {
            r->slice.first = done;
            return ST_OK;
        }
    }
    if (st->code == ST_UNSUPPORTED || st->code == ST_MEMORY) return st->code;
    return device_failed(r, sessions_open_devices(), st);
}

int backend_many(const struct many_job *job, poll_function poll, struct status *st)
{
    struct run r = { .slice = { .seconds = SLICE_SECONDS } };

    if (start_many(&r, st)) return st->code;
    while (r.target.session && r.slice.first < job->n) {
        if (is_interrupted(poll, st)) return st->code;
        if (run_many_slice(&r, job, st)) return st->code;
    }
    return r.target.session ? ST_OK : fail(st, ST_UNSUPPORTED, "no device is selected");
}
