/* Runs jobs over the points of a box on the devices of a session (box_jobs_device.c): copies the description of the box
 * to each device, launches kernels one after the other and reads their results. */
#include <float.h>
#include <math.h>
#include <string.h>
#include "../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "integrals_device.h"
#include "../base/column.h"
#include "../base/memory.h"
#include "../base/parallel.h"

/* Least number of points for each of several devices, GPUs and CPU devices, so that sharing the work saves more time
 * than it takes; fewer are enough if they take MIN_TIME times as long as the longest launch.  MIN_GROUPS: least
 * number of groups for each compute unit of a GPU, so that its work items are occupied.  A group computes at least one
 * share; a launch of fewer takes as long as a share, regardless of their number. */
#define MIN_POINTS       0x1p20
#define MIN_POINTS_CPU   0x1p13
#define MIN_TIME         0.01
#define MIN_GROUPS       4.0

/* Least size of a buffer in bytes, so that growing rounds of an integral do not each need a new one. */
#define MIN_BYTES   ((size_t)1 << 20)

/* Returns the number of doubles with which the input of a job begins (integrals_shared.h).  Jobs over subregions have
 * neither limits nor nodes. */
static size_t number_count(const struct box_job *b)
{
    return (size_t)b->parameters + (size_t)b->dim * ((b->low ? 2 : 0) + (b->node ? MAP_DOUBLES : 0));
}

struct device_box box_of(const struct box_job *b)
{
    struct device_box d;
    memset(&d, 0, sizeof d);
    d.exponent = b->scale > 0.0 ? ilogb(b->scale) : 0;
    d.doubles = (int)number_count(b);
    d.mapped = b->node != NULL;
    d.parameters = b->parameters;
    return d;
}

/* Copies `count` numbers.  Returns the position after them. */
static double *append_numbers(double *to, const double *from, size_t count)
{
    if (count) memcpy(to, from, count * sizeof *to);
    return to + count;
}

/* Stores the numbers with which the input of a job begins. */
static void store_numbers(const struct box_job *b, double *to)
{
    size_t axes = (size_t)b->dim;
    to = append_numbers(to, b->parameter, (size_t)b->parameters);
    to = append_numbers(to, b->low, b->low ? axes : 0);
    to = append_numbers(to, b->width, b->low ? axes : 0);
    append_numbers(to, b->node, b->node ? axes * MAP_DOUBLES : 0);
}

/* TRUE if single precision can represent the numbers, up to rounding errors. */
static int are_in_range(const double *number, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        double size = fabs(number[k]);
        if ((size > FLT_MAX && !isinf(size)) || (size > 0.0 && size < FLT_MIN)) return 0;
    }
    return 1;
}

static int check_range(const struct box_job *b, struct status *st)
{
    size_t axes = (size_t)b->dim;
    if (are_in_range(b->pool, b->pool_size) && are_in_range(b->parameter, (size_t)b->parameters) &&
        are_in_range(b->low, axes) && are_in_range(b->width, axes)) return ST_OK;
    return fail(st, ST_UNSUPPORTED, "constants, parameters or limits of the integrand are not 0 and outside the range "
                "of single precision, 1.2e-38 to 3.4e38; use precision = \"double\"");
}

/* Starts a copy to the device.  The host's memory must remain valid until box_read(), which waits for the copy. */
static int copy(struct gpu *g, cl_mem to, const void *from, size_t size, struct status *st)
{
    if (!size) return ST_OK;
    return gpu_check(g->cl->EnqueueWriteBuffer(g->stream[0].queue, to, CL_FALSE, 0, size, from, 0, NULL, NULL),
                     "copying to the device", st);
}

static int copy_numbers(struct gpu *g, struct scratch *to, const double *from, size_t count, struct status *st)
{
    if (gpu_reserve_scratch(g, to, (count ? count : 1) * sizeof *from, st)) return st->code;
    return copy(g, to->device, from, count * sizeof *from, st);
}

/* Copies the constants to the device, unless they are the same as in the previous round. */
static int copy_pool(struct integrals *s, struct gpu *g, const struct box_job *b, struct status *st)
{
    size_t size = b->pool_size * sizeof *b->pool;
    if (b->pool_size && b->pool_size == s->pool_sent_size && !memcmp(s->pool_sent, b->pool, size)) return ST_OK;
    s->pool_sent_size = 0;
    if (copy_numbers(g, &s->pool, b->pool, b->pool_size, st) || b->pool_size > POOL_SENT) return st->code;
    if (size) memcpy(s->pool_sent, b->pool, size);
    s->pool_sent_size = b->pool_size;
    return ST_OK;
}

