/* Computes likelihoods of many samples on a device (fit/lockstep.c); the CPU backend does not support these jobs.
 *
 * Under "auto" a device is used once jobs have taken as long as loading a driver, and as long as the device is
 * faster.
 */
#include "backend.h"
#include "crossover.h"
#include "run.h"
#include "../base/threads.h"
#include "verify.h"
#include "preference.h"
#include "../base/process.h"

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
