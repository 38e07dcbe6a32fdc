/* Densities, probabilities, quantiles (interpolant/encoding.h) and random numbers (variates_single.h) of one law in
 * single precision: the host encodes and converts in threads, while the device evaluates the chunk before. */
#include "../../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "sharing.h"
#include "variates_single.h"
#include "../columns.h"
#include "../cpu.h"
#include "../element.h"
#include "../../base/memory.h"

/* Elements of a chunk, and those that a thread encodes at a time; lanes in use. */
#define CHUNK 1048576
#define SHARE 16384
#define LANES_IN_USE 2

struct single {
    struct evaluation evaluation;
    enum gpu_kernel kernel;             /* SINGLE_VALUES or RANDOM_SINGLE */
    const struct encoded_copy *copy;    /* for values, as is give_exp */
    int give_exp;
    struct variates variates;           /* for random numbers */
};

/* One chunk on its way through the host's threads. */
struct chunk {
    const struct single *single;
    struct lane *lane;
    size_t count, outside;              /* `outside` is atomic */
};

static void encode(void *context, int thread, size_t from, size_t to)
{
    struct chunk *c = context;
    size_t first = c->lane->first;

    (void)thread;
    encode_range(&c->single->evaluation, &c->single->copy->encoding, first + from, first + to,
                 (uint32 *)c->lane->column[0].host + from);
}

static void decode(void *context, int thread, size_t from, size_t to)
{
    struct chunk *c = context;
    const struct element_job *job = c->single->evaluation.job;
    size_t first = c->lane->first, outside;
    int k = 0;

    (void)thread;
    while (!job->out[k]) k++;
    outside = decode_range(&c->single->evaluation, &c->single->copy->encoding, first + from, first + to,
                           (const uint32 *)c->lane->column[0].host + from, (const float *)c->lane->out.host + from,
                           job->out[k]);
    if (outside) ATOMIC_ADD(&c->outside, outside);
}

static void scale(void *context, int thread, size_t from, size_t to)
{
    struct chunk *c = context;

    (void)thread;
    variates_scale(&c->single->variates, to - from, (const uint32 *)c->lane->out.host + from,
                   c->single->evaluation.job->out[0] + c->lane->first + from);
}

static cl_int set_values(struct gpu *g, const struct lane *lane, const struct single *s)
{
    const struct encoding *e = &s->copy->encoding;
    cl_kernel kernel = g->kernel[SINGLE_VALUES];
    const cl_mem memory[] = { lane->column[0].device, g->encoded.device, lane->out.device };
    const cl_int number[] = { lane->job.n, e->pieces, e->bits };
    const cl_float step = 1.0f / (float)(1u << (31 - e->bits));
    cl_int code = CL_SUCCESS;

    for (cl_uint k = 0; k < 3 && code == CL_SUCCESS; k++) {
        code = g->cl->SetKernelArg(kernel, k, sizeof memory[k], &memory[k]);
        if (code == CL_SUCCESS) code = g->cl->SetKernelArg(kernel, k + 3, sizeof number[k], &number[k]);
    }
    if (code == CL_SUCCESS) code = g->cl->SetKernelArg(kernel, 6, sizeof step, &step);
    return code == CL_SUCCESS ? g->cl->SetKernelArg(kernel, 7, sizeof s->give_exp, &s->give_exp) : code;
}

static cl_int set_variates(struct gpu *g, const struct lane *lane, const struct single *s)
{
    struct single_sample sample = s->variates.sample;
    uint64 first = lane->first;

    sample.n = lane->job.n;
    sample.first_low = (uint32)first;
    sample.first_high = (uint32)(first >> 32);
    cl_int code = g->cl->SetKernelArg(g->kernel[RANDOM_SINGLE], 0, sizeof sample, &sample);
    if (code != CL_SUCCESS) return code;
    return g->cl->SetKernelArg(g->kernel[RANDOM_SINGLE], 1, sizeof lane->out.device, &lane->out.device);
}

static int launch(struct gpu *g, struct lane *lane, const struct single *s, struct status *st)
{
    cl_int code = (s->kernel == RANDOM_SINGLE ? set_variates : set_values)(g, lane, s);
    size_t local = g->local[s->kernel], global = ((size_t)lane->job.n + local - 1) / local * local;

    if (gpu_check(code, "setting the arguments of a kernel", st)) return st->code;
    return gpu_check(g->cl->EnqueueNDRangeKernel(lane->queue, g->kernel[s->kernel], 1, NULL, &global, &local, 0, NULL,
                                                 profile_of_process()->on ? &lane->ran[0] : NULL),
                     "starting a kernel", st);
}

/* Encodes a chunk and enqueues its copy to the device. */
static int send(struct gpu *g, struct lane *lane, const struct single *s, size_t size, struct status *st)
{
    struct chunk c = { s, lane, (size_t)lane->job.n, 0 };

    if (gpu_fit(g, lane, &lane->column[0], size, st)) return st->code;
    parallel_for(c.count, SHARE, threads_limit(), encode, &c, NULL);
    return gpu_check(g->cl->EnqueueWriteBuffer(lane->queue, lane->column[0].device, CL_FALSE, 0, size,
                                               lane->column[0].host, 0, NULL, NULL), "copying to the device", st);
}

/* Enqueues a chunk: its copies and its kernel. */
static int issue(struct gpu *g, struct lane *lane, const struct single *s, size_t first, size_t count,
                 struct status *st)
{
    size_t size = count * sizeof(float);

    lane->first = first;
    lane->job.n = (int)count;
    if (gpu_fit(g, lane, &lane->out, size, st) || (s->copy && send(g, lane, s, size, st)) || launch(g, lane, s, st) ||
        gpu_check(g->cl->EnqueueReadBuffer(lane->queue, lane->out.device, CL_FALSE, 0, size, lane->out.host, 0, NULL,
                                           &lane->done), "copying from the device", st))
        return st->code;
    return gpu_check(g->cl->Flush(lane->queue), "flushing a queue", st);
}

