#include <math.h>
#include <string.h>
#include "../../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "gpu.h"
#include "../../opencl/devices.h"
#include "../../base/memory.h"
#include "../../base/parallel.h"
#include "../columns.h"

/* --- one chunk on one device --- */

/* Largest number of times that a chunk requests missing node sets.  Each time at least one is built for every
 * element that is not done; a quantile needs about ten. */
#define PASSES         1000
#define ORDER_MIN      1024     /* smaller chunks are not sorted, because they do not occupy a device fully */
#define FALLBACK_ITEMS 65536    /* work-items for the elements outside the interpolant */

/* Sets the beginning of a buffer to zero: nothing missing, no flags, empty bins, STATE_DONE. */
static int clear(struct gpu *g, struct stream *stream, cl_mem buffer, size_t size, struct status *st)
{
    const unsigned char zero = 0;
    return gpu_check(g->cl->EnqueueFillBuffer(stream->queue, buffer, &zero, sizeof zero, 0, size, 0, NULL, NULL),
                     "clearing a buffer", st);
}

/* Reserves memory for the states of `count` elements; new memory is not initialised. */
static int reserve_state(struct gpu *g, struct stream *stream, size_t count, struct status *st)
{
    if (count > stream->state.size) stream->all_done = 0;
    return gpu_reserve_scratch(g, &stream->state, count, st);
}

/* Reserves all buffers of a chunk of `count` elements. */
static int reserve_buffers(struct gpu *g, struct stream *stream, const struct batch *b, size_t count, struct status *st)
{
    int has_list = stream->job.is_ordered || has_fallback(b->kernel) || b->deferred;
    for (int k = 0; k < COLUMNS; k++) {
        size_t length = b->column[k].length > 1 && !(k == 0 && gpu_has_data(g, b->data)) ? count : 1;
        if (gpu_reserve(g, stream, &stream->column[k], length * sizeof(double), st)) return st->code;
    }
    if (gpu_reserve(g, stream, &stream->out, count * (size_t)b->outs * sizeof(double), st) ||
        gpu_reserve(g, stream, &stream->sums, b->sums * blocks_of(count) * sizeof *b->sum + 1, st) ||
        gpu_reserve(g, stream, &stream->flags, FLAGS * sizeof(int), st) || reserve_state(g, stream, count, st) ||
        gpu_reserve_scratch(g, &stream->index, (has_list ? count : 1) * sizeof(int), st) ||
        gpu_reserve_scratch(g, &stream->bins, ORDER_BINS * sizeof(int), st) ||
        gpu_reserve_scratch(g, &stream->modes, (size_t)stream->job.modes * MODE_NUMBERS * sizeof(double) + 1, st))
        return st->code;
    if (stream->missing.size) return ST_OK;
    if (gpu_reserve(g, stream, &stream->missing, SLOTS * sizeof(int), st)) return st->code;
    return clear(g, stream, stream->missing.device, SLOTS * sizeof(int), st);
}

static int copy_in(struct gpu *g, struct stream *stream, const struct batch *b, size_t first, size_t count,
                   struct status *st)
{
    for (int k = 0; k < COLUMNS; k++) {
        const struct column *c = &b->column[k];
        size_t length = c->length > 1 ? count : c->length;
        if (length == 0 || (k == 0 && gpu_has_data(g, b->data))) continue;
        column_copy(stream->column[k].host, c, first, length);
        if (gpu_check(g->cl->EnqueueWriteBuffer(stream->queue, stream->column[k].device, CL_FALSE, 0,
                                                length * sizeof(double), stream->column[k].host, 0, NULL, NULL),
                      "copying to the device", st))
            return st->code;
    }
    return ST_OK;
}

static int set_arguments(struct gpu *g, struct stream *stream, cl_kernel kernel, struct status *st)
{
    const struct staged_buffer *c = stream->column;
    const cl_mem memory[] = {
        stream->job.is_resident ? g->data : c[0].device, c[1].device, c[2].device, c[3].device, c[4].device,
        c[5].device, g->shape, g->node_sets, g->slot, g->nodes, g->interpolant.device, stream->missing.device,
        stream->flags.device, stream->state.device, stream->out.device, stream->sums.device, stream->index.device,
        stream->bins.device, g->approximation.device, stream->modes.device
    };
    cl_int e = g->cl->SetKernelArg(kernel, 0, sizeof stream->job, &stream->job);
    for (cl_uint k = 0; e == CL_SUCCESS && k < sizeof memory / sizeof memory[0]; k++)
        e = g->cl->SetKernelArg(kernel, k + 1, sizeof(cl_mem), &memory[k]);
    return gpu_check(e, "setting the arguments of a kernel", st);
}

