/* Computes sums over many samples on devices. */
#include <math.h>
#include <string.h>
#include "../../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "sharing.h"
#include "../../opencl/devices.h"
#include "../../base/parallel.h"
#include "../../interpolant/tensor_approximation.h"

#define REQUESTS 16384                  /* largest number at a time on a device */
#define PIECES   131072                 /* pieces for which a launch has memory: 64 MB */
#define PIECE_BYTES (sizeof(struct approximation_piece))
#define DRAW_LANES 128                  /* as in many.cl */
#define FEW      1024                   /* requests that do not occupy a device: the pieces of each are ... */
#define COPIES   16                     /* ... built by this many work groups */

/* --- requests ------------------------------------------------------------------ */

/* Sets the data that the device needs to build and evaluate the tensor approximation of a request; pieces = 0 if
 * its law has none. */
static void set_approximation(const struct many_request *q, const double *x, struct approximation *k,
                              struct device_request *r)
{
    int first;
    r->pieces = 0;
    if (!approximation_aim(k, &r->law)) return;
    r->frame = approximation_frame_of(k, &r->law);
    r->weights = k->weights;
    r->base = (int)(k->base - tables_get()->base);
    approximation_range(k, &r->frame, x[q->first], x[q->first + q->n - 1], &first, &r->pieces);
    r->piece = k->piece_0 + first;
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
        if (!t->job->exactly) set_approximation(q, t->job->x.at, &k, r);
    }
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
static int set_rooms(struct device_request *r, int i, int count)
{
    for (int room = 0, end; i < count; i = end) {
        end = share_pieces(r, i, count);
        if (room + r[i].pieces > PIECES) break;
        for (int k = i; k < end; k++) r[k].room = room;
        room += r[i].pieces;
    }
    return i;
}

/* --- kernels ------------------------------------------------------------------- */

struct argument { size_t size; const void *at; };

/* Adds the time of a kernel if profiling is on; no other kernel is started meanwhile. */
static int take_time(struct gpu *g, enum gpu_kernel k, cl_event ran, struct status *st)
{
    struct profile *p = profile_of_process();
    double *part = k == MANY_DRAW ? &p->draw : k == MANY_SUMS ? &p->sums : &p->exact, seconds = 0.0;
    if (!ran) return ST_OK;
    cl_int e = g->cl->WaitForEvents(1, &ran);
    gpu_add_time(g, ran, &seconds, st);
    parallel_lock();
    *part += seconds;
    parallel_unlock();
    return gpu_check(e, "waiting for the device", st);
}

/* Starts `groups` work groups of `local` work items, each `copies` times along a second axis. */
static int start(struct gpu *g, enum gpu_kernel k, const struct argument *a, cl_uint count, size_t local, int groups,
                 int copies, struct status *st)
{
    size_t global[] = { (size_t)groups * local, (size_t)copies }, locals[] = { local, 1 };
    cl_event ran = NULL;
    cl_int e = CL_SUCCESS;
    if (gpu_prepare(g, k, st)) return st->code;
    for (cl_uint i = 0; e == CL_SUCCESS && i < count; i++) e = g->cl->SetKernelArg(g->kernel[k], i, a[i].size, a[i].at);
    if (gpu_check(e, "setting the arguments of a kernel", st)) return st->code;
    e = g->cl->EnqueueNDRangeKernel(g->lane[0].queue, g->kernel[k], 2, NULL, global, locals, 0, NULL,
                                    profile_of_process()->on ? &ran : NULL);
    if (gpu_check(e, "starting a kernel", st)) return st->code;
    return take_time(g, k, ran, st);
}

#define ARGUMENT(x) { sizeof(x), &(x) }
#define ARGUMENTS_OF(a) (a), (cl_uint)(sizeof(a) / sizeof *(a))

/* Starts the kernel for requests first, ..., first + count - 1 of those on the device. */
static int start_exact(struct gpu *g, cl_int first, int count, struct status *st)
{
    struct lane *l = &g->lane[0];
    const struct argument a[] = { ARGUMENT(l->requests.device), ARGUMENT(first), ARGUMENT(g->data),
                                  ARGUMENT(l->sums.device) };
    return start(g, MANY_EXACT, ARGUMENTS_OF(a), TOTAL_LANES, count, 1, st);
}

static int start_sums(struct gpu *g, const struct tables_copy *p, cl_int first, int count, struct status *st)
{
    struct lane *l = &g->lane[0];
    const struct argument draw[] = { ARGUMENT(l->requests.device), ARGUMENT(first), ARGUMENT(g->tables.device),
                                     ARGUMENT(p->at), ARGUMENT(l->approximations.device) };
    const struct argument sums[] = { ARGUMENT(l->requests.device), ARGUMENT(first), ARGUMENT(g->tables.device),
                                     ARGUMENT(p->at), ARGUMENT(l->approximations.device), ARGUMENT(g->data),
                                     ARGUMENT(l->sums.device), ARGUMENT(l->left.device) };
    if (start(g, MANY_DRAW, ARGUMENTS_OF(draw), DRAW_LANES, count, count <= FEW ? COPIES : 1, st)) return st->code;
    return start(g, MANY_SUMS, ARGUMENTS_OF(sums), TOTAL_LANES, count, 1, st);
}

