#include <string.h>
#include "workers.h"
#include "../base/memory.h"

/* Small enough to balance a small job between threads and to keep to the time of a slice. */
#define BLOCK_MOST 256

static size_t block_size(size_t n, int threads, size_t least)
{
    size_t share = n / (4 * (size_t)threads);
    return share < least ? least : share > BLOCK_MOST ? BLOCK_MOST : share;
}

/* The elements of a job from number `first` on; nans: whether NaNs were produced; atomic. */
struct elements {
    range_function range;
    const void *job;
    struct worker *workers;
    size_t first;
    int nans;
};

static void run_block(void *context, int thread, size_t from, size_t to)
{
    struct elements *e = context;
    if (e->range(e->job, &e->workers[thread], e->first + from, e->first + to)) ATOMIC_WRITE(&e->nans, 1);
}

int workers_reserve(struct workers *t, int threads, struct status *st)
{
    if (threads <= t->count) return ST_OK;
    struct worker *more = memory_resize(t->workers, (size_t)threads * sizeof *more);
    if (!more) return fail(st, ST_MEMORY, "no memory for %d threads", threads);
    t->workers = more;
    for (; t->count < threads; t->count++) {
        struct worker *w = &t->workers[t->count];
        memset(w, 0, sizeof *w);
        w->shape = shape_new();
        if (!w->shape) return fail(st, ST_MEMORY, "no memory for %d threads", threads);
    }
    return ST_OK;
}

int workers_prepare(struct workers *t, int threads, int (*prepare)(struct worker *), struct status *st)
{
    if (workers_reserve(t, threads, st)) return st->code;
    for (int i = 0; i < threads; i++)
        if (!prepare(&t->workers[i])) return fail(st, ST_MEMORY, "no memory for %d threads", threads);
    return ST_OK;
}

int workers_run(struct workers *t, range_function range, const void *job, size_t n, size_t least,
                double seconds, struct slice *slice, struct status *st)
{
    int threads = threads_for(seconds);

    if (workers_reserve(t, threads, st)) return st->code;
    struct elements e = { range, job, t->workers, slice->first, 0 };
    struct stop_flag stop = { .until = threads_clock() + slice->seconds };
    slice->done = parallel_for(n - slice->first, block_size(n, threads, least), threads, run_block, &e, &stop);
    slice->nans |= e.nans;
    return ST_OK;
}

void workers_free(struct workers *t)
{
    for (int i = 0; i < t->count; i++) worker_clear(&t->workers[i]);
    memory_release(t->workers);
}
