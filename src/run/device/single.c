/* Densities, probabilities, quantiles, sums of log densities (interpolant/encoding.h) and random numbers
 * (variates_single.h) of one law in single precision: the host encodes and converts in threads, while the device
 * evaluates the chunk before. */
#include "../../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "sharing.h"
#include "variates_single.h"
#include "../columns.h"
#include "../cpu.h"
#include "../element.h"
#include "../../base/memory.h"

/* Elements of a chunk, and those that a thread encodes at a time; streams in use. */
#define CHUNK 1048576
#define SHARE 16384
#define STREAMS_IN_USE 2

struct single {
    struct evaluation evaluation;
    enum gpu_kernel kernel;             /* SINGLE_VALUES, SINGLE_SUMS or RANDOM_SINGLE */
    size_t unit;                        /* elements of a part: SUM_BLOCK for sums, else 1 */
    const struct encoded_copy *copy;    /* for values and sums */
    int give_exp;                       /* for values */
    double log_gamma;                   /* for sums */
    struct variates variates;           /* for random numbers */
};

/* One chunk on its way through the host's threads. */
struct chunk {
    const struct single *single;
    struct stream *stream;
    size_t count, outside;              /* `outside` is atomic */
};

static void encode(void *context, int thread, size_t from, size_t to)
{
    struct chunk *c = context;
    size_t first = c->stream->first;

    (void)thread;
    encode_range(&c->single->evaluation, &c->single->copy->encoding, first + from, first + to,
                 (uint32 *)c->stream->column[0].host + from);
}

static void decode(void *context, int thread, size_t from, size_t to)
{
    struct chunk *c = context;
    const struct element_job *job = c->single->evaluation.job;
    size_t first = c->stream->first, outside;
    int k = 0;

    (void)thread;
    while (!job->out[k]) k++;
    outside = decode_range(&c->single->evaluation, &c->single->copy->encoding, first + from, first + to,
                           (const uint32 *)c->stream->column[0].host + from, (const float *)c->stream->out.host + from,
                           job->out[k]);
    if (outside) ATOMIC_ADD(&c->outside, outside);
}

/* Counts the elements outside the encoding. */
static void count_outside(void *context, int thread, size_t from, size_t to)
{
    struct chunk *c = context;
    const uint32 *word = c->stream->column[0].host;
    size_t outside = 0;

    (void)thread;
    for (size_t k = from; k < to; k++) outside += encoded_piece(&c->single->copy->encoding, word[k]) < 0;
    if (outside) ATOMIC_ADD(&c->outside, outside);
}

/* Adds a term to the sum of block k of the job. */
static void add_to_block(const struct element_job *job, size_t k, double term)
{
    struct double_double sum = { job->sum[2 * k], job->sum[2 * k + 1] };

    sum = compensated_add(sum, term);
    job->sum[2 * k] = sum.hi;
    job->sum[2 * k + 1] = sum.lo;
}

/* Stores the sums of the blocks of a chunk.  The log of the scale is subtracted for all elements, also for those
 * outside, to which compute_outside() adds it. */
static void store_sums(const struct chunk *c)
{
    const struct element_job *job = c->single->evaluation.job;
    const float *pair = c->stream->out.host;
    size_t first = c->stream->first / SUM_BLOCK;

    for (size_t k = 0; k < blocks_of(c->count); k++) {
        job->sum[2 * (first + k)] = (double)pair[2 * k];
        job->sum[2 * (first + k) + 1] = (double)pair[2 * k + 1];
        add_to_block(job, first + k, -c->single->log_gamma * (double)block_length(k, c->count));
    }
}

static void scale(void *context, int thread, size_t from, size_t to)
{
    struct chunk *c = context;

    (void)thread;
    variates_scale(&c->single->variates, to - from, (const uint32 *)c->stream->out.host + from,
                   c->single->evaluation.job->out[0] + c->stream->first + from);
}

/* Sets the arguments of SINGLE_VALUES or SINGLE_SUMS. */
static cl_int set_values(struct gpu *g, const struct stream *stream, const struct single *s)
{
    const struct encoding *e = &s->copy->encoding;
    cl_kernel kernel = g->kernel[s->kernel];
    const cl_mem memory[] = { stream->column[0].device, g->encoded.device, stream->out.device };
    const cl_int number[] = { stream->job.n, e->pieces, e->bits };
    const cl_float step = 1.0f / (float)(1u << (31 - e->bits));
    cl_int code = CL_SUCCESS;

    for (cl_uint k = 0; k < 3 && code == CL_SUCCESS; k++) {
        code = g->cl->SetKernelArg(kernel, k, sizeof memory[k], &memory[k]);
        if (code == CL_SUCCESS) code = g->cl->SetKernelArg(kernel, k + 3, sizeof number[k], &number[k]);
    }
    if (code == CL_SUCCESS) code = g->cl->SetKernelArg(kernel, 6, sizeof step, &step);
    if (code != CL_SUCCESS || s->kernel == SINGLE_SUMS) return code;
    return g->cl->SetKernelArg(kernel, 7, sizeof s->give_exp, &s->give_exp);
}

