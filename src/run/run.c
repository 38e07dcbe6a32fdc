/* Chooses the backend of a job, runs the job in slices, and polls for interrupts between them.
 *
 * Under "auto" a job starts on the CPU.  Once jobs that are not finished within a first slice have taken as long as
 * loading a driver, the crossover of this kind of job is measured; later jobs above it go to the device at once.
 * Small jobs therefore never load a driver.  If a device fails, the CPU continues from the slice that failed, and
 * "auto" does not use devices again until the user requests it.
 */
#include <math.h>
#include "crossover.h"
#include "run.h"
#include "../base/parallel.h"
#include "verify.h"
#include "../opencl/devices.h"
#include "../base/process.h"

static double polled;                   /* time of the last poll (threads_clock) */
static double cpu_seconds;              /* time that longer jobs have taken or will take */

/* Adds the names of the devices to the message of a failure. */
static void name_devices(const struct selection *c, struct status *st)
{
    int count;
    const struct device *d = devices_list(&count);
    struct status plain = *st;

    if (c->count == 1 && c->device[0] < count)
        fail(st, plain.code, "the device '%s' failed: %.800s", d[c->device[0]].name, plain.message);
    else
        fail(st, plain.code, "one of %d devices failed: %.900s", c->count, plain.message);
}

/* The user is notified of the failure once; the call continues on the CPU. */
static int give_up(struct run *r, struct status *st)
{
    preference_give_up(st->message);
    st->code = ST_OK;
    r->place = r->cpu;
    return ST_OK;
}

int run_device_failed(struct run *r, const struct selection *devices, struct status *st)
{
    struct selection those = *devices;  /* a copy: `devices` may belong to the session closed here */

    sessions_close_devices();
    name_devices(&those, st);
    if (r->is_auto) return give_up(r, st);
    return st->code;
}

int run_move_to(struct run *r, const struct selection *devices, struct status *st)
{
    if (sessions_devices(devices, &r->place, st)) return run_device_failed(r, devices, st);
    return ST_OK;
}

static int start_auto(struct run *r, struct status *st)
{
    int kind = crossover_kind(r->job);
    struct selection device;

    r->is_auto = 1;
    if (kind < 0 || preference_given_up()[0]) return ST_OK;
    double crossover = crossover_of(kind);
    r->undecided = isnan(crossover);
    if (r->undecided) r->slice.seconds = WORTH_SECONDS;
    if ((double)r->job->n > crossover && selection_auto(&device)) return run_move_to(r, &device, st);
    return ST_OK;
}

static int start(struct run *r, struct status *st)
{
    enum selection_kind kind;
    struct selection devices;

    if (sessions_cpu(&r->cpu, st)) return st->code;
    r->place = r->cpu;
    if (process_is_child()) return ST_OK;
    if (selection_resolve(preference_in_force(), &kind, &devices, st)) return st->code;
    if (kind == SELECTION_CPU) return ST_OK;
    return kind == SELECTION_AUTO ? start_auto(r, st) : run_move_to(r, &devices, st);
}

/* Decides after the first slice, which took `seconds` on the CPU, where the rest of the job runs. */
static int decide(struct run *r, double seconds, struct status *st)
{
    int kind = crossover_kind(r->job);
    double left = (double)(r->job->n - r->slice.first);
    double seconds_left = seconds / (double)r->slice.done * left;
    struct selection device;
    struct target place;

    r->undecided = 0;
    r->slice.seconds = SLICE_SECONDS;
    cpu_seconds += seconds + seconds_left;
    if (seconds_left < WORTH_SECONDS || cpu_seconds < WAKE_SECONDS || !selection_auto(&device))
        return ST_OK;
    if (sessions_devices(&device, &place, st) || crossover_measure(kind, &place, &r->cpu, st))
        return run_device_failed(r, &device, st);
    if (left > crossover_of(kind)) r->place = place;
    return ST_OK;
}

/* TRUE if a device returned wrong results for a slice that started at this time. */
static int is_wrong(const struct run *r, double start, struct status *st)
{
    if (r->place.backend == r->cpu.backend) return 0;
    return verify_slice(r->job, &r->slice, threads_clock() - start, st);
}

/* Moves the job to the CPU after a slice has failed elsewhere, if that is permitted. */
static int fall_back(struct run *r, struct status *st)
{
    if (r->place.backend == r->cpu.backend) return st->code;
    if (st->code != ST_UNSUPPORTED) return run_device_failed(r, sessions_open_devices(), st);
    st->code = ST_OK;
    r->place = r->cpu;
    return ST_OK;
}

int run_is_interrupted(poll_function poll)
{
    double now = threads_clock();
    if (!poll || fabs(now - polled) < 0.5 * SLICE_SECONDS) return 0;
    polled = now;
    return poll();
}

int run_job(const struct element_job *job, poll_function poll, int *nans, struct status *st)
{
    struct run r = { job, { 0, SLICE_SECONDS, 0, 0 }, { NULL, NULL }, { NULL, NULL }, 0, 0 };

    if (start(&r, st)) return st->code;
    while (r.slice.first < job->n) {
        if (run_is_interrupted(poll)) return fail(st, ST_INTERRUPTED, "interrupted");
        int nans_before = r.slice.nans;
        double begin = threads_clock();
        r.slice.done = 0;
        if (r.place.backend->run(r.place.session, job, &r.slice, st) || is_wrong(&r, begin, st)) {
            r.slice.nans = nans_before;
            if (fall_back(&r, st)) return st->code;
            continue;
        }
        r.slice.first += r.slice.done;
        if (r.undecided && r.slice.first < job->n && decide(&r, threads_clock() - begin, st)) return st->code;
    }
    *nans = r.slice.nans;
    return ST_OK;
}
