/* Copies the description of a box to a device, launches its kernels and reads their results. */
#include <math.h>
#include <string.h>
#include "../../opencl/headers.h"
#ifdef STABLECL_OPENCL
#include "box_device.h"
#include "../../base/threads.h"

/* Least size of a buffer in bytes, so that growing rounds of an integral do not each need a new one. */
#define LEAST_BYTES ((size_t)1 << 20)

static size_t doubles_of(const struct box_job *b)
{
    return (size_t)b->parameters + (b->node ? (size_t)b->dim * MAP_ROOM : 0);
}

struct device_box box_of(const struct box_job *b)
{
    struct device_box d;
    memset(&d, 0, sizeof d);
    d.scale = b->scale;
    d.doubles = (int)doubles_of(b);
    d.mapped = b->node != NULL;
    d.parameters = b->parameters;
    for (int k = 0; k < b->dim; k++) {
        d.low[k] = b->low[k];
        d.width[k] = b->width[k];
    }
    return d;
}

/* Starts a copy to the device.  The host's memory must remain valid until box_read(), which waits for the copy. */
static int copy(struct gpu *g, cl_mem to, const void *from, size_t size, struct status *st)
{
    if (!size) return ST_OK;
    return gpu_check(g->cl->EnqueueWriteBuffer(g->lane[0].queue, to, CL_FALSE, 0, size, from, 0, NULL, NULL),
                     "copying to the device", st);
}

static int copy_numbers(struct gpu *g, struct scratch *to, const double *from, size_t count, struct status *st)
{
    if (gpu_fit_scratch(g, to, (count ? count : 1) * sizeof *from, st)) return st->code;
    return copy(g, to->device, from, count * sizeof *from, st);
}

/* Copies the slots to the device, unless they are the same as in the previous round. */
static int copy_slots(struct integrals *s, struct gpu *g, const struct box_job *b, struct status *st)
{
    size_t size = b->slots * sizeof *b->slot;
    if (b->slots && b->slots == s->slots_sent && !memcmp(s->slot_sent, b->slot, size)) return ST_OK;
    s->slots_sent = 0;
    if (copy_numbers(g, &s->slot, b->slot, b->slots, st) || b->slots > SLOTS_SENT) return st->code;
    if (size) memcpy(s->slot_sent, b->slot, size);
    s->slots_sent = b->slots;
    return ST_OK;
}

static int fit(struct gpu *g, struct mirror *m, size_t size, struct status *st)
{
    return gpu_fit(g, &g->lane[0], m, size > LEAST_BYTES ? size : LEAST_BYTES, st);
}

int box_begin(struct integrals *s, struct gpu *g, const struct box_job *b, const void *more, size_t more_size,
              size_t out_size, struct integrand **f, struct status *st)
{
    struct integrals_lane *lane = &s->lane[0];
    size_t doubles = doubles_of(b) * sizeof(double), own = (size_t)b->parameters * sizeof(double);

    if (b->dim > BOX_AXES) return fail(st, ST_UNSUPPORTED, "devices take %d axes at most", BOX_AXES);
    if (integrand_get(g, &s->integrands, &box_kernels[b->use], b->source, b->reference, f, st) ||
        fit(g, &lane->in, doubles + more_size, st) || fit(g, &lane->out, out_size, st))
        return st->code;
    if (own) memcpy(lane->in.host, b->parameter, own);
    if (b->node) memcpy((char *)lane->in.host + own, b->node, doubles - own);
    if (more_size) memcpy((char *)lane->in.host + doubles, more, more_size);
    if (copy(g, lane->in.device, lane->in.host, doubles + more_size, st) ||
        copy_slots(s, g, b, st))
        return st->code;
    if (copy_numbers(g, &s->table, b->table, b->table_size, st)) return st->code;
    return integrand_verify(g, *f, b->reference, s->slot.device, s->table.device, st);
}

int box_start(struct integrals *s, struct gpu *g, cl_kernel kernel, const void *job, size_t job_size, size_t groups,
              size_t local, struct status *st)
{
    const cl_mem memory[] = { s->lane[0].in.device, s->slot.device, s->table.device, s->lane[0].out.device };
    size_t global = groups * local;
    cl_int e = g->cl->SetKernelArg(kernel, 0, job_size, job);

    for (cl_uint k = 0; e == CL_SUCCESS && k < sizeof memory / sizeof memory[0]; k++)
        e = g->cl->SetKernelArg(kernel, k + 1, sizeof(cl_mem), &memory[k]);
    if (gpu_check(e, "setting the arguments of a kernel", st)) return st->code;
    return gpu_check(g->cl->EnqueueNDRangeKernel(g->lane[0].queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
                     "starting a kernel", st);
}

size_t box_most(const struct gpu *g, const struct integrand *f, size_t points, double share)
{
    double most = fmin((double)points, integrand_evaluations(g, f, INFINITY)) / share;
    return most < 1.0 ? 1 : (size_t)most;
}

int box_slice(const struct box_parts *p, struct slice *slice, struct status *st)
{
    double stop = threads_clock() + slice->seconds;
    size_t next = slice->first;

    while (next < p->shares && (next == slice->first || threads_clock() < stop)) {
        size_t shares = p->shares - next < p->most ? p->shares - next : p->most;
        if (p->run(p, next, shares, st)) return st->code;
        next += shares;
    }
    slice->done = next - slice->first;
    return ST_OK;
}

const char *box_read(struct integrals *s, struct gpu *g, size_t from, size_t size, struct status *st)
{
    struct mirror *out = &s->lane[0].out;
    cl_int e = g->cl->EnqueueReadBuffer(g->lane[0].queue, out->device, CL_TRUE, from, size, out->host, 0, NULL, NULL);
    return gpu_check(e, "copying from the device", st) ? NULL : out->host;
}

#endif