/* Enqueues a prepared kernel; *event receives its event if profiling is on. */
static int start_groups(struct gpu *g, struct stream *stream, enum gpu_kernel k, size_t local, size_t groups,
                        cl_event *event, struct status *st)
{
    size_t global = groups * local;
    if (set_arguments(g, stream, g->kernel[k], st)) return st->code;
    return gpu_check(g->cl->EnqueueNDRangeKernel(stream->queue, g->kernel[k], 1, NULL, &global, &local, 0, NULL,
                                                 profile_of_process()->on ? event : NULL), "starting a kernel", st);
}

/* Starts a kernel with one work-item per element or mode. */
static int start_kernel(struct gpu *g, struct stream *stream, enum gpu_kernel k, cl_event *event, struct status *st)
{
    if (gpu_prepare(g, k, st)) return st->code;
    size_t items = (size_t)stream->job.n, local = g->local[k];
    if (k == MODE_STANDARD) items = (size_t)stream->job.modes;
    if (stream->job.is_listed && items > FALLBACK_ITEMS) items = FALLBACK_ITEMS;
    return start_groups(g, stream, k, local, (items + local - 1) / local, event, st);
}

/* Establishes the preconditions of kernels of interpolant.cl: an empty list, and all states STATE_DONE. */
static int clear_fallback(struct gpu *g, struct stream *stream, struct status *st)
{
    if (clear(g, stream, stream->bins.device, sizeof(int), st)) return st->code;
    if (stream->all_done) return ST_OK;
    stream->all_done = 1;
    return clear(g, stream, stream->state.device, stream->state.size, st);
}

/* Starts the fallback kernel for the elements that kernel k has listed, without waiting for their number. */
static int start_fallback(struct gpu *g, struct stream *stream, enum gpu_kernel k, struct status *st)
{
    stream->job.is_listed = stream->job.only_no_cell = 1;
    start_kernel(g, stream, fallback_of(k), &stream->event[1], st);
    stream->job.is_listed = 0;
    return st->code;
}

/* Starts a kernel with one work-group per block. */
static int start_sums(struct gpu *g, struct stream *stream, enum gpu_kernel k, cl_event *event, struct status *st)
{
    if (gpu_prepare(g, k, st)) return st->code;
    return start_groups(g, stream, k, PARTIAL_SUMS, blocks_of((size_t)stream->job.n), event, st);
}

/* Sorts the elements if each has its own shape and they are numerous enough. */
static int start_order(struct gpu *g, struct stream *stream, struct status *st)
{
    if (!stream->job.is_ordered) return ST_OK;
    if (clear(g, stream, stream->bins.device, ORDER_BINS * sizeof(int), st) ||
        start_kernel(g, stream, ORDER_COUNT, &stream->event[1], st) || gpu_prepare(g, ORDER_BEGIN, st) ||
        start_groups(g, stream, ORDER_BEGIN, ORDER_ITEMS, 1, &stream->event[2], st))
        return st->code;
    return start_kernel(g, stream, ORDER_PLACE, &stream->event[3], st);
}

/* Starts the kernels that compute the modes of the standard distributions, and their derivatives. */
static int start_modes(struct gpu *g, struct stream *stream, const struct batch *b, struct status *st)
{
    if (b->needs_modes && start_kernel(g, stream, MODE_STANDARD, &stream->event[4], st)) return st->code;
    if (!b->needs_slopes || gpu_prepare(g, SCORE_SLOPES, st)) return st->code;
    return start_groups(g, stream, SCORE_SLOPES, SLOPE_ITEMS, (size_t)stream->job.modes, &stream->event[5], st);
}

static int start_all(struct gpu *g, struct stream *stream, enum gpu_kernel k, const struct batch *b, struct status *st)
{
    if (k == APPROXIMATE_SUMS_OF_BLOCKS) return start_sums(g, stream, k, &stream->event[0], st);
    if ((is_interpolating(k) && clear_fallback(g, stream, st)) || start_kernel(g, stream, k, &stream->event[0], st) ||
        (has_fallback(k) && start_fallback(g, stream, k, st)))
        return st->code;
    return b->sum ? start_sums(g, stream, SUM_BLOCKS, &stream->event[2], st) : ST_OK;
}