/* Copies the constants in single precision. */
static int copy_pool_single(struct integrals *s, struct gpu *g, const struct box_job *b, struct status *st)
{
    size_t count = b->pool_size, size = (count ? count : 1) * sizeof(double);
    double *constants;

    s->pool_sent_size = 0;
    if (gpu_reserve_scratch(g, &s->pool, size, st) || !count) return st->code;
    if (!(constants = memory_allocate(size))) return fail(st, ST_MEMORY, "no memory for the constants of an integrand");
    memcpy(constants, b->pool, size);
    numbers_to_single(constants, count);
    gpu_check(g->cl->EnqueueWriteBuffer(g->stream[0].queue, s->pool.device, CL_TRUE, 0, count * sizeof(float),
                                        constants, 0, NULL, NULL), "copying to the device", st);
    memory_release(constants);
    return st->code;
}

static int fit(struct gpu *g, struct staged_buffer *m, size_t size, struct status *st)
{
    return gpu_reserve(g, &g->stream[0], m, size > MIN_BYTES ? size : MIN_BYTES, st);
}

/* Prepares a run in stream 0 of a device: gets the program, which may turn out to be insufficient, allocates its memory
 * and starts copying what the kernels read, that is, the box, what follows it, the constants and the tables. */
static int begin(struct integrals *s, struct gpu *g, const struct box_work *w, struct integrand **f, struct status *st)
{
    const struct box_job *b = w->box;
    struct integrals_chunk *chunk = &s->chunk[0];
    size_t count = number_count(b);
    int is_single = is_single_use(b->use);
    size_t head = count * (is_single ? sizeof(float) : sizeof(double));

    if ((is_single && check_range(b, st)) ||
        integrand_get(g, &s->integrands, &box_kernels[b->use], b->source, b->reference, f, st) ||
        fit(g, &chunk->in, count * sizeof(double) + w->more_size, st) || fit(g, &chunk->out, w->out_size, st))
        return st->code;
    store_numbers(b, (double *)(void *)chunk->in.host);
    if (is_single) numbers_to_single((double *)(void *)chunk->in.host, count);
    bytes_copy((char *)chunk->in.host + head, w->more, w->more_size);
    if (copy(g, chunk->in.device, chunk->in.host, head + w->more_size, st) ||
        (is_single ? copy_pool_single(s, g, b, st) : copy_pool(s, g, b, st)))
        return st->code;
    if (copy_numbers(g, &s->table, b->table, b->table_size, st)) return st->code;
    const struct integrand_constants c = integrals_constants(s, b->table_size);
    return integrand_verify(g, *f, b->reference, &c, st);
}