static cl_int set_variates(struct gpu *g, const struct stream *stream, const struct single *s)
{
    struct single_sample sample = s->variates.sample;
    uint64 first = stream->first;

    sample.n = stream->job.n;
    sample.first_low = (uint32)first;
    sample.first_high = (uint32)(first >> 32);
    cl_int code = g->cl->SetKernelArg(g->kernel[RANDOM_SINGLE], 0, sizeof sample, &sample);
    if (code != CL_SUCCESS) return code;
    return g->cl->SetKernelArg(g->kernel[RANDOM_SINGLE], 1, sizeof stream->out.device, &stream->out.device);
}

static int launch(struct gpu *g, struct stream *stream, const struct single *s, struct status *st)
{
    cl_int code = (s->kernel == RANDOM_SINGLE ? set_variates : set_values)(g, stream, s);
    int is_sum = s->kernel == SINGLE_SUMS;
    size_t n = (size_t)stream->job.n, local = is_sum ? PARTIAL_SUMS : g->local[s->kernel];
    size_t global = is_sum ? blocks_of(n) * local : (n + local - 1) / local * local;

    if (gpu_check(code, "setting the arguments of a kernel", st)) return st->code;
    return gpu_check(g->cl->EnqueueNDRangeKernel(stream->queue, g->kernel[s->kernel], 1, NULL, &global, &local, 0, NULL,
                                                 profile_of_process()->on ? &stream->event[0] : NULL),
                     "starting a kernel", st);
}

/* Encodes a chunk and enqueues its copy to the device. */
static int encode_and_copy(struct gpu *g, struct stream *stream, const struct single *s, size_t size, struct status *st)
{
    struct chunk c = { s, stream, (size_t)stream->job.n, 0 };

    if (gpu_reserve(g, stream, &stream->column[0], size, st)) return st->code;
    parallel_for(c.count, SHARE, threads_limit(), encode, &c, NULL);
    return gpu_check(g->cl->EnqueueWriteBuffer(stream->queue, stream->column[0].device, CL_FALSE, 0, size,
                                               stream->column[0].host, 0, NULL, NULL), "copying to the device", st);
}

/* Enqueues a chunk: its copies and its kernel. */
static int enqueue(struct gpu *g, struct stream *stream, const struct single *s, size_t first, size_t count,
                   struct status *st)
{
    size_t size = count * sizeof(float);
    size_t out_size = s->kernel == SINGLE_SUMS ? blocks_of(count) * sizeof(cl_float2) : size;

    stream->first = first;
    stream->job.n = (int)count;
    if (gpu_reserve(g, stream, &stream->out, out_size, st) || (s->copy && encode_and_copy(g, stream, s, size, st)) ||
        launch(g, stream, s, st) ||
        gpu_check(g->cl->EnqueueReadBuffer(stream->queue, stream->out.device, CL_FALSE, 0, out_size, stream->out.host,
                                           0, NULL, &stream->done), "copying from the device", st))
        return st->code;
    return gpu_check(g->cl->Flush(stream->queue), "flushing a queue", st);
}

/* Computes the elements outside the encoding in double precision, on one thread at a time; they are few. */
static int compute_outside(const struct chunk *c, struct status *st)
{
    const struct element_job *job = c->single->evaluation.job;
    const uint32 *word = c->stream->column[0].host;
    size_t n = c->outside, found = 0, out = OUT_PDF;
    int is_sum = job->quantity == JOB_LOGLIK;
    double *x = memory_allocate(2 * n * sizeof *x);
    size_t *at = memory_allocate(n * sizeof *at);
    struct context *context = context_new();
    struct element_job rest = *job;

    if (!x || !at || !context) fail(st, ST_MEMORY, "no memory for %.0f elements", (double)n);
    while (!is_sum && !job->out[out]) out++;
    for (size_t k = 0; !st->code && k < c->count && found < n; k++) {
        if (encoded_piece(&c->single->copy->encoding, word[k]) >= 0) continue;
        at[found] = c->stream->first + k;
        x[found] = column_value(job->x, at[found]);
        found++;
    }
    if (!st->code) {
        rest.n = rest.x.length = found;
        rest.x.at = x;
        rest.ahead = 0;
        rest.out[out] = x + n;
        if (is_sum) rest.quantity = JOB_VALUES;
        rest.give_log |= is_sum;
        context_run(context, &rest, st);
    }
    for (size_t k = 0; !st->code && k < found; k++)
        if (is_sum) add_to_block(job, at[k] / SUM_BLOCK, x[n + k] + c->single->log_gamma);
        else job->out[out][at[k]] = x[n + k];
    context_free(context);
    memory_release(at);
    memory_release(x);
    return st->code;
}