/* Enqueues the kernels and the copies to the host after the commands already in the queue. */
static int launch(struct gpu *g, struct stream *stream, enum gpu_kernel k, const struct batch *b, struct status *st)
{
    const struct staged_buffer *back = b->sum ? &stream->sums : &stream->out;
    size_t count = (size_t)stream->job.n;
    size_t size = (b->sum ? blocks_of(count) * b->sums : count * (size_t)b->outs) * sizeof(double);

    if (!is_interpolating(k)) stream->all_done = 0;
    if (clear(g, stream, stream->flags.device, FLAGS * sizeof(int), st) || start_all(g, stream, k, b, st) ||
        gpu_check(g->cl->EnqueueReadBuffer(stream->queue, stream->flags.device, CL_FALSE, 0, FLAGS * sizeof(int),
                                           stream->flags.host, 0, NULL, NULL), "copying from the device", st) ||
        gpu_check(g->cl->EnqueueReadBuffer(stream->queue, back->device, CL_FALSE, 0, size, back->host, 0, NULL,
                                           &stream->done), "copying from the device", st))
        return st->code;
    return gpu_check(g->cl->Flush(stream->queue), "flushing a queue", st);
}

static void set_job(struct stream *stream, const struct batch *b, size_t first, int count)
{
    stream->job = b->job;
    stream->job.n = count;
    stream->job.first_low = (uint32)first;
    stream->job.first_high = (uint32)((uint64)first >> 32);
    for (int k = 0; k < COLUMNS; k++) stream->job.stride[k] = b->column[k].length > 1;
    int is_slow = b->kernel == EVAL_EACH || b->kernel == QUANTILE_EACH || b->kernel == SCORE_EACH || b->needs_modes;
    stream->job.is_ordered = is_slow && b->column[1].length > 1 && count >= ORDER_MIN;
    stream->job.modes = !b->needs_modes ? 0 : stream->job.stride[1] || stream->job.stride[2] ? count : 1;
    stream->job.is_weighted = b->column[5].length > 0;
    stream->first = first;
}

/* Enqueues the copies of the inputs, the kernels and the copies of the results; does not wait for them. */
static int chunk_enqueue(struct gpu *g, struct stream *stream, const struct store *store, const struct batch *b,
                         size_t first, int count, struct status *st)
{
    stream->enqueued = threads_clock();
    set_job(stream, b, first, count);
    stream->job.is_resident = gpu_has_data(g, b->data);
    if (gpu_update_store(g, store, st) || gpu_update_replica(g, &g->interpolant, b->interpolant, st) ||
        gpu_update_replica(g, &g->approximation, b->approximation, st) ||
        reserve_buffers(g, stream, b, (size_t)count, st) || copy_in(g, stream, b, first, (size_t)count, st) ||
        start_order(g, stream, st) || start_modes(g, stream, b, st))
        return st->code;
    return launch(g, stream, b->kernel, b, st);
}

/* Adds the times of all kernels of the chunk if profiling is on. */
static int add_kernel_time(struct gpu *g, struct stream *stream, struct status *st)
{
    if (stream->event[0]) profile_of_process()->elements += stream->job.n;
    for (int k = 0; k < KERNEL_EVENTS; k++) {
        cl_event event = stream->event[k];
        stream->event[k] = NULL;
        if (event && gpu_add_time(g, event, &profile_of_process()->seconds, st)) return st->code;
    }
    return ST_OK;
}

static int wait_for_chunk(struct gpu *g, struct stream *stream, struct status *st)
{
    cl_event done = stream->done;
    cl_int e = g->cl->WaitForEvents(1, &done);
    stream->done = NULL;
    cl_int released = g->cl->ReleaseEvent(done);
    if (gpu_check(e != CL_SUCCESS ? e : released, "waiting for the device", st)) return st->code;
    return add_kernel_time(g, stream, st);
}

/* Builds the node sets that the chunk requests. */
static int build_missing(struct gpu *g, struct stream *stream, struct store *store, struct status *st)
{
    size_t size = SLOTS * sizeof(int);

    if (gpu_check(g->cl->EnqueueReadBuffer(stream->queue, stream->missing.device, CL_TRUE, 0, size,
                                           stream->missing.host, 0, NULL, NULL), "copying from the device", st) ||
        clear(g, stream, stream->missing.device, size, st) ||
        store_build(store, stream->missing.host, st))
        return st->code;
    return gpu_update_store(g, store, st);
}

static void copy_out(const struct stream *stream, const struct batch *b)
{
    const double *from = stream->out.host;
    if (b->sum) memcpy(b->sum + stream->first / SUM_BLOCK * b->sums, stream->sums.host,
                       blocks_of((size_t)stream->job.n) * b->sums * sizeof *b->sum);
    for (int k = 0; k < b->outs && !b->sum; k++)
        vector_copy(b->out[k] + stream->first, from + (size_t)k * (size_t)stream->job.n, (size_t)stream->job.n);
}

