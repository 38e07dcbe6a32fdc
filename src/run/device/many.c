/* Computes sums over many samples on devices. */
#include <math.h>
#include <string.h>
#include "../../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "sharing.h"
#include "../../opencl/devices.h"
#include "../../base/memory.h"
#include "../../base/parallel.h"
#include "../../interpolant/tensor_approximation.h"

#define REQUESTS 16384                  /* largest number at a time on a device, ... */
#define PARTS    65536                  /* ... and of their parts, unless a request has more */
#define PIECES   131072                 /* pieces for which a launch has memory: 64 MB */
#define PIECE_BYTES (sizeof(struct approximation_piece))
#define BUILD_ITEMS 128                 /* as in many.cl */
#define FEW      1024                   /* requests that do not occupy a device: the pieces of each are ... */
#define COPIES   16                     /* ... built by this many work groups */

/* Values of many_job.exactly: of all elements, or of those outside the tensor approximation. */
enum { ALL_EXACTLY = 1, OUTSIDE_EXACTLY };

/* --- requests ------------------------------------------------------------------ */

/* Sets the data that the device needs to build and evaluate the tensor approximation of a request; pieces = 0 if
 * its law has none. */
static void set_approximation(const struct many_request *q, const double *x, struct approximation *k,
                              struct device_request *r)
{
    int first;
    r->pieces = 0;
    if (!approximation_set_shape(k, &r->law)) return;
    r->frame = approximation_frame_of(k, &r->law);
    r->weights = k->weights;
    r->base = (int)(k->base - tables_get()->base);
    approximation_range(k, &r->frame, x[q->first], x[q->first + q->n - 1], &first, &r->pieces);
    r->piece = k->piece_0 + first;
}

/* Returns the number of parts of a request for n elements. */
static size_t parts_of(const struct many_job *job, size_t n)
{
    size_t each = job->exactly ? MANY_EXACT_PART : MANY_PART;
    return (n + each - 1) / each;
}

/* The requests of a job from number `first` on, and what the device needs for them. */
struct translation { const struct many_job *job; size_t first; struct device_request *to; };

static void translate(void *context, int thread, size_t from, size_t to)
{
    const struct translation *t = context;
    struct approximation k = { 0 };
    (void)thread;
    for (size_t i = from; i < to; i++) {
        const struct many_request *q = &t->job->request[t->first + i];
        struct user_law law = { q->alpha, q->beta, q->gamma, q->delta, q->pm };
        struct device_request *r = &t->to[i];
        memset(r, 0, sizeof *r);
        r->law = law;
        r->only_value = q->only_value;
        r->first = (int)q->first;
        r->n = (int)q->n;
        r->parts = (int)parts_of(t->job, q->n);
        if (t->job->exactly != ALL_EXACTLY) set_approximation(q, t->job->x.at, &k, r);
    }
}

/* Numbers the parts of all requests; returns how many there are. */
static size_t number_parts(struct device_request *r, int count)
{
    int parts = 0;
    for (int i = 0; i < count; i++) {
        r[i].part = parts;
        parts += r[i].parts;
    }
    return (size_t)parts;
}

/* Returns the largest number of parts of a request. */
static int max_parts(const struct device_request *r, int count)
{
    int maximum = 1;
    for (int i = 0; i < count; i++) maximum = r[i].parts > maximum ? r[i].parts : maximum;
    return maximum;
}

/* TRUE if the requests have tensor approximations of the same shape. */
static int is_same_shape(const struct device_request *a, const struct device_request *b)
{
    return a->pieces && b->pieces && a->law.alpha == b->law.alpha && fabs(a->law.beta) == fabs(b->law.beta);
}

/* Returns the end of the consecutive requests that have the shape of request i, and gives all of them the pieces that
 * any of them needs; the first one has them built. */
static int share_pieces(struct device_request *r, int i, int count)
{
    int end = i + 1, first = r[i].piece, last = first + r[i].pieces;
    for (; end < count && is_same_shape(&r[i], &r[end]); end++) {
        if (r[end].piece < first) first = r[end].piece;
        if (r[end].piece + r[end].pieces > last) last = r[end].piece + r[end].pieces;
    }
    for (int k = i; k < end; k++) {
        r[k].piece = first;
        r[k].pieces = last - first;
        r[k].built = k == i ? last - first : 0;
    }
    return end;
}

/* Assigns the pieces of each request a place in the buffer, beginning with request i; returns the end of the
 * launch. */
static int assign_offsets(struct device_request *r, int i, int count)
{
    for (int offset = 0, end; i < count; i = end) {
        end = share_pieces(r, i, count);
        if (offset + r[i].pieces > PIECES) break;
        for (int k = i; k < end; k++) r[k].offset = offset;
        offset += r[i].pieces;
    }
    return i;
}

