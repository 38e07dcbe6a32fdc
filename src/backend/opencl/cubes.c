/* backend/opencl/cubes.c: shares go through the lanes of a device, some at a time: 4 bytes for each of their cubes
 * there, 4 bytes back. */
#include <string.h>
#include "headers.h"
#ifdef STABLECL_OPENCL
#include "cubes.h"
#include "../threads.h"

/* Shares of a chunk: some 3e7 points for a GPU. */
#define SHARES     4096
#define SHARES_CPU 32

/* A chunk of shares: the cubes of all, and what goes in and out, in bytes. */
struct chunk { const struct cubes_share *share; size_t shares, cubes, doubles, in, out; };

static struct chunk chunk_of(const struct cubes_job *j, size_t first, size_t shares)
{
    struct chunk c = { j->share + first, shares, 0, 0, 0, 0 };
    c.cubes = c.share[shares - 1].to - c.share[0].from;
    c.doubles = (size_t)j->parameters + (j->node ? (size_t)j->dim * WARP_ROOM : 0);
    c.in = c.doubles * sizeof(double) + shares * sizeof(cl_ulong) + (shares + 1 + c.cubes) * sizeof(cl_uint);
    c.out = 2 * shares * sizeof(double) + c.cubes * sizeof(cl_float);
    return c;
}

static struct device_cubes job_of(const struct cubes_job *j, const struct chunk *c)
{
    struct device_cubes d;
    memset(&d, 0, sizeof d);
    d.scale = j->scale;
    d.key = j->key;
    d.round = j->round;
    d.integral = j->integral;
    d.first = (int)c->share[0].from;
    d.shares = (int)c->shares;
    d.doubles = (int)c->doubles;
    d.warped = j->node != NULL;
    d.parameters = j->parameters;
    for (int k = 0; k < j->dim; k++) {
        d.low[k] = j->low[k];
        d.width[k] = j->width[k];
        d.part[k] = 1.0 / j->cuts[k];
        d.cuts[k] = j->cuts[k];
    }
    return d;
}

static void lay_out(const struct cubes_job *j, const struct chunk *c, double *column)
{
    cl_ulong *sample = (cl_ulong *)(column + c->doubles);
    cl_uint *start = (cl_uint *)(sample + c->shares);
    size_t first = c->share[0].from;

    if (j->parameters) memcpy(column, j->parameter, (size_t)j->parameters * sizeof *column);
    if (j->node) memcpy(column + j->parameters, j->node, (size_t)j->dim * WARP_ROOM * sizeof *column);
    for (size_t k = 0; k < c->shares; k++) {
        sample[k] = c->share[k].sample;
        start[k] = (cl_uint)(c->share[k].from - first);
    }
    start[c->shares] = (cl_uint)c->cubes;
    memcpy(start + c->shares + 1, j->points + first, c->cubes * sizeof *j->points);
}

static int start_kernel(struct integrals *s, struct gpu *g, struct lane *queue, struct integrals_lane *lane,
                        cl_kernel kernel, const struct device_cubes *job, struct status *st)
{
    const cl_mem memory[] = { lane->in.device, s->slot.device, s->table.device, lane->out.device };
    size_t local = CUBES_LANES, global = (size_t)job->shares * local;
    cl_int e = g->cl->SetKernelArg(kernel, 0, sizeof *job, job);

    for (cl_uint k = 0; e == CL_SUCCESS && k < sizeof memory / sizeof memory[0]; k++)
        e = g->cl->SetKernelArg(kernel, k + 1, sizeof(cl_mem), &memory[k]);
    if (gpu_check(e, "setting the arguments of a kernel", st)) return st->code;
    return gpu_check(g->cl->EnqueueNDRangeKernel(queue->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
                     "starting a kernel", st);
}

static int issue(struct integrals *s, struct gpu *g, int number, const struct integrand *f, const struct cubes_job *j,
                 size_t first, size_t shares, struct status *st)
{
    struct lane *queue = &g->lane[number];
    struct integrals_lane *lane = &s->lane[number];
    struct chunk c = chunk_of(j, first, shares);
    struct device_cubes job = job_of(j, &c);

    lane->first = first;
    lane->count = shares;
    if (gpu_fit(g, queue, &lane->in, c.in, st) || gpu_fit(g, queue, &lane->out, c.out, st)) return st->code;
    lay_out(j, &c, lane->in.host);
    if (gpu_check(g->cl->EnqueueWriteBuffer(queue->queue, lane->in.device, CL_FALSE, 0, c.in, lane->in.host, 0, NULL,
                                            NULL), "copying to the device", st) ||
        start_kernel(s, g, queue, lane, f->kernel[CUBES_SHARES], &job, st) ||
        gpu_check(g->cl->EnqueueReadBuffer(queue->queue, lane->out.device, CL_FALSE, 0, c.out, lane->out.host, 0, NULL,
                                           &lane->done), "copying from the device", st))
        return st->code;
    return gpu_check(g->cl->Flush(queue->queue), "flushing a queue", st);
}

static int settle(struct gpu *g, struct integrals_lane *lane, const struct cubes_job *j, struct status *st)
{
    struct chunk c = chunk_of(j, lane->first, lane->count);
    const double *sums = lane->out.host;

    if (integrals_wait(g, lane, st)) return st->code;
    for (size_t k = 0; k < c.shares; k++) {
        j->share[lane->first + k].mean = sums[2 * k];
        j->share[lane->first + k].square = sums[2 * k + 1];
    }
    memcpy(j->spread + c.share[0].from, sums + 2 * c.shares, c.cubes * sizeof *j->spread);
    return ST_OK;
}

int cubes_run(struct integrals *s, struct gpu *g, const struct cubes_job *j, struct slice *slice, struct status *st)
{
    double stop = threads_clock() + slice->seconds;
    size_t next = slice->first, most = g->device->is_cpu ? SHARES_CPU : SHARES;
    struct integrand *f = NULL;
    int lane;

    if (j->dim > CUBES_AXES) return fail(st, ST_UNSUPPORTED, "devices take %d axes at most", CUBES_AXES);
    if (integrand_get(g, &s->integrands, FOR_CUBES, j->source, &f, st) ||
        integrals_copy(g, &s->slot, j->slot, j->slots, st) ||
        integrals_copy(g, &s->table, j->table, j->table_size, st))
        return st->code;
    for (;;) {
        if (next < j->shares && (lane = integrals_free(s)) >= 0 && (next == slice->first || threads_clock() < stop)) {
            size_t shares = j->shares - next < most ? j->shares - next : most;
            if (issue(s, g, lane, f, j, next, shares, st)) break;
            next += shares;
            continue;
        }
        lane = integrals_oldest(s);
        if (lane < 0) {
            slice->done = next - slice->first;
            return ST_OK;
        }
        if (settle(g, &s->lane[lane], j, st)) break;
    }
    integrals_abandon(s, g);
    return st->code;
}

#endif