int box_start(struct integrals *s, struct gpu *g, cl_kernel kernel, const void *job, size_t job_size, size_t groups,
              size_t local, struct status *st)
{
    const cl_mem memory[] = { s->chunk[0].in.device, s->pool.device, s->table.device, s->chunk[0].out.device };
    size_t global = groups * local;
    cl_int e = g->cl->SetKernelArg(kernel, 0, job_size, job);

    for (cl_uint k = 0; e == CL_SUCCESS && k < sizeof memory / sizeof memory[0]; k++)
        e = g->cl->SetKernelArg(kernel, k + 1, sizeof(cl_mem), &memory[k]);
    if (gpu_check(e, "setting the arguments of a kernel", st)) return st->code;
    return gpu_check(g->cl->EnqueueNDRangeKernel(g->stream[0].queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
                     "starting a kernel", st);
}

/* Returns the least number of shares for each of several devices. */
static size_t min_shares(const struct box_work *w, const struct gpu *g, const struct integrand *f)
{
    double points = g->device->is_cpu ? MIN_POINTS_CPU : MIN_POINTS;
    double minimum = fmin(points, MIN_TIME * integrand_evaluations(g, f, INFINITY)) / w->share_points;
    if (!g->device->is_cpu) minimum = fmax(minimum, MIN_GROUPS * g->device->units);
    return minimum < 1.0 ? 1 : (size_t)minimum;
}

/* Returns the number of shares for a kernel launch; at least 1. */
static size_t shares_of_launch(const struct box_work *w, const struct gpu *g, const struct integrand *f)
{
    double points = integrand_evaluations(g, f, INFINITY);
    double maximum = (g->device->is_cpu ? fmin(points, w->points_cpu) : points) / w->share_points;
    return maximum < 1.0 ? 1 : (size_t)maximum;
}

/* The jobs as the kernels read them; each device sets the range of shares in its own copy. */
union device_box_job {
    struct device_strata strata;
    struct device_lattice lattice;
    struct device_line_search line_search;
    struct device_product product;
    struct device_subregions subregions;
    struct device_points points;
    struct device_steppers steppers;
};

/* TRUE if the devices that share a job are of one kind. */
static int are_same_model(struct session *session, int devices)
{
    const char *name = session_gpu(session, 0)->device->name;
    int alike = 1;

    for (int d = 1; d < devices; d++) alike &= !strcmp(name, session_gpu(session, d)->device->name);
    return alike;
}

/* Returns the number of shares that a device takes in a single launch, or 0 if it takes several launches of fewer.
 * Devices of one kind take equal numbers at once, unless that may take too long: at the end of each launch the device
 * waits for the last groups. */
static size_t shares_at_once(struct session *session, const struct shared_parts *shares, size_t maximum)
{
    size_t devices = (size_t)shares->devices, equal = (shares->n - shares->first + devices - 1) / devices;

    return equal <= maximum && are_same_model(session, shares->devices) ? equal : 0;
}

static int run_device(void *context, struct session *session, int device, struct shared_parts *shares,
                      struct status *st)
{
    const struct box_work *w = context;
    union device_box_job job;
    struct box_launch p = {
        integrals_of(session, device, st), session_gpu(session, device), w->integrand[device], w->box, &job
    };
    size_t first, count, maximum = shares_of_launch(w, p.gpu, p.integrand), minimum = min_shares(w, p.gpu, p.integrand);
    size_t equal = shares_at_once(session, shares, maximum);

    memcpy(&job, w->job, w->job_size);
    while ((count = shared_parts_next(shares, equal ? equal : shared_parts_count(shares, maximum, minimum),
                                      &first)) > 0)
        if (w->run(&p, first, count, st) || p.integrand->is_insufficient) break;
    return st->code;
}

/* Returns the number of devices that have enough to do, all of them for a large job. */
static int devices_for(const struct box_work *w, struct session *session)
{
    size_t minimum = min_shares(w, session_gpu(session, 0), w->integrand[0]), maximum = w->box->shares / minimum;
    size_t all = (size_t)session_devices(session);
    return maximum < 1 || w->is_alone ? 1 : (int)(maximum < all ? maximum : all);
}

/* Computes a slice; its results are void if the program of a device is insufficient.  Sets the number of devices. */
static int share(struct session *session, struct box_work *w, int *devices, struct slice *slice, struct status *st)
{
    *devices = 1;
    for (int d = 0; d < *devices; d++) {
        struct integrals *s = integrals_of(session, d, st);
        struct gpu *g = session_gpu(session, d);
        if (!s) return st->code;
        while (!begin(s, g, w, &w->integrand[d], st) && w->integrand[d]->is_insufficient);
        if (st->code) return session_name_failure(session, d, st);
        if (d == 0) *devices = devices_for(w, session);
    }
    return session_share(session, *devices, w->box->shares, run_device, w, slice, st);
}

int box_share(struct session *session, struct box_work *w, struct slice *slice, struct status *st)
{
    int devices;

    while (!share(session, w, &devices, slice, st) && integrands_insufficient(w->integrand, devices));
    return st->code;
}

const char *box_read(const struct box_launch *p, size_t from, size_t size, struct status *st)
{
    const struct integrand_constants c = integrals_constants(p->integrals, p->box->table_size);
    struct staged_buffer *out = &p->integrals->chunk[0].out;
    struct gpu *g = p->gpu;
    cl_int e = g->cl->EnqueueReadBuffer(g->stream[0].queue, out->device, CL_TRUE, from, size, out->host, 0, NULL, NULL);

    if (gpu_check(e, "copying from the device", st) || integrand_check_flag(g, p->integrand, &c, st)) return NULL;
    return p->integrand->is_insufficient ? NULL : out->host;
}

#endif