/* --- kernels ------------------------------------------------------------------- */

struct kernel_argument { size_t size; const void *at; };

/* Adds the time of a kernel if profiling is on; no other kernel is started meanwhile. */
static int add_kernel_time(struct gpu *g, enum gpu_kernel k, cl_event event, struct status *st)
{
    struct profile *p = profile_of_process();
    double *part = k == MANY_BUILD ? &p->build : k == MANY_SUMS ? &p->sums : &p->exact, seconds = 0.0;
    if (!event) return ST_OK;
    cl_int e = g->cl->WaitForEvents(1, &event);
    gpu_add_time(g, event, &seconds, st);
    parallel_lock();
    *part += seconds;
    parallel_unlock();
    return gpu_check(e, "waiting for the device", st);
}

/* Starts `across` work groups of `local` work items along the first axis and `down` along the second, which may have
 * 65535 at most. */
static int start(struct gpu *g, enum gpu_kernel k, const struct kernel_argument *a, cl_uint count, size_t local,
                 int across, int down, struct status *st)
{
    size_t global[] = { (size_t)across * local, (size_t)down }, locals[] = { local, 1 };
    cl_event event = NULL;
    cl_int e = CL_SUCCESS;
    if (gpu_prepare(g, k, st)) return st->code;
    for (cl_uint i = 0; e == CL_SUCCESS && i < count; i++) e = g->cl->SetKernelArg(g->kernel[k], i, a[i].size, a[i].at);
    if (gpu_check(e, "setting the arguments of a kernel", st)) return st->code;
    e = g->cl->EnqueueNDRangeKernel(g->stream[0].queue, g->kernel[k], 2, NULL, global, locals, 0, NULL,
                                    profile_of_process()->on ? &event : NULL);
    if (gpu_check(e, "starting a kernel", st)) return st->code;
    return add_kernel_time(g, k, event, st);
}

#define ARGUMENT(x) { sizeof(x), &(x) }
#define ARGUMENTS_OF(a) (a), (cl_uint)(sizeof(a) / sizeof *(a))

/* Starts the kernel for requests first, ..., first + count - 1 of those on the device; r: these requests. */
static int start_exact(struct gpu *g, const struct tables_copy *p, const struct device_request *r, cl_int first,
                       int count, struct status *st)
{
    struct stream *l = &g->stream[0];
    const struct kernel_argument a[] = { ARGUMENT(l->requests.device), ARGUMENT(first), ARGUMENT(g->tables.device),
                                         ARGUMENT(p->at), ARGUMENT(g->data), ARGUMENT(l->sums.device) };
    return start(g, MANY_EXACT, ARGUMENTS_OF(a), PARTIAL_SUMS, max_parts(r, count), count, st);
}

/* lists: where the lists of deferred elements begin in the buffer of sums, in ints. */
static int start_sums(struct gpu *g, const struct tables_copy *p, const struct device_request *r, cl_int first,
                      int count, cl_int lists, struct status *st)
{
    struct stream *l = &g->stream[0];
    const struct kernel_argument build[] = { ARGUMENT(l->requests.device), ARGUMENT(first), ARGUMENT(g->tables.device),
                                            ARGUMENT(p->at), ARGUMENT(l->approximations.device) };
    const struct kernel_argument sums[] = { ARGUMENT(l->requests.device), ARGUMENT(first), ARGUMENT(g->tables.device),
                                            ARGUMENT(p->at), ARGUMENT(l->approximations.device), ARGUMENT(g->data),
                                            ARGUMENT(l->sums.device), ARGUMENT(lists) };
    if (start(g, MANY_BUILD, ARGUMENTS_OF(build), BUILD_ITEMS, count, count <= FEW ? COPIES : 1, st)) return st->code;
    return start(g, MANY_SUMS, ARGUMENTS_OF(sums), PARTIAL_SUMS, max_parts(r, count), count, st);
}

/* --- one device ------------------------------------------------------------------ */

/* Returns the number of sums of a request or part. */
static size_t sums_of(const struct many_job *job)
{
    return job->exactly ? 1 : APPROXIMATE_SUMS;
}

/* Returns the number of bytes of the sums of all parts, behind which their lists of deferred elements are stored. */
static size_t sum_bytes(const struct many_job *job, size_t parts)
{
    return parts * sums_of(job) * sizeof *job->sum;
}

/* Returns the number of bytes of all results, which are copied back together. */
static size_t result_bytes(const struct many_job *job, size_t parts)
{
    return sum_bytes(job, parts) + (job->exactly ? 0 : parts * (MANY_DEFERRED + 1) * sizeof(int));
}

