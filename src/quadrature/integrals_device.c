/* Computes integrals on all devices of a session (run/device/sharing.h) in chunks, which overlap in the streams of a
 * device like chunks of elements (run/device/pipeline.c): one is copied in while others are computed and copied out.
 *
 * A limit or parameter shared by all integrals is sent as one number.  Each integral returns 20 bytes (28 with a
 * bound): value, error, and one word for evaluations and status.  All threads convert these to R's vectors, because the
 * first access to fresh memory takes longer than copying.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../opencl/entries.h"
#include "box_jobs.h"
#ifdef STABLECL_OPENCL
#include "integrals_device.h"
#include "../base/memory.h"
#include "../base/parallel.h"

/* Integrals of a chunk: as many as take CHUNK_SECONDS once the rate is known, few before, because they may take long.
 * The constants with LONG apply to methods of which many integrals take long. */
#define CHUNK_FIRST     32768
#define CHUNK_FIRST_CPU 512
#define CHUNK_LONG      2048
#define CHUNK_LONG_CPU  32
#define CHUNK_MAX       (1 << 19)
#define CHUNK_MAX_CPU   4096
#define CHUNK_SECONDS   0.05
#define GROWTH          8
#define EVALUATIONS_EACH 1000.0         /* least evaluations for each of several integrals in a chunk */
#define RARE             1000           /* one integral in this number may take more than the usual evaluations */
#define SAMPLED          65536          /* integrals from which the usual number is estimated */

/* Refining groups for each compute unit of the device, and the bytes that their subregions may take in each chunk:
 * SUBREGIONS_MAX or, if it is more, a share of the largest allocation on the device. */
#define GROUPS_PER_UNIT 16
#define SUBREGIONS_MAX      256e6
#define SUBREGIONS_SHARE    0.0625
#define GROUP_INTEGRALS 2               /* integrals for each group in the first chunk, for methods that take long */

/* A group has memory for the first subregions of all parts between breaks, which for the method "gk" take half a
 * gigabyte with this number of breaks.  Integrals with more breaks are computed on the CPU. */
#define BREAKS_MAX  8192

#define PART ((size_t)1 << 16)        /* integrals that a thread copies at a time */

/* Returns the number of subregions for which a group has memory, at least the first ones of an integral. */
static int capacity_of(const struct integrals_job *j)
{
    int minimum = 2 * (int)(j->break_count + 1) * j->method->first_subregions;
    return j->capacity > minimum ? j->capacity : minimum;
}

/* Returns the bytes of the subregions of a group. */
static size_t group_bytes(const struct integrals_job *j)
{
    return (size_t)capacity_of(j) * (j->method->subregion_size + (size_t)j->dim * j->method->axis_size);
}

static size_t groups_of(const struct gpu *g, const struct integrals_job *j, size_t n)
{
    size_t groups = (size_t)g->device->units * GROUPS_PER_UNIT, each = group_bytes(j);
    double maximum = fmin(g->device->max_alloc, fmax(SUBREGIONS_MAX, SUBREGIONS_SHARE * g->device->max_alloc));
    if ((double)groups * (double)each > maximum) groups = (size_t)(maximum / (double)each);
    if (groups > n) groups = n;
    return groups ? groups : 1;
}

static size_t chunk_first(const struct gpu *g, const struct integrals_job *j)
{
    int is_cpu = g->device->is_cpu;
    size_t maximum = is_cpu ? CHUNK_LONG_CPU : CHUNK_LONG, few = GROUP_INTEGRALS * groups_of(g, j, maximum);
    if (j->method->is_short) return is_cpu ? CHUNK_FIRST_CPU : CHUNK_FIRST;
    return few < maximum ? few : maximum;
}

/* Returns the evaluations allowed for each of n integrals so that a kernel ends in time, whatever they need.  Integrals
 * that need more are left to the caller. */
static double evaluations_each(const struct gpu *g, const struct integrand *f, const struct integrals_job *j,
                               size_t n)
{
    double items = (double)n * (j->method->kernels.name[GROUP_INTEGRAL] ? REFINE_ITEMS : 1);
    return integrand_evaluations(g, f, items) / (double)n;
}