/* Allocates memory for `count` more indices; returns 0 if memory is short. */
static int reserve_deferred(struct deferred *list, size_t count)
{
    size_t capacity = 2 * (list->count + count), *more;
    if (list->count + count <= list->capacity) return 1;
    more = memory_resize(list->at, capacity * sizeof *more);
    if (!more) return 0;
    list->at = more;
    list->capacity = capacity;
    return 1;
}

/* Appends the elements that the kernel has listed to `list`.  The list is validated, because a faulty device may
 * return any values. */
static int append_deferred(struct gpu *g, struct stream *stream, struct deferred *list, int count, struct status *st)
{
    if (count < 0 || count > stream->job.n)
        return fail(st, ST_DEVICE, "a list from the device is longer than its chunk");
    size_t bytes = (size_t)count * sizeof(int);
    int *number = memory_allocate(bytes);
    if (!number || !reserve_deferred(list, (size_t)count)) fail(st, ST_MEMORY, "no memory for a list of elements");
    else gpu_check(g->cl->EnqueueReadBuffer(stream->queue, stream->index.device, CL_TRUE, 0, bytes, number, 0, NULL,
                                            NULL), "copying from the device", st);
    for (int k = 0; !st->code && k < count; k++) {
        if (number[k] < 0 || number[k] >= stream->job.n)
            fail(st, ST_DEVICE, "a list from the device contains invalid elements");
        else list->at[list->count++] = stream->first + (size_t)number[k];
    }
    memory_release(number);
    return st->code;
}

/* Waits for the chunk, runs further kernels for elements that the first could not complete, and writes the
 * results to the user's memory; the stream is then free. */
static int chunk_complete(struct gpu *g, struct stream *stream, struct store *store, const struct batch *b, int *nans,
                   struct status *st)
{
    const int *flags = stream->flags.host;
    int is_last = 0;

    for (int pass = 0; pass < PASSES; pass++) {
        if (wait_for_chunk(g, stream, st)) return st->code;
        *nans |= flags[FLAG_NANS];
        if (b->deferred && flags[FLAG_DEFERRED] && append_deferred(g, stream, b->deferred, flags[FLAG_DEFERRED], st))
            return st->code;
        if (is_last || !(flags[FLAG_MISSING] || flags[FLAG_NO_CELL])) {
            copy_out(stream, b);
            return ST_OK;
        }
        if (flags[FLAG_MISSING]) {
            if (build_missing(g, stream, store, st) || launch(g, stream, b->retry, b, st)) return st->code;
            continue;
        }
        is_last = stream->job.only_no_cell = 1;
        if (launch(g, stream, b->each, b, st)) return st->code;
    }
    return fail(st, ST_DEVICE, "a chunk requests node sets without end");
}

/* Waits for the commands in progress and frees the stream. */
static void chunk_abandon(struct gpu *g, struct stream *stream)
{
    if (!stream->queue) return;
    g->cl->Finish(stream->queue);
    if (stream->done) g->cl->ReleaseEvent(stream->done);
    for (int k = 0; k < KERNEL_EVENTS; k++) {
        if (stream->event[k]) g->cl->ReleaseEvent(stream->event[k]);
        stream->event[k] = NULL;
    }
    stream->done = NULL;
}

/* --- all chunks on all devices --- */

/* Elements of a chunk: few at first, since the cost per element is unknown; then as many as take CHUNK_SECONDS, growing
 * at most by the factor GROWTH.  A GPU needs about 300000 elements to be fully occupied.  On a CPU device the
 * limit is lower, so that several expensive elements in succession do not take long. */
#define CHUNK_FIRST   4096
#define CHUNK_SCORES  256               /* of 20 or more densities each, or, with slopes.cl, thousands */
#define CHUNK_MAX     (1 << 20)
#define CHUNK_INTERPOLANT   (1 << 22)         /* starting a kernel takes as long as a million elements */
#define CHUNK_MAX_CPU (1 << 15)
#define CHUNK_DATA    (1 << 24)         /* only sums are returned, and the device holds x */
#define CHUNK_SECONDS 0.05
#define END_SECONDS   0.01
#define GROWTH        8

/* Returns the size of the next chunk, a multiple of the block size (special/double_double.h) except for the last chunk
 * and for scores.  If there are several devices, chunks become smaller towards the end, so that all finish at about the
 * same time; not smaller than END_SECONDS, because each chunk costs the host some 0.1 ms, and a kernel takes as long as
 * its slowest element. */