/* --- one device ------------------------------------------------------------------ */

static size_t sum_bytes(const struct many_job *job)
{
    return (job->exactly ? 1 : APPROXIMATE_SUMS) * sizeof *job->sum;
}

#define LEFT_BYTES ((MANY_LEFT + 1) * sizeof(int))

static int fit(struct gpu *g, const struct many_job *job, size_t count, struct status *st)
{
    struct lane *l = &g->lane[0];
    if (gpu_fit(g, l, &l->requests, count * sizeof(struct device_request), st) ||
        gpu_fit(g, l, &l->sums, count * sum_bytes(job), st))
        return st->code;
    if (job->exactly) return ST_OK;
    if (gpu_fit(g, l, &l->left, count * LEFT_BYTES, st)) return st->code;
    return gpu_fit_scratch(g, &l->approximations, PIECES * PIECE_BYTES, st);
}

/* Copies requests first, ..., first + count - 1 to the device. */
static int copy_in(struct gpu *g, int first, int count, struct status *st)
{
    struct mirror *m = &g->lane[0].requests;
    size_t at = (size_t)first * sizeof(struct device_request), size = (size_t)count * sizeof(struct device_request);
    return gpu_check(g->cl->EnqueueWriteBuffer(g->lane[0].queue, m->device, CL_FALSE, at, size, (char *)m->host + at, 0,
                                               NULL, NULL), "copying to the device", st);
}

static int copy_back(struct gpu *g, const struct mirror *m, size_t size, struct status *st)
{
    return gpu_check(g->cl->EnqueueReadBuffer(g->lane[0].queue, m->device, CL_FALSE, 0, size, m->host, 0, NULL, NULL),
                     "copying from the device", st);
}

/* Enqueues all commands without waiting for them. */
static int issue(struct gpu *g, const struct tables_copy *p, const struct many_job *job, size_t from, int count,
                 struct status *st)
{
    struct lane *l = &g->lane[0];
    size_t n = (size_t)count;
    struct translation t = { job, from, NULL };

    if (fit(g, job, n, st) || gpu_replicate(g, &g->tables, &p->input, st)) return st->code;
    t.to = l->requests.host;
    parallel_for(n, 0, count > FEW ? threads_limit() : 1, translate, &t, NULL);
    for (int first = 0, next; first < count; first = next) {
        next = job->exactly ? count : set_rooms(l->requests.host, first, count);
        if (copy_in(g, first, next - first, st)) return st->code;
        if (job->exactly ? start_exact(g, first, next - first, st) : start_sums(g, p, first, next - first, st))
            return st->code;
    }
    if (copy_back(g, &l->sums, n * sum_bytes(job), st) || (!job->exactly && copy_back(g, &l->left, n * LEFT_BYTES, st)))
        return st->code;
    return gpu_check(g->cl->Flush(l->queue), "flushing a queue", st);
}

static int complete(struct gpu *g, const struct many_job *job, size_t from, int count, struct status *st)
{
    struct lane *l = &g->lane[0];
    size_t n = (size_t)count, each = sum_bytes(job);
    const struct device_request *r = l->requests.host;
    int *left = job->left + from * (MANY_LEFT + 1);

    if (gpu_check(g->cl->Finish(l->queue), "waiting for the device", st)) return st->code;
    memcpy((char *)job->sum + from * each, l->sums.host, n * each);
    if (job->exactly) return ST_OK;
    memcpy(left, l->left.host, n * LEFT_BYTES);
    for (int i = 0; i < count; i++, left += MANY_LEFT + 1) {
        if (left[0] < 0 || left[0] > r[i].n)
            return fail(st, ST_DEVICE, "a list from the device is longer than its sample");
        for (int k = 1; k <= left[0] && k <= MANY_LEFT; k++)
            if (left[k] < 0 || left[k] >= r[i].n)
                return fail(st, ST_DEVICE, "a list from the device contains invalid elements");
        if (!r[i].pieces) left[0] = -1;
    }
    return ST_OK;
}

/* --- all of them ------------------------------------------------------------------- */

struct shared_requests { const struct tables_copy *tables; const struct many_job *job; };

/* Computes equal numbers of requests on each device. */
static int run_device(void *context, struct session *session, int device, struct shared_parts *parts, struct status *st)
{
    const struct shared_requests *r = context;
    struct gpu *g = session_gpu(session, device);
    size_t devices = (size_t)parts->devices, each = (parts->n - parts->first + devices - 1) / devices, first, count;

    if (each > REQUESTS) each = REQUESTS;
    while ((count = shared_parts_take(parts, each, &first)) > 0)
        if (issue(g, r->tables, r->job, first, (int)count, st) || complete(g, r->job, first, (int)count, st)) break;
    return st->code;
}

int many_run(struct session *session, const struct tables_copy *tables, const struct many_job *job, struct slice *slice,
             struct status *st)
{
    static const enum gpu_kernel exact[] = { MANY_EXACT }, approximate[] = { MANY_DRAW, MANY_SUMS };
    struct shared_requests r = { tables, job };

    if (session_prepare(session, job->exactly ? exact : approximate, job->exactly ? 1 : 2, st)) return st->code;
    return session_share(session, session_devices(session), job->n, run_device, &r, slice, st);
}

#endif