static size_t chunk_size(const struct integrals *s, const struct gpu *g, const struct integrand *f,
                         const struct integrals_job *j)
{
    size_t first = chunk_first(g, j), maximum = g->device->is_cpu ? CHUNK_MAX_CPU : CHUNK_MAX;
    double size = f->rate > 0 ? f->rate * CHUNK_SECONDS : (double)first;
    if (s->last && size > GROWTH * (double)s->last) size = GROWTH * (double)s->last;
    if (size < (double)first) size = (double)first;
    double each = fmax(EVALUATIONS_EACH, 2.0 * f->usual);
    return (size_t)fmin(fmin(size, (double)maximum), fmax(1.0, integrand_evaluations(g, f, INFINITY) / each));
}

/* --- to the device --------------------------------------------------------------- */

static void set_job(struct integrals_chunk *chunk, const struct integrals_job *j, size_t first, size_t count,
                    double evaluations)
{
    struct device_integrals *d = &chunk->job;
    size_t at = j->break_count;
    double maximum = (double)PACKED_MAX * j->method->unit;

    memset(d, 0, sizeof *d);
    d->rel_tol = j->rel_tol;
    d->abs_tol = j->abs_tol;
    d->max_eval = j->max_eval < maximum ? j->max_eval : maximum;
    d->launch_eval = 0.5 * evaluations;  /* a round at most about doubles the evaluations */
    d->option = j->option;
    d->first = (double)(j->first + first);
    d->doubles = j->bound ? 3 : 2;
    d->n = (int)count;
    d->columns = j->columns;
    d->breaks = (int)j->break_count;
    d->capacity = capacity_of(j);
    for (int k = 0; k < j->columns; k++) {
        d->stride[k] = j->column[k].length > 1;
        d->start[k] = (int)at;
        at += d->stride[k] ? count : 1;
    }
    chunk->first = first;
}

static size_t in_size(const struct integrals_chunk *chunk, const struct integrals_job *j)
{
    int last = j->columns - 1;
    size_t length = chunk->job.stride[last] ? (size_t)chunk->job.n : 1;
    return ((size_t)chunk->job.start[last] + length) * sizeof(double);
}

static size_t out_size(const struct integrals_chunk *chunk)
{
    return (size_t)chunk->job.n * ((size_t)chunk->job.doubles * sizeof(double) + sizeof(cl_uint));
}

static int fit(struct gpu *g, struct stream *stream, struct integrals_chunk *chunk, const struct integrals_job *j,
               struct status *st)
{
    size_t count = (size_t)chunk->job.n;
    if (gpu_reserve(g, stream, &chunk->in, in_size(chunk, j), st) ||
        gpu_reserve(g, stream, &chunk->out, out_size(chunk), st) ||
        gpu_reserve_scratch(g, &chunk->list, (count + 1) * sizeof(int), st))
        return st->code;
    return gpu_reserve_scratch(g, &chunk->subregions, groups_of(g, j, count) * group_bytes(j) + 1, st);
}

static int copy_in(struct gpu *g, struct stream *stream, struct integrals_chunk *chunk, const struct integrals_job *j,
                   struct status *st)
{
    double *to = chunk->in.host;
    const int none = 0;

    if (j->break_count) memcpy(to, j->breaks, j->break_count * sizeof *to);
    for (int k = 0; k < j->columns; k++)
        column_copy(to + chunk->job.start[k], &j->column[k], chunk->job.stride[k] ? chunk->first : 0,
                    chunk->job.stride[k] ? (size_t)chunk->job.n : 1);
    if (gpu_check(g->cl->EnqueueWriteBuffer(stream->queue, chunk->in.device, CL_FALSE, 0, in_size(chunk, j),
                                            chunk->in.host, 0, NULL, NULL), "copying to the device", st))
        return st->code;
    return gpu_check(g->cl->EnqueueFillBuffer(stream->queue, chunk->list.device, &none, sizeof none, 0, sizeof none, 0,
                                              NULL, NULL), "clearing a buffer", st);
}