static int chunk_size(const struct pipeline *p, const struct gpu *g, const struct batch *b, size_t remaining)
{
    double maximum = is_interpolating(b->kernel) ? CHUNK_INTERPOLANT : CHUNK_MAX;
    if (gpu_has_data(g, b->data)) maximum = CHUNK_DATA;
    if (g->device->is_cpu) maximum = CHUNK_MAX_CPU;
    double minimum = b->needs_slopes ? CHUNK_SCORES / 16 : b->kernel == SCORE_EACH ? CHUNK_SCORES : CHUNK_FIRST;
    double size = g->last == 0 ? minimum : GROWTH * (double)g->last;
    if (g->rate > 0 && size > g->rate * CHUNK_SECONDS) size = g->rate * CHUNK_SECONDS;
    double even = fmax((double)remaining / (2 * p->count), g->rate * END_SECONDS);
    if (p->count > 1 && size > even) size = even;
    if (size < minimum) size = minimum;
    if (size > maximum) size = maximum;
    if ((double)remaining < size) return (int)remaining;
    return minimum < CHUNK_FIRST ? (int)size : (int)size / SUM_BLOCK * SUM_BLOCK;
}

static struct stream *free_stream(struct gpu *g)
{
    for (int i = 0; i < GPU_STREAMS; i++)
        if (!g->stream[i].done) return &g->stream[i];
    return NULL;
}

/* TRUE if a chunk may be issued.  Only one chunk is in progress while the rate is unknown, since the next one
 * would be as small, and while profiling is on, since overlapping kernels cannot be timed separately. */
static int may_enqueue(const struct gpu *g)
{
    if (g->last > 0 && g->rate > 0 && !profile_of_process()->on) return 1;
    for (int i = 0; i < GPU_STREAMS; i++) if (g->stream[i].done) return 0;
    return 1;
}

static int enqueue(struct pipeline *p, const struct batch *b, size_t *next, struct status *st)
{
    for (p->at = 0; p->at < p->count; p->at++) {
        struct gpu *g = &p->gpus[p->at];
        struct stream *stream;
        while (*next < b->n && may_enqueue(g) && (stream = free_stream(g))) {
            int count = chunk_size(p, g, b, b->n - *next);
            stream->sequence = p->sequence++;
            if (chunk_enqueue(g, stream, p->store, b, *next, count, st)) return st->code;
            g->last = count;
            *next += (size_t)count;
        }
    }
    return ST_OK;
}

static int is_complete(const struct gpu *g, const struct stream *stream)
{
    cl_int status = CL_QUEUED;
    cl_int e = g->cl->GetEventInfo(stream->done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    return e != CL_SUCCESS || status <= CL_COMPLETE;  /* errors are reported when it is waited for */
}

/* Returns the stream to complete next, of device p->at: one that has finished or the oldest; NULL if all are free. */
static struct stream *next_stream(struct pipeline *p)
{
    struct stream *oldest = NULL;
    for (int d = 0; d < p->count; d++) {
        for (int i = 0; i < GPU_STREAMS; i++) {
            struct stream *stream = &p->gpus[d].stream[i];
            if (!stream->done || (oldest && oldest->sequence < stream->sequence)) continue;
            oldest = stream;
            p->at = d;
        }
    }
    for (int d = 0; d < p->count && p->count > 1; d++) {
        for (int i = 0; i < GPU_STREAMS; i++) {
            struct stream *stream = &p->gpus[d].stream[i];
            if (!stream->done || !is_complete(&p->gpus[d], stream)) continue;
            p->at = d;
            return stream;
        }
    }
    return oldest;
}

static void measure(struct gpu *g, const struct stream *stream)
{
    double now = threads_clock(), from = g->completed > stream->enqueued ? g->completed : stream->enqueued;
    if (now > from) g->rate = stream->job.n / (now - from);
    g->completed = now;
}

/* Abandons the chunks in progress and releases their events. */
static void abandon(struct pipeline *p)
{
    for (int d = 0; d < p->count; d++)
        for (int i = 0; i < GPU_STREAMS; i++) chunk_abandon(&p->gpus[d], &p->gpus[d].stream[i]);
}

int pipeline_run(struct pipeline *p, const struct batch *b, struct slice *slice, struct status *st)
{
    double stop = threads_clock() + slice->seconds;
    size_t next = slice->first;

    for (;;) {
        if ((next == slice->first || threads_clock() < stop) && enqueue(p, b, &next, st)) break;
        struct stream *stream = next_stream(p);
        if (!stream) {
            slice->done = next - slice->first;
            return ST_OK;
        }
        if (chunk_complete(&p->gpus[p->at], stream, p->store, b, &slice->nans, st)) break;
        measure(&p->gpus[p->at], stream);
    }
    abandon(p);
    return st->code;
}

#endif