/* Allocates memory for the results of all parts. */
static int reserve_buffers(struct gpu *g, const struct many_job *job, size_t parts, struct status *st)
{
    struct stream *l = &g->stream[0];
    if (gpu_reserve(g, l, &l->sums, result_bytes(job, parts), st) || job->exactly) return st->code;
    return gpu_reserve_scratch(g, &l->approximations, PIECES * PIECE_BYTES, st);
}

/* Copies requests first, ..., first + count - 1 to the device. */
static int copy_in(struct gpu *g, int first, int count, struct status *st)
{
    struct staged_buffer *m = &g->stream[0].requests;
    size_t at = (size_t)first * sizeof(struct device_request), size = (size_t)count * sizeof(struct device_request);
    return gpu_check(g->cl->EnqueueWriteBuffer(g->stream[0].queue, m->device, CL_FALSE, at, size, (char *)m->host + at,
                                               0, NULL, NULL), "copying to the device", st);
}

/* Waits for the results. */
static int copy_back(struct gpu *g, const struct staged_buffer *m, size_t size, struct status *st)
{
    return gpu_check(g->cl->EnqueueReadBuffer(g->stream[0].queue, m->device, CL_TRUE, 0, size, m->host, 0, NULL, NULL),
                     "copying from the device", st);
}

/* Has the device compute sums; *parts: their number. */
static int compute(struct gpu *g, const struct tables_copy *p, const struct many_job *job, size_t from, int count,
                   size_t *parts, struct status *st)
{
    struct stream *l = &g->stream[0];
    size_t n = (size_t)count;
    struct translation t = { job, from, NULL };

    if (gpu_reserve(g, l, &l->requests, n * sizeof *t.to, st) || gpu_update_replica(g, &g->tables, &p->input, st))
        return st->code;
    t.to = l->requests.host;
    parallel_for(n, 0, count > FEW ? threads_limit() : 1, translate, &t, NULL);
    *parts = number_parts(t.to, count);
    cl_int lists = (cl_int)(sum_bytes(job, *parts) / sizeof(int));
    if (reserve_buffers(g, job, *parts, st)) return st->code;
    for (int first = 0, next; first < count; first = next) {
        struct device_request *r = t.to + first;
        next = job->exactly ? count : assign_offsets(t.to, first, count);
        if (copy_in(g, first, next - first, st)) return st->code;
        if (job->exactly ? start_exact(g, p, r, first, next - first, st)
                         : start_sums(g, p, r, first, next - first, lists, st))
            return st->code;
    }
    return copy_back(g, &l->sums, result_bytes(job, *parts), st);
}

/* Adds the sums of the parts of a request. */
static void add_parts(const struct device_request *r, size_t sums, const double *of_part, double *sum)
{
    size_t wanted = r->only_value ? 1 : sums;
    memset(sum, 0, sums * sizeof *sum);
    for (size_t c = 0; c < wanted; c++) {
        struct double_double total = { 0.0, 0.0 };
        for (int k = 0; k < r->parts; k++) total = compensated_add(total, of_part[(size_t)k * sums + c]);
        sum[c] = total.hi + total.lo;
    }
}

/* Joins the lists of the parts of a request. */
static int merge_lists(const struct device_request *r, const int *of_part, int *deferred, struct status *st)
{
    int listed = 0;
    deferred[0] = 0;
    for (int p = 0; p < r->parts; p++, of_part += MANY_DEFERRED + 1) {
        int count = of_part[0];
        if (count < 0 || count > r->n - deferred[0])
            return fail(st, ST_DEVICE, "a list from the device is longer than its sample");
        for (int k = 1; k <= count && k <= MANY_DEFERRED; k++) {
            if (of_part[k] < 0 || of_part[k] >= r->n)
                return fail(st, ST_DEVICE, "a list from the device contains invalid elements");
            if (listed < MANY_DEFERRED) deferred[++listed] = of_part[k];
        }
        deferred[0] += count;
    }
    if (!r->pieces) deferred[0] = MANY_NOT_COMPUTED;
    return ST_OK;
}

/* Adds up the results of all parts. */
static int combine_parts(const struct stream *l, const struct many_job *job, size_t from, int count, size_t parts,
                         struct status *st)
{
    size_t sums = sums_of(job);
    const struct device_request *r = l->requests.host;
    const double *sum = l->sums.host;
    const int *list = (const int *)(sum + parts * sums);

    for (size_t i = from; i < from + (size_t)count; i++, r++) {
        add_parts(r, sums, sum + (size_t)r->part * sums, job->sum + i * sums);
        if (job->exactly) continue;
        int *deferred = job->deferred + i * (MANY_DEFERRED + 1);
        if (merge_lists(r, list + r->part * (MANY_DEFERRED + 1), deferred, st)) return st->code;
    }
    return ST_OK;
}