/* Computes the elements outside the encoding in double precision, on one thread at a time; they are few. */
static int compute_outside(const struct chunk *c, struct status *st)
{
    const struct element_job *job = c->single->evaluation.job;
    const uint32 *word = c->lane->column[0].host;
    size_t n = c->outside, found = 0, out = 0;
    double *x = memory_allocate(2 * n * sizeof *x);
    size_t *at = memory_allocate(n * sizeof *at);
    struct context *context = context_new();
    struct element_job rest = *job;

    if (!x || !at || !context) fail(st, ST_MEMORY, "no memory for %.0f elements", (double)n);
    while (!job->out[out]) out++;
    for (size_t k = 0; !st->code && k < c->count && found < n; k++) {
        if (encoded_piece(&c->single->copy->encoding, word[k]) >= 0) continue;
        at[found] = c->lane->first + k;
        x[found] = column_value(job->x, at[found]);
        found++;
    }
    if (!st->code) {
        rest.n = rest.x.length = found;
        rest.x.at = x;
        rest.ahead = 0;
        rest.out[out] = x + n;
        context_run(context, &rest, st);
    }
    for (size_t k = 0; !st->code && k < found; k++) job->out[out][at[k]] = x[n + k];
    context_free(context);
    memory_release(at);
    memory_release(x);
    return st->code;
}

/* Waits for a chunk and writes its results; the lane is then free. */
static int complete(struct gpu *g, struct lane *lane, const struct single *s, struct status *st)
{
    struct chunk c = { s, lane, (size_t)lane->job.n, 0 };
    cl_event done = lane->done, ran = lane->ran[0];
    cl_int e = g->cl->WaitForEvents(1, &done);

    lane->done = lane->ran[0] = NULL;
    cl_int released = g->cl->ReleaseEvent(done);
    if (ran && gpu_add_time(g, ran, &profile_of_process()->seconds, st)) return st->code;
    if (gpu_check(e != CL_SUCCESS ? e : released, "waiting for the device", st)) return st->code;
    parallel_for(c.count, SHARE, threads_limit(), s->copy ? decode : scale, &c, NULL);
    return c.outside ? compute_outside(&c, st) : ST_OK;
}

/* Waits for the commands in progress and frees the lanes, after a failure. */
static void abandon(struct gpu *g)
{
    for (int k = 0; k < LANES_IN_USE; k++) {
        struct lane *lane = &g->lane[k];
        g->cl->Finish(lane->queue);
        if (lane->done) g->cl->ReleaseEvent(lane->done);
        if (lane->ran[0]) g->cl->ReleaseEvent(lane->ran[0]);
        lane->done = lane->ran[0] = NULL;
    }
}

/* Computes chunks on a device: one is encoded while the one before is computed. */
static int run_device(void *context, struct session *session, int device, struct shared_parts *parts, struct status *st)
{
    const struct single *s = context;
    struct gpu *g = session_gpu(session, device);
    size_t first, count = 1;

    if (s->copy && gpu_replicate(g, &g->encoded, &s->copy->input, st)) return st->code;
    for (int turn = 0; count > 0 && !st->code; turn = (turn + 1) % LANES_IN_USE) {
        struct lane *lane = &g->lane[turn];
        if (lane->done && complete(g, lane, s, st)) break;
        count = shared_parts_take(parts, shared_parts_even(parts, CHUNK, SHARE), &first);
        if (count > 0) issue(g, lane, s, first, count, st);
    }
    for (int k = 0; k < LANES_IN_USE && !st->code; k++)
        if (g->lane[k].done) complete(g, &g->lane[k], s, st);
    if (st->code) abandon(g);
    return st->code;
}

/* Prepares values; returns ST_UNSUPPORTED if there is no interpolant. */
static int prepare_values(struct single *s, struct encoded_copy *copy, struct interpolant_copy *interpolants,
                          struct status *st)
{
    const struct element_job *job = s->evaluation.job;

    if (!is_one_law(&job->laws) || !is_interpolated_law(&s->evaluation.law))
        return fail(st, ST_UNSUPPORTED, "devices compute in single precision only values of one valid distribution "
                    "with pm = 0 or 1");
    s->copy = copy;
    s->evaluation.interpolant = encoded_copy_serves(copy, interpolants, job);
    if (!s->evaluation.interpolant)
        return fail(st, ST_UNSUPPORTED, "alpha = %g and beta = %g have no interpolant for single precision",
                    s->evaluation.law.alpha, s->evaluation.law.beta);
    s->kernel = SINGLE_VALUES;
    s->give_exp = job->quantity == JOB_VALUES && !job->give_log;
    return ST_OK;
}

int single_run(struct session *session, struct encoded_copy *copy, struct interpolant_copy *interpolants,
               const struct element_job *job, struct slice *slice, struct status *st)
{
    struct single s = { .evaluation = { .job = job, .law = first_law(&job->laws) }, .kernel = RANDOM_SINGLE };

    if (job->quantity != JOB_VALUES && job->quantity != JOB_QUANTILES && job->quantity != JOB_VARIATES)
        return fail(st, ST_UNSUPPORTED, "devices do not compute this quantity in single precision");
    if (job->quantity == JOB_VARIATES ? variates_set(&s.variates, job, st) : prepare_values(&s, copy, interpolants, st))
        return st->code;
    if (session_prepare(session, &s.kernel, 1, st)) return st->code;
    return session_share(session, session_devices(session), job->n, run_device, &s, slice, st);
}

#endif
