#include <string.h>
#ifdef _OPENMP
#  include <omp.h>
#endif
#include "thread_pool.h"
#include "../base/memory.h"
#include "../base/parallel.h"

/* Small enough to balance a small job between threads and to keep to the time of a slice. */
#define BLOCK_MOST 256

static size_t block_size(size_t n, int threads, size_t least)
{
    size_t share = n / (4 * (size_t)threads);
    return share < least ? least : share > BLOCK_MOST ? BLOCK_MOST : share;
}

static size_t block_end(size_t from, size_t block, size_t n)
{
    return n - from < block ? n : from + block;
}

static void run_single(range_function range, const void *job, size_t n, size_t least, struct worker *w,
                       struct slice *slice)
{
    double stop = threads_clock() + slice->seconds;
    size_t at = slice->first, block = block_size(n, 1, least);

    do {
        size_t end = block_end(at, block, n);
        slice->nans |= range(job, w, at, end);
        at = end;
    } while (at < n && threads_clock() < stop);
    slice->done = at - slice->first;
}

#ifdef _OPENMP
static void run_together(range_function range, const void *job, size_t n, size_t least,
                         struct thread_pool *t, int threads, struct slice *slice)
{
    double stop = threads_clock() + slice->seconds;
    size_t next = slice->first, block = block_size(n, threads, least);
    int nans = 0;

#pragma omp parallel num_threads(threads) reduction(|:nans)
    {
        struct worker *w = &t->workers[omp_get_thread_num()];
        for (;;) {
            size_t from = n;
#pragma omp critical(stablecl_block)
            if (next < n && (next == slice->first || threads_clock() < stop)) {
                from = next;
                next = block_end(next, block, n);
            }
            if (from >= n) break;
            nans |= range(job, w, from, block_end(from, block, n));
        }
    }
    slice->nans |= nans;
    slice->done = next - slice->first;
}
#endif

int thread_pool_reserve(struct thread_pool *t, int threads, struct status *st)
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

int thread_pool_prepare(struct thread_pool *t, int threads, int (*prepare)(struct worker *), struct status *st)
{
    if (thread_pool_reserve(t, threads, st)) return st->code;
    for (int i = 0; i < threads; i++)
        if (!prepare(&t->workers[i])) return fail(st, ST_MEMORY, "no memory for %d threads", threads);
    return ST_OK;
}

int thread_pool_run(struct thread_pool *t, range_function range, const void *job, size_t n, size_t least,
                    double seconds,
                    struct slice *slice, struct status *st)
{
    int threads = threads_for(seconds);

    if (thread_pool_reserve(t, threads, st)) return st->code;
#ifdef _OPENMP
    if (threads > 1) {
        run_together(range, job, n, least, t, threads, slice);
        return ST_OK;
    }
#endif
    run_single(range, job, n, least, &t->workers[0], slice);
    return ST_OK;
}

void thread_pool_free(struct thread_pool *t)
{
    for (int i = 0; i < t->count; i++) worker_clear(&t->workers[i]);
    memory_release(t->workers);
}