static int start(struct integrals *s, struct gpu *g, struct stream *stream, struct integrals_chunk *chunk,
                 cl_kernel kernel, size_t groups, size_t local, struct status *st)
{
    const cl_mem memory[] = { chunk->in.device, s->pool.device, s->table.device, chunk->list.device,
                              chunk->subregions.device, chunk->out.device };
    size_t global = groups * local;
    if (!kernel) return ST_OK;
    cl_int e = g->cl->SetKernelArg(kernel, 0, sizeof chunk->job, &chunk->job);

    for (cl_uint k = 0; e == CL_SUCCESS && k < sizeof memory / sizeof memory[0]; k++)
        e = g->cl->SetKernelArg(kernel, k + 1, sizeof(cl_mem), &memory[k]);
    if (gpu_check(e, "setting the arguments of a kernel", st)) return st->code;
    return gpu_check(g->cl->EnqueueNDRangeKernel(stream->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
                     "starting a kernel", st);
}

/* Starts the second kernel of a chunk, which reads its work from a list that the first one leaves on the device.  A
 * kernel that is not built yet is built if the list is not empty. */
static int start_groups(struct integrals *s, struct gpu *g, struct stream *stream, struct integrals_chunk *chunk,
                        struct integrand *f, const struct integrals_job *j, size_t count, struct status *st)
{
    int listed = 1;
    if (integrand_needs_kernel(f)) {
        const struct integrand_constants c = integrals_constants(s, j->table_size);
        if (gpu_check(g->cl->EnqueueReadBuffer(stream->queue, chunk->list.device, CL_TRUE, 0, sizeof listed, &listed, 0,
                                               NULL, NULL), "copying from the device", st) ||
            (listed && integrand_complete(g, f, j->reference, &c, st)))
            return st->code;
    }
    if (!listed || f->is_insufficient) return ST_OK;
    return start(s, g, stream, chunk, f->kernel[GROUP_INTEGRAL], groups_of(g, j, count), REFINE_ITEMS, st);
}

/* Issues a chunk. */
static int issue(struct integrals *s, struct gpu *g, int number, struct integrand *f, const struct integrals_job *j,
                 size_t first, size_t count, struct status *st)
{
    struct stream *stream = &g->stream[number];
    struct integrals_chunk *chunk = &s->chunk[number];
    const struct integrand_constants c = integrals_constants(s, j->table_size);

    chunk->issued = threads_clock();
    set_job(chunk, j, first, count, evaluations_each(g, f, j, count));
    if (fit(g, stream, chunk, j, st) || copy_in(g, stream, chunk, j, st) ||
        start(s, g, stream, chunk, f->kernel[EACH_INTEGRAL], (count + f->local - 1) / f->local, f->local, st) ||
        start_groups(s, g, stream, chunk, f, j, count, st) ||
        integrand_read_flag(g, f, stream->queue, &c, 0, &chunk->flag, st) ||
        gpu_check(g->cl->EnqueueReadBuffer(stream->queue, chunk->out.device, CL_FALSE, 0, out_size(chunk),
                                           chunk->out.host, 0, NULL, &chunk->done), "copying from the device", st))
        return st->code;
    return gpu_check(g->cl->Flush(stream->queue), "flushing a queue", st);
}

/* --- from the device ------------------------------------------------------------- */

struct copied { const struct integrals_chunk *chunk; const struct integrals_job *job; struct stop_flag stop_flag; };

/* Copies results from, ..., to - 1 of a chunk; fails if a status is invalid. */
static void copy_some(void *context, int thread, size_t from, size_t to)
{
    struct copied *c = context;
    const struct integrals_chunk *chunk = c->chunk;
    const struct integrals_job *j = c->job;
    const double *value = chunk->out.host, *error = value + chunk->job.n;
    const cl_uint *packed = (const cl_uint *)(value + (size_t)chunk->job.doubles * (size_t)chunk->job.n);
    size_t bytes = (to - from) * sizeof *value, at = chunk->first;
    cl_uint worst = 0;

    (void)thread;
    memcpy(j->value + at + from, value + from, bytes);
    memcpy(j->error + at + from, error + from, bytes);
    if (j->bound) memcpy(j->bound + at + from, error + chunk->job.n + from, bytes);
    for (size_t i = from; i < to; i++) {
        cl_uint status = packed[i] % PACKED_STATUSES;
        worst = status > worst ? status : worst;
        j->evaluations[at + i] = (double)(packed[i] / PACKED_STATUSES) * j->method->unit;
        j->status[at + i] = (int)status;
    }
    if (worst > INTEGRAL_ROUNDOFF)
        stop_all(&c->stop_flag, ST_DEVICE, "a device returned an invalid status for an integral");
}

static int copy_out(const struct integrals_chunk *chunk, const struct integrals_job *j, struct status *st)
{
    struct copied c = { chunk, j, { .st = st } };
    parallel_for((size_t)chunk->job.n, PART, threads_limit(), copy_some, &c, &c.stop_flag);
    return st->code;
}

int integrals_wait(struct gpu *g, struct integrals_chunk *chunk, struct status *st)
{
    cl_event done = chunk->done;
    cl_int e = g->cl->WaitForEvents(1, &done);
    chunk->done = NULL;
    cl_int released = g->cl->ReleaseEvent(done);
    return gpu_check(e != CL_SUCCESS ? e : released, "waiting for the device", st);
}

/* Returns the number of evaluations that all but one in RARE integrals of a chunk did not exceed, rounded up by at most
 * a factor of two.  Integrals that the device left to the caller count with more evaluations than a launch allows. */
static double usual_evaluations(const struct integrals_chunk *chunk, const struct integrals_job *j)
{
    const double *value = chunk->out.host;
    const cl_uint *packed = (const cl_uint *)(value + (size_t)chunk->job.doubles * (size_t)chunk->job.n);
    int n = chunk->job.n < SAMPLED ? chunk->job.n : SAMPLED, octave = 32, count[33] = { 0 };

    for (int i = 0; i < n; i++) {
        int exponent;
        double count_of = packed[i] / PACKED_STATUSES, beyond = 2.0 * chunk->job.launch_eval / j->method->unit;
        if (packed[i] % PACKED_STATUSES == INTEGRAL_NOT_DONE) count_of = fmin(fmax(count_of, beyond), PACKED_MAX);
        frexp(count_of, &exponent);
        count[exponent]++;
    }
    for (int above = count[octave]; octave > 0 && above <= n / RARE; above += count[octave]) octave--;
    return ldexp(j->method->unit, octave);
}

static int complete(struct integrals *s, struct gpu *g, struct integrals_chunk *chunk, struct integrand *f,
                    const struct integrals_job *j, struct status *st)
{
    if (integrals_wait(g, chunk, st)) return st->code;
    f->is_insufficient |= chunk->flag != 0;
    if (f->is_insufficient) return ST_OK;
    double now = threads_clock(), from = s->completed > chunk->issued ? s->completed : chunk->issued;
    if (now > from) f->rate = chunk->job.n / (now - from);
    if (copy_out(chunk, j, st)) return st->code;
    f->usual = usual_evaluations(chunk, j);
    s->completed = threads_clock();
    return ST_OK;
}

/* --- slices ---------------------------------------------------------------------- */

int integrals_copy(struct gpu *g, struct scratch *to, const double *from, size_t count, struct status *st)
{
    size_t size = (count ? count : 1) * sizeof *from;
    if (gpu_reserve_scratch(g, to, size, st) || !count) return st->code;
    return gpu_check(g->cl->EnqueueWriteBuffer(g->stream[0].queue, to->device, CL_TRUE, 0, size, from, 0, NULL, NULL),
                     "copying to the device", st);
}

struct integrand_constants integrals_constants(const struct integrals *s, size_t table_size)
{
    size_t last = table_size ? table_size - 1 : 0;
    return (struct integrand_constants){ s->pool.device, s->table.device, last * sizeof(double) };
}

/* Gets the program, which may turn out to be insufficient.  If a single chunk has all integrals, the program of a
 * second kernel is not built until an integral needs it; chunks that overlap do not wait for a list.  is_alone: no
 * other device computes integrals of the job. */
static int get_program(struct integrals *s, struct gpu *g, const struct integrals_job *j, int is_alone,
                       struct integrand **f, struct status *st)
{
    if (integrand_get(g, &s->integrands, &j->method->kernels, j->source, j->reference, f, st)) return st->code;
    s->pool_sent_size = 0;
    if (integrals_copy(g, &s->pool, j->pool, j->pool_size, st)) return st->code;
    if (integrals_copy(g, &s->table, j->table, j->table_size, st)) return st->code;
    const struct integrand_constants c = integrals_constants(s, j->table_size);
    if (integrand_verify(g, *f, j->reference, &c, st) || (*f)->is_insufficient) return st->code;
    if (!integrand_needs_kernel(*f) || (is_alone && j->n <= chunk_first(g, j))) return ST_OK;
    return integrand_complete(g, *f, j->reference, &c, st);
}

static int prepare(struct integrals *s, struct gpu *g, const struct integrals_job *j, int is_alone,
                   struct integrand **f, struct status *st)
{
    if (j->columns > INTEGRAL_COLUMNS || j->break_count > BREAKS_MAX)
        return fail(st, ST_UNSUPPORTED, "devices support at most %d limits and parameters together, and %d breaks",
                    INTEGRAL_COLUMNS, BREAKS_MAX);
    while (!get_program(s, g, j, is_alone, f, st) && (*f)->is_insufficient);
    return st->code;
}

int integrals_oldest_chunk(const struct integrals *s)
{
    int found = -1;
    for (int k = 0; k < GPU_STREAMS; k++)
        if (s->chunk[k].done && (found < 0 || s->chunk[k].first < s->chunk[found].first)) found = k;
    return found;
}

int integrals_free_stream(const struct integrals *s)
{
    for (int k = 0; k < GPU_STREAMS; k++) if (!s->chunk[k].done) return k;
    return -1;
}

void integrals_abandon(struct integrals *s, struct gpu *g)
{
    for (int k = 0; k < GPU_STREAMS; k++) {
        if (g->stream[k].queue) g->cl->Finish(g->stream[k].queue);
        if (s->chunk[k].done) g->cl->ReleaseEvent(s->chunk[k].done);
        s->chunk[k].done = NULL;
    }
}

static void close_integrals(struct gpu *g, void *state)
{
    struct integrals *s = state;

    if (g->cl) {
        integrals_abandon(s, g);
        for (int k = 0; k < GPU_STREAMS; k++) {
            gpu_release_staged(g, &g->stream[k], &s->chunk[k].in);
            gpu_release_staged(g, &g->stream[k], &s->chunk[k].out);
            gpu_release_scratch(g, &s->chunk[k].list);
            gpu_release_scratch(g, &s->chunk[k].subregions);
        }
        gpu_release_scratch(g, &s->pool);
        gpu_release_scratch(g, &s->table);
        integrands_close(g, &s->integrands);
    }
    memory_release(s);
}

struct integrals *integrals_of(struct session *session, int device, struct status *st)
{
    struct attachment *a = session_attachment(session, device);
    if (!a->state) a->state = memory_zeroed(1, sizeof(struct integrals));
    if (a->state) a->close = close_integrals;
    else fail(st, ST_MEMORY, "no memory for integrals on a device");
    return a->state;
}

/* A job, and its program on each device. */
struct shared_integrals { const struct integrals_job *job; struct integrand *program[SELECTION_MAX]; };

/* Issues the next integrals on a free stream.  Returns 0 if there are none or no stream is free. */
static int issue_next(struct integrals *s, struct gpu *g, struct integrand *f, const struct integrals_job *j,
                      struct shared_parts *parts, struct status *st)
{
    int number = integrals_free_stream(s), is_first = integrals_oldest_chunk(s) < 0;
    size_t first, size;

    if (number < 0 || (f->rate == 0 && !is_first)) return 0;  /* without a rate the next chunk is as small */
    size = shared_parts_count(parts, chunk_size(s, g, f, j), chunk_first(g, j) / 4 + 1);
    size = shared_parts_next(parts, size, &first);
    if (!size) return 0;
    s->last = size;
    return !issue(s, g, number, f, j, first, size, st);
}

/* Computes integrals on one device until none are left. */
static int run_device(void *context, struct session *session, int device, struct shared_parts *parts, struct status *st)
{
    struct shared_integrals *all = context;
    struct integrals *s = integrals_of(session, device, st);
    struct gpu *g = session_gpu(session, device);
    const struct integrals_job *j = all->job;
    struct integrand *f = all->program[device];
    int number = 0;

    if (parts->first == 0) s->last = 0;
    if (f->capacity != j->capacity) f->rate = 0;  /* integrals that need more memory have another rate */
    f->capacity = j->capacity;
    while (!st->code && !f->is_insufficient && number >= 0) {
        if (issue_next(s, g, f, j, parts, st) || st->code) continue;
        number = integrals_oldest_chunk(s);
        if (number >= 0) complete(s, g, &s->chunk[number], f, j, st);
    }
    if (st->code || f->is_insufficient) integrals_abandon(s, g);
    return st->code;
}

/* Computes a slice; its results are void if the program of a device is insufficient. */
static int share(struct session *session, struct shared_integrals *all, struct slice *slice, struct status *st)
{
    int devices = session_devices(session);

    for (int d = 0; d < devices; d++) {
        struct integrals *s = integrals_of(session, d, st);
        if (!s || prepare(s, session_gpu(session, d), all->job, devices == 1, &all->program[d], st))
            return session_name_failure(session, d, st);
    }
    return session_share(session, devices, all->job->n, run_device, all, slice, st);
}

/* Programs are built on the calling thread, which may be interrupted. */
int integrals_run(struct session *session, const struct integrand_job *job, struct slice *slice, struct status *st)
{
    struct shared_integrals all = { job->integrals, { NULL } };

    while (!share(session, &all, slice, st) && integrands_insufficient(all.program, session_devices(session)));
    return st->code;
}

#endif
