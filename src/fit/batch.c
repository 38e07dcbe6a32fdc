/* Fits of many data sets, each on one thread, or in lock-step on a device.
 *
 * A result depends on its data set only, not on the other data sets or on the number of threads (on a device: up to
 * rounding).  If a device is used, the small data sets are fitted together (lockstep.c).  Data sets of SHARED values or
 * more (evaluate.h) come last, one after another, each with all threads; if a device is selected by name, so do those
 * that cannot be fitted in lock-step.
 */
#include "fit.h"
#include "../base/parallel.h"
#include "../base/memory.h"

#define SECONDS_EACH  1e-3              /* estimated seconds of a fit: a constant, ... */
#define SECONDS_POINT 2e-6              /* ... and a term for each observation */
#define MIN_FITS 8  /* fits in progress, per thread, below which threads are faster than a device */

struct batch {
    const struct fit_data *data;
    size_t count;                       /* number of data sets */
    const struct fit_preference *preference;
    struct fit_result *result;
    struct stop_flag stop;
    int is_in_lockstep;                 /* TRUE if a device fits the data sets it can take (lockstep.c) */
    int is_device_named;                /* TRUE if the user has selected a device */
    size_t active_jobs;                 /* data sets that a device can take */
};

/* TRUE if all threads share the log-likelihoods of a grid, because there is one data set only and no device that the
 * user has selected takes it. */
static int is_single_grid(const struct batch *b)
{
    if (b->count > 1 || (b->is_device_named && lockstep_can_fit(b->preference, &b->data[0]))) return 0;
    return b->preference->estimator == BY_GRID || b->preference->estimator == BY_GRID_OF_SHAPES;
}

/* TRUE if data set i is fitted alone, by the backend in force: it has SHARED values or more, or the user has selected a
 * device and it cannot be fitted in lock-step, or it is the only one and fitted by grids. */
static int is_large(const struct batch *b, size_t i)
{
    return b->data[i].n >= SHARED || (b->is_device_named && !lockstep_can_fit(b->preference, &b->data[i]))
        || is_single_grid(b);
}

/* TRUE if data set i is fitted on one thread: it is not large, and no device fits it. */
static int is_small(const struct batch *b, size_t i)
{
    return !is_large(b, i) && !(b->is_in_lockstep && lockstep_can_fit(b->preference, &b->data[i]));
}

/* Returns the estimated seconds, on one thread each, for the data sets that a device can take (takes = 1) or cannot
 * take (takes = 0), large ones excluded.  Sets *count to their number. */
static double seconds_of(const struct batch *b, int takes, size_t *count)
{
    double seconds = 0.0;
    *count = 0;
    for (size_t i = 0; i < b->count; i++) {
        if (is_large(b, i) || lockstep_can_fit(b->preference, &b->data[i]) != takes) continue;
        seconds += SECONDS_EACH + SECONDS_POINT * (double)b->data[i].n;
        (*count)++;
    }
    return seconds;
}

/* One fitter for each thread, kept between calls because creating one takes as long as a fit. */
static struct fitter *fitters;
static int fitter_count;

static int prepare_fitters(int threads, struct status *st)
{
    if (threads > fitter_count) {
        struct fitter *more = memory_resize(fitters, (size_t)threads * sizeof *more);
        if (!more) return fail(st, ST_MEMORY, "no memory for %d threads", threads);
        fitters = more;
    }
    for (; fitter_count < threads; fitter_count++)
        if (fitter_begin(&fitters[fitter_count], st)) return st->code;
    return ST_OK;
}

/* Fits those data sets from, ..., to - 1 that are fitted on one thread. */
static void fit_small(void *context, int thread, size_t from, size_t to)
{
    struct batch *b = context;
    struct status local = { ST_OK, "" };
    for (size_t i = from; i < to && !local.code; i++)
        if (is_small(b, i)) fit_one(&fitters[thread], &b->data[i], b->preference, &b->result[i], &local);
    if (local.code) stop_all(&b->stop, local.code, local.message);
}

/* Fits the large data sets, one after another, each of them with all threads or on the device. */
static void fit_large(struct batch *b, struct status *st)
{
    if (b->is_device_named || is_single_grid(b)) fitters[0].evaluator.shared = 0;
    for (size_t i = 0; !st->code && i < b->count; i++)
        if (is_large(b, i)) fit_one(&fitters[0], &b->data[i], b->preference, &b->result[i], st);
}

/* A preference that cannot be met is a failure. */
static int is_device_named(struct status *st)
{
    enum wanted wanted;
    return !backend_wanted("", PRECISION_DOUBLE, &wanted, st) && wanted == WANTED_DEVICE;
}

/* Fits data sets on the device.  Threads finish the last of many; few are finished by a device that the user has
 * selected. */
static int fit_in_lockstep(struct batch *b, int threads, struct status *st)
{
    size_t minimum = (size_t)(MIN_FITS * threads);
    int to_end = b->is_device_named && b->active_jobs <= minimum;
    struct lockstep_pool pool = { fitters, threads, &b->stop, to_end ? 1 : minimum };
    return lockstep_fit(&pool, b->data, b->count, b->preference, b->result, st);
}

/* Fits all data sets.  seconds: estimated time of those that a device can take; others: of those that it cannot. */
static int fit_all(struct batch *b, int threads, double seconds, double others, struct status *st)
{
    double begin = threads_clock();
    if (b->is_in_lockstep && fit_in_lockstep(b, threads, st)) return st->code;
    if (b->is_in_lockstep) backend_record_many(1, seconds / threads, threads_clock() - begin);
    parallel_for(b->count, 1, threads, fit_small, b, &b->stop);
    if (!b->is_in_lockstep) backend_record_many(0, (seconds + others) / threads, threads_clock() - begin);
    fit_large(b, st);
    return st->code;
}

int batch_fit(const struct fit_data *data, size_t count, const struct fit_preference *preference,
              struct fit_result *result,
              poll_function poll, struct status *st)
{
    struct batch b = {
        .data = data, .count = count, .preference = preference, .result = result, .stop = { .poll = poll, .st = st },
        .is_device_named = is_device_named(st)
    };
    size_t others;
    double seconds = seconds_of(&b, 1, &b.active_jobs), seconds_others = seconds_of(&b, 0, &others);
    int threads = threads_for(seconds + seconds_others);

    if (b.active_jobs + others < (size_t)threads) threads = b.active_jobs + others ? (int)(b.active_jobs + others) : 1;
    if (st->code || prepare_fitters(threads, st)) return st->code;
    b.is_in_lockstep = b.active_jobs > (b.is_device_named ? 0 : 1) && backend_many_on_device(seconds / threads);
    for (int k = 0; k < threads; k++) fitter_attach(&fitters[k], &b.stop);
    fit_all(&b, threads, seconds, seconds_others, st);
    for (int k = 0; k < threads; k++) fitter_release(&fitters[k]);
    return st->code;
}

void batch_unload(void)
{
    while (fitter_count > 0) fitter_end(&fitters[--fitter_count]);
    memory_release(fitters);
    fitters = NULL;
}
