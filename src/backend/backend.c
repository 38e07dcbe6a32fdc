/* backend/backend.c: chooses a backend, cuts a job into slices, and polls for
 * interrupts between them.
 *
 * The session outlives a call, so that a shape prepared for one call serves the
 * next; it holds a bounded amount of memory and goes when the package does.
 */
#include "backend.h"
#include "cpu/cpu.h"
#include "cpu/threads.h"

/* An interrupt is noticed within this time (seconds), and a call that takes
 * less never asks. */
#define SLICE_SECONDS 0.1

static struct session *session;

static const struct backend *chosen(void)
{
    return &cpu_backend;
}

static int ready(struct status *st)
{
    if (!session) session = chosen()->open(st);
    return session ? ST_OK : st->code;
}

typedef int (*slice_function)(const void *job, struct slice *, struct status *);

static int in_slices(slice_function run, const void *job, size_t n,
                     poll_function poll, int *nans, struct status *st)
{
    struct slice slice = { 0, SLICE_SECONDS, 0, 0 };

    if (ready(st)) return st->code;
    while (slice.first < n) {
        if (slice.first > 0 && poll && poll())
            return fail(st, ST_INTERRUPTED, "interrupted");
        slice.done = 0;
        if (run(job, &slice, st)) return st->code;
        slice.first += slice.done;
    }
    *nans = slice.nans;
    return ST_OK;
}

static int eval_slice(const void *job, struct slice *slice, struct status *st)
{
    return chosen()->eval(session, job, slice, st);
}

static int quantile_slice(const void *job, struct slice *slice, struct status *st)
{
    return chosen()->quantile(session, job, slice, st);
}

static int random_slice(const void *job, struct slice *slice, struct status *st)
{
    return chosen()->random(session, job, slice, st);
}

static int mode_slice(const void *job, struct slice *slice, struct status *st)
{
    return chosen()->mode(session, job, slice, st);
}

int backend_eval(const struct eval_job *job, poll_function poll, int *nans, struct status *st)
{
    return in_slices(eval_slice, job, job->n, poll, nans, st);
}

int backend_quantile(const struct quantile_job *job, poll_function poll, int *nans,
                     struct status *st)
{
    return in_slices(quantile_slice, job, job->n, poll, nans, st);
}

int backend_random(const struct random_job *job, poll_function poll, int *nans,
                   struct status *st)
{
    return in_slices(random_slice, job, job->n, poll, nans, st);
}

int backend_mode(const struct mode_job *job, poll_function poll, int *nans, struct status *st)
{
    return in_slices(mode_slice, job, job->n, poll, nans, st);
}

int backend_threads(void)
{
    return threads_limit();
}

void backend_wish_threads(int call_wish, int option_wish)
{
    threads_wish(call_wish, option_wish);
}

void backend_load(void)
{
    threads_load();
}

void backend_unload(void)
{
    if (session) chosen()->close(session);
    session = NULL;
}