/* Waits for a chunk and writes its results; the stream is then free. */
static int complete(struct gpu *g, struct stream *stream, const struct single *s, struct status *st)
{
    struct chunk c = { s, stream, (size_t)stream->job.n, 0 };
    cl_event done = stream->done, event = stream->event[0];
    cl_int e = g->cl->WaitForEvents(1, &done);

    stream->done = stream->event[0] = NULL;
    cl_int released = g->cl->ReleaseEvent(done);
    if (event && gpu_add_time(g, event, &profile_of_process()->seconds, st)) return st->code;
    if (gpu_check(e != CL_SUCCESS ? e : released, "waiting for the device", st)) return st->code;
    if (s->kernel == SINGLE_SUMS) store_sums(&c);
    parallel_for(c.count, SHARE, threads_limit(), !s->copy ? scale : s->kernel == SINGLE_SUMS ? count_outside : decode,
                 &c, NULL);
    return c.outside ? compute_outside(&c, st) : ST_OK;
}

/* Waits for the commands in progress and frees the streams, after a failure. */
static void abandon(struct gpu *g)
{
    for (int k = 0; k < STREAMS_IN_USE; k++) {
        struct stream *stream = &g->stream[k];
        g->cl->Finish(stream->queue);
        if (stream->done) g->cl->ReleaseEvent(stream->done);
        if (stream->event[0]) g->cl->ReleaseEvent(stream->event[0]);
        stream->done = stream->event[0] = NULL;
    }
}

/* Returns the number of elements of some parts. */
static size_t elements_of(const struct single *s, size_t first, size_t parts)
{
    size_t rest = s->evaluation.job->n - first * s->unit;
    return parts * s->unit < rest ? parts * s->unit : rest;
}

/* Computes chunks on a device: one is encoded while the one before is computed. */
static int run_device(void *context, struct session *session, int device, struct shared_parts *parts, struct status *st)
{
    const struct single *s = context;
    struct gpu *g = session_gpu(session, device);
    size_t first, count = 1;

    if (s->copy && gpu_update_replica(g, &g->encoded, &s->copy->input, st)) return st->code;
    for (int turn = 0; count > 0 && !st->code; turn = (turn + 1) % STREAMS_IN_USE) {
        struct stream *stream = &g->stream[turn];
        if (stream->done && complete(g, stream, s, st)) break;
        count = shared_parts_next(parts, shared_parts_count(parts, CHUNK / s->unit, SHARE / s->unit), &first);
        if (count > 0) enqueue(g, stream, s, first * s->unit, elements_of(s, first, count), st);
    }
    for (int k = 0; k < STREAMS_IN_USE && !st->code; k++)
        if (g->stream[k].done) complete(g, &g->stream[k], s, st);
    if (st->code) abandon(g);
    return st->code;
}

/* Prepares values or sums; returns ST_UNSUPPORTED if there is no interpolant. */
static int prepare_values(struct single *s, struct encoded_copy *copy, struct interpolant_copy *interpolants,
                          struct status *st)
{
    const struct element_job *job = s->evaluation.job;

    if (!is_one_law(&job->laws) || !is_interpolated_law(&s->evaluation.law))
        return fail(st, ST_UNSUPPORTED, "devices compute in single precision only values of one valid distribution "
                    "with pm = 0 or 1");
    s->copy = copy;
    s->evaluation.interpolant = encoded_copy_update(copy, interpolants, job);
    if (!s->evaluation.interpolant)
        return fail(st, ST_UNSUPPORTED, "alpha = %g and beta = %g have no interpolant for single precision",
                    s->evaluation.law.alpha, s->evaluation.law.beta);
    s->kernel = job->quantity == JOB_LOGLIK ? SINGLE_SUMS : SINGLE_VALUES;
    s->give_exp = job->quantity == JOB_VALUES && !job->give_log;
    s->log_gamma = user_frame(&s->evaluation.law, 0.0).log_gamma;
    return ST_OK;
}

int single_run(struct session *session, struct encoded_copy *copy, struct interpolant_copy *interpolants,
               const struct element_job *job, struct slice *slice, struct status *st)
{
    enum quantity q = job->quantity;
    struct single s = {
        .evaluation = { .job = job, .law = first_law(&job->laws) }, .kernel = RANDOM_SINGLE,
        .unit = q == JOB_LOGLIK ? SUM_BLOCK : 1
    };

    if (q != JOB_VALUES && q != JOB_QUANTILES && q != JOB_VARIATES && (q != JOB_LOGLIK || job->weight.length))
        return fail(st, ST_UNSUPPORTED, "devices do not compute this quantity in single precision");
    if (q == JOB_VARIATES ? variates_set(&s.variates, job, st) : prepare_values(&s, copy, interpolants, st))
        return st->code;
    if (session_prepare(session, &s.kernel, 1, st)) return st->code;
    struct slice parts = { .first = slice->first / s.unit, .seconds = slice->seconds };
    session_share(session, session_devices(session), (job->n - 1) / s.unit + 1, run_device, &s, &parts, st);
    slice->done = elements_of(&s, parts.first, parts.done);
    return st->code;
}

#endif
