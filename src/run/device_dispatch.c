/* Both kinds of jobs that only devices compute: parts of integrals, and sums over many samples (fit/lockstep.c).
 *
 * Under "auto" many samples are computed on a device once jobs have taken as long as loading a driver, and as long as
 * the device is faster.
 */
#include "crossover.h"
#include "device_dispatch.h"
#include "run.h"
#include "verify.h"
#include "../base/process.h"
#include "../base/parallel.h"

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

int backend_wanted(const char *preference, enum wanted *wanted, struct status *st)
{
    static const enum wanted of[] = { [SELECTION_AUTO] = WANTED_AUTO, [SELECTION_CPU] = WANTED_CPU,
                                      [SELECTION_DEVICE] = WANTED_DEVICE };
    enum selection_kind kind;
    struct selection devices;

    *wanted = WANTED_CPU;
    if (process_is_child()) return ST_OK;
    if (selection_resolve(*preference ? preference : preference_in_force(), &kind, &devices, st)) return st->code;
    *wanted = of[kind];
    return ST_OK;
}

int backend_may_gain(double seconds)
{
    return crossover_is_forced() || (!preference_given_up()[0] && !is_slower && seconds >= INTEGRALS_KNOWN);
}

static int is_worth(const struct device_work *w, const struct selection *device)
{
    const struct selection *open = sessions_open_devices();
    struct target place;
    struct status st = { ST_OK, "" };

    if (crossover_is_forced()) return w->size > crossover_of(0);
    if (!backend_may_gain(w->seconds)) return 0;
    if (!open || !selection_equal(open, device)) return w->seconds >= INTEGRALS_CLOSED;
    if (w->seconds >= INTEGRALS_NEW) return 1;
    return !sessions_devices(device, &place, &st) && w->is_built(place.session, w->job);
}

static int start_device(struct run *r, const struct device_work *w, const char *preference, struct status *st)
{
    enum selection_kind kind;
    struct selection devices;

    if (sessions_cpu(&r->cpu, st)) return st->code;
    r->place = r->cpu;
    if (process_is_child()) return ST_OK;
    if (selection_resolve(*preference ? preference : preference_in_force(), &kind, &devices, st)) return st->code;
    r->is_auto = kind == SELECTION_AUTO;
    if (kind == SELECTION_CPU) return ST_OK;
    if (r->is_auto && (preference_given_up()[0] || !selection_auto(&devices) || !is_worth(w, &devices))) return ST_OK;
    return run_move_to(r, &devices, st);
}

int device_dispatch(const struct device_work *w, const char *preference, poll_function poll, size_t *done,
                    struct status *st)
{
    struct run r = { NULL, { 0, SLICE_SECONDS, 0, 0 }, { NULL, NULL }, { NULL, NULL }, 0, 0 };

    *done = 0;
    if (start_device(&r, w, preference, st)) return st->code;
    if (r.place.backend == r.cpu.backend) return ST_OK;
    int was_built = w->is_built(r.place.session, w->job);
    double start = threads_clock();
    while (r.slice.first < w->parts && r.place.backend != r.cpu.backend) {
        if (run_is_interrupted(poll)) return fail(st, ST_INTERRUPTED, "interrupted");
        r.slice.done = 0;
        if (w->slice(r.place.session, w->job, &r.slice, st)) {
            if (st->code == ST_UNSUPPORTED) return st->code;
            if (run_device_failed(&r, sessions_open_devices(), st)) return st->code;
        } else
            *done = r.slice.first += r.slice.done;
    }
    is_slower |= r.is_auto && was_built && *done == w->parts && threads_clock() - start > w->seconds;
    return ST_OK;
}

/* --- many samples --- */

/* For jobs of many samples: the total estimated time of the longer ones, and the ratio of actual to estimated
 * time on the CPU and on a device (0: not measured). */
static double many_seconds, many_pace[2];

static int auto_takes_many(double seconds)
{
    struct selection device;
    int is_slower = many_pace[0] > 0.0 && many_pace[1] > many_pace[0];

    if (preference_given_up()[0]) return 0;
    if (crossover_is_forced()) return selection_auto(&device);
    if (seconds < WORTH_SECONDS || is_slower) return 0;
    many_seconds += seconds;
    return many_seconds > WAKE_SECONDS && selection_auto(&device);
}

int backend_takes_many(double seconds)
{
    enum selection_kind kind;
    struct selection devices;
    struct status unused = { ST_OK, "" };

    if (process_is_child() || selection_resolve(preference_in_force(), &kind, &devices, &unused)) return 0;
    return kind == SELECTION_AUTO ? auto_takes_many(seconds) : kind == SELECTION_DEVICE;
}

/* The first job on a device is not measured, because it includes opening the device. */
void backend_took_many(int on_device, double expected, double seconds)
{
    static int is_open;
    if (expected < WORTH_SECONDS) return;
    if (!on_device || is_open) many_pace[on_device] = seconds / expected;
    is_open |= on_device;
}

static int start_many(struct run *r, struct status *st)
{
    enum selection_kind kind;
    struct selection devices;

    if (selection_resolve(preference_in_force(), &kind, &devices, st)) return st->code;
    r->is_auto = kind == SELECTION_AUTO;
    if (kind == SELECTION_CPU || process_is_child() ||
        (r->is_auto && (preference_given_up()[0] || !selection_auto(&devices))))
        return ST_OK;
    return run_move_to(r, &devices, st);
}

/* Runs a slice and verifies one of its requests. */
static int one_of_many(struct run *r, const struct many_job *job, struct status *st)
{
    double start = threads_clock();
    if (!r->place.backend->many(r->place.session, job, &r->slice, st)) {
        size_t done = r->slice.first + r->slice.done;
        if (!verify_many(job, r->slice.first, done, threads_clock() - start, st)) {
            r->slice.first = done;
            return ST_OK;
        }
    }
    if (st->code == ST_UNSUPPORTED || st->code == ST_MEMORY) return st->code;
    return run_device_failed(r, sessions_open_devices(), st);
}

int backend_many(const struct many_job *job, poll_function poll, struct status *st)
{
    struct run r = { .slice = { 0, SLICE_SECONDS, 0, 0 } };

    if (start_many(&r, st)) return st->code;
    while (r.place.session && r.slice.first < job->n) {
        if (run_is_interrupted(poll)) return fail(st, ST_INTERRUPTED, "interrupted");
        if (one_of_many(&r, job, st)) return st->code;
    }
    return r.place.session ? ST_OK : fail(st, ST_UNSUPPORTED, "no device is selected");
}