/* --- all of them ------------------------------------------------------------------- */

/* maximum: the largest number of requests at a time. */
struct shared_requests { const struct tables_copy *tables; const struct many_job *job; size_t maximum; };

/* Returns the largest number of requests of a job at a time on a device. */
static size_t max_requests(const struct many_job *job)
{
    size_t parts = 1, maximum;
    for (size_t i = 0; i < job->n; i++) {
        size_t count = parts_of(job, job->request[i].n);
        parts = count > parts ? count : parts;
    }
    maximum = PARTS / parts;
    return maximum < 1 ? 1 : maximum < REQUESTS ? maximum : REQUESTS;
}

/* Computes equal numbers of requests on each device. */
static int run_device(void *context, struct session *session, int device, struct shared_parts *parts, struct status *st)
{
    const struct shared_requests *r = context;
    struct gpu *g = session_gpu(session, device);
    size_t devices = (size_t)parts->devices, each = (parts->n - parts->first + devices - 1) / devices;
    size_t first, count, part_count = 0;

    if (each > r->maximum) each = r->maximum;
    while ((count = shared_parts_next(parts, each, &first)) > 0)
        if (compute(g, r->tables, r->job, first, (int)count, &part_count, st) ||
            combine_parts(&g->stream[0], r->job, first, (int)count, part_count, st)) break;
    return st->code;
}

static int run_job(struct session *session, const struct tables_copy *tables, const struct many_job *job,
                   struct slice *slice, struct status *st)
{
    static const enum gpu_kernel exact[] = { MANY_EXACT }, approximate[] = { MANY_BUILD, MANY_SUMS };
    struct shared_requests r = { tables, job, max_requests(job) };

    if (session_prepare(session, job->exactly ? exact : approximate, job->exactly ? 1 : 2, st)) return st->code;
    return session_share(session, session_devices(session), job->n, run_device, &r, slice, st);
}

/* --- samples of which many elements are outside the tensor approximation ------------- */

/* Such requests of a slice for log-likelihoods, their indices in the job, and the sums over those elements. */
struct outside { struct many_request *request; size_t *index, n; double *sum; };

static void find_outside(const struct many_job *job, const struct slice *slice, struct outside *o)
{
    o->n = 0;
    for (size_t i = slice->first; i < slice->first + slice->done; i++) {
        if (!job->request[i].only_value || job->deferred[i * (MANY_DEFERRED + 1)] <= MANY_DEFERRED) continue;
        if (o->request) o->request[o->n] = job->request[i];
        if (o->index) o->index[o->n] = i;
        o->n++;
    }
}

static int compute_outside(struct session *session, const struct tables_copy *tables, const struct many_job *job,
                           struct outside *o, struct status *st)
{
    const struct many_job exact = {
        o->n, o->request, job->x, job->data, OUTSIDE_EXACTLY, o->sum, NULL
    };
    for (struct slice slice = { .seconds = INFINITY }; slice.first < o->n; slice.first += slice.done)
        if (run_job(session, tables, &exact, &slice, st)) return st->code;
    for (size_t k = 0; k < o->n; k++) {
        job->sum[o->index[k] * APPROXIMATE_SUMS] += o->sum[k];
        job->deferred[o->index[k] * (MANY_DEFERRED + 1)] = 0;
    }
    return ST_OK;
}

/* Adds the exact log densities of these elements. */
static int run_outside(struct session *session, const struct tables_copy *tables, const struct many_job *job,
                       const struct slice *slice, struct status *st)
{
    struct outside o = { NULL, NULL, 0, NULL };

    find_outside(job, slice, &o);
    if (!o.n) return ST_OK;
    o.request = memory_allocate(o.n * sizeof *o.request);
    o.index = memory_allocate(o.n * sizeof *o.index);
    o.sum = memory_allocate(o.n * sizeof *o.sum);
    if (!o.request || !o.index || !o.sum) {
        fail(st, ST_MEMORY, "no memory for %.0f log-likelihoods", (double)o.n);
    } else {
        find_outside(job, slice, &o);
        compute_outside(session, tables, job, &o, st);
    }
    memory_release(o.request);
    memory_release(o.index);
    memory_release(o.sum);
    return st->code;
}

int many_run(struct session *session, const struct tables_copy *tables, const struct many_job *job, struct slice *slice,
             struct status *st)
{
    if (run_job(session, tables, job, slice, st) || job->exactly) return st->code;
    return run_outside(session, tables, job, slice, st);
}

#endif
