#include <stdio.h>
#include "../../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "gpu.h"
#include "../../opencl/devices.h"

#define DATA_KEPT 1048576               /* largest buffer of a column that is kept for the next one, in bytes */

static const char *error_name(cl_int error)
{
    switch (error) {
    case CL_DEVICE_NOT_AVAILABLE:         return "device not available";
    case CL_COMPILER_NOT_AVAILABLE:       return "compiler not available";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE: return "out of device memory";
    case CL_OUT_OF_RESOURCES:             return "out of resources";
    case CL_OUT_OF_HOST_MEMORY:           return "out of host memory";
    case CL_BUILD_PROGRAM_FAILURE:        return "build failed";
    case CL_INVALID_BUFFER_SIZE:          return "buffer too large";
    case CL_INVALID_WORK_GROUP_SIZE:      return "invalid work-group size";
    case CL_INVALID_COMMAND_QUEUE:        return "invalid command queue";
    case CL_INVALID_CONTEXT:              return "invalid context";
    default:                              return "see the codes in CL/cl.h";
    }
}

int gpu_check(cl_int error, const char *what, struct status *st)
{
    if (error == CL_SUCCESS) return ST_OK;
    return fail(st, ST_DEVICE, "%s: OpenCL error %d (%s)", what, (int)error, error_name(error));
}

int gpu_add_time(struct gpu *g, cl_event event, double *seconds, struct status *st)
{
    cl_ulong from = 0, to = 0;
    cl_int e = g->cl->GetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL);
    if (e == CL_SUCCESS) e = g->cl->GetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL);
    g->cl->ReleaseEvent(event);
    *seconds += 1e-9 * (double)(to - from);
    return gpu_check(e, "querying the time of a kernel", st);
}

static int create_queues(struct gpu *g, struct status *st)
{
    cl_command_queue_properties properties = profile_of_process()->on ? CL_QUEUE_PROFILING_ENABLE : 0;
    cl_int e;
    for (int i = 0; i < GPU_STREAMS; i++) {
        g->stream[i].queue = g->cl->CreateCommandQueue(g->context, g->device->id, properties, &e);
        if (gpu_check(e, "creating a command queue", st)) return st->code;
    }
    return ST_OK;
}

static int create_store(struct gpu *g, struct status *st)
{
    cl_int e;
    g->shape = g->cl->CreateBuffer(g->context, CL_MEM_READ_ONLY, sizeof(struct device_shape), NULL, &e);
    if (gpu_check(e, "creating a buffer", st)) return st->code;
    g->slot = g->cl->CreateBuffer(g->context, CL_MEM_READ_ONLY, SLOTS * sizeof(int), NULL, &e);
    return gpu_check(e, "creating a buffer", st);
}

int gpu_open(struct gpu *g, const struct cl_table *cl, const struct device *device, struct status *st)
{
    cl_context_properties properties[] = {
        CL_CONTEXT_PLATFORM, (cl_context_properties)device->platform, 0
    };
    cl_int e;

    memset(g, 0, sizeof *g);
    g->cl = cl;
    g->device = device;
    g->context = cl->CreateContext(properties, 1, &device->id, NULL, NULL, &e);
    if (gpu_check(e, "creating a context", st)) return st->code;
    if (create_queues(g, st)) return st->code;
    return create_store(g, st);
}

void gpu_release_staged(struct gpu *g, struct stream *stream, struct staged_buffer *m)
{
    if (m->host) g->cl->EnqueueUnmapMemObject(stream->queue, m->pinned, m->host, 0, NULL, NULL);
    if (m->pinned) g->cl->ReleaseMemObject(m->pinned);
    if (m->device) g->cl->ReleaseMemObject(m->device);
    memset(m, 0, sizeof *m);
}

void gpu_release_scratch(struct gpu *g, struct scratch *m)
{
    if (m->device) g->cl->ReleaseMemObject(m->device);
    memset(m, 0, sizeof *m);
}

static void release_stream(struct gpu *g, struct stream *stream)
{
    if (!stream->queue) return;
    g->cl->Finish(stream->queue);
    if (stream->done) g->cl->ReleaseEvent(stream->done);
    for (int k = 0; k < KERNEL_EVENTS; k++) if (stream->event[k]) g->cl->ReleaseEvent(stream->event[k]);
    for (int k = 0; k < COLUMNS; k++) gpu_release_staged(g, stream, &stream->column[k]);
    gpu_release_staged(g, stream, &stream->out);
    gpu_release_staged(g, stream, &stream->sums);
    gpu_release_staged(g, stream, &stream->flags);
    gpu_release_staged(g, stream, &stream->missing);
    gpu_release_staged(g, stream, &stream->requests);
    gpu_release_scratch(g, &stream->state);
    gpu_release_scratch(g, &stream->index);
    gpu_release_scratch(g, &stream->bins);
    gpu_release_scratch(g, &stream->approximations);
    gpu_release_scratch(g, &stream->modes);
    g->cl->Finish(stream->queue);
    g->cl->ReleaseCommandQueue(stream->queue);
}

void gpu_close(struct gpu *g)
{
    cl_mem memory[] = { g->shape, g->node_sets, g->slot, g->nodes, g->interpolant.device, g->approximation.device,
                        g->tables.device,
                        g->encoded.device, g->data };

    if (!g->cl) return;
    builds_abandon(g);
    for (int i = 0; i < GPU_STREAMS; i++) release_stream(g, &g->stream[i]);
    for (int i = 0; i < (int)(sizeof memory / sizeof *memory); i++) if (memory[i]) g->cl->ReleaseMemObject(memory[i]);
    for (int i = 0; i < GPU_KERNELS; i++) if (g->kernel[i]) g->cl->ReleaseKernel(g->kernel[i]);
    for (int i = 0; i < GPU_PROGRAMS; i++) if (g->program[i]) g->cl->ReleaseProgram(g->program[i]);
    if (g->context) g->cl->ReleaseContext(g->context);
    memset(g, 0, sizeof *g);
}

int gpu_reserve(struct gpu *g, struct stream *stream, struct staged_buffer *m, size_t size, struct status *st)
{
    cl_int e;
    if (size <= m->size) return ST_OK;
    gpu_release_staged(g, stream, m);
    m->device = g->cl->CreateBuffer(g->context, CL_MEM_READ_WRITE, size, NULL, &e);
    if (gpu_check(e, "creating a buffer", st)) return st->code;
    m->pinned = g->cl->CreateBuffer(g->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size, NULL, &e);
    if (gpu_check(e, "creating a staging buffer", st)) return st->code;
    m->host = g->cl->EnqueueMapBuffer(stream->queue, m->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size,
                                      0, NULL, NULL, &e);
    if (gpu_check(e, "mapping a staging buffer", st)) {
        m->host = NULL;
        return st->code;
    }
    m->size = size;
    return ST_OK;
}

int gpu_reserve_scratch(struct gpu *g, struct scratch *m, size_t size, struct status *st)
{
    cl_int e;
    if (size <= m->size) return ST_OK;
    gpu_release_scratch(g, m);
    m->device = g->cl->CreateBuffer(g->context, CL_MEM_READ_WRITE, size, NULL, &e);
    if (gpu_check(e, "creating a buffer", st)) return st->code;
    m->size = size;
    return ST_OK;
}

/* Ensures that a buffer has at least `size` bytes, and copies the data to its beginning. */
static int update_buffer(struct gpu *g, cl_mem *buffer, size_t *capacity, const void *data, size_t size,
                         struct status *st)
{
    cl_int e;
    if (size > *capacity || !*buffer) {
        if (*buffer) g->cl->ReleaseMemObject(*buffer);
        *capacity = 0;
        *buffer = g->cl->CreateBuffer(g->context, CL_MEM_READ_WRITE, 2 * size + 64, NULL, &e);
        if (gpu_check(e, "creating a buffer", st)) return st->code;
        *capacity = 2 * size + 64;
    }
    if (size == 0) return ST_OK;
    return gpu_check(g->cl->EnqueueWriteBuffer(g->stream[0].queue, *buffer, CL_TRUE, 0, size, data, 0, NULL, NULL),
                     "copying to the device", st);
}

/* Waits for the chunks in progress before changing the device's copy, because they may use it. */
int gpu_update_store(struct gpu *g, const struct store *s, struct status *st)
{
    cl_command_queue queue = g->stream[0].queue;

    if (g->version == s->version) return ST_OK;
    g->version = 0;
    for (int i = 0; i < GPU_STREAMS; i++)
        if (gpu_check(g->cl->Finish(g->stream[i].queue), "waiting for the device", st)) return st->code;
    if (gpu_check(g->cl->EnqueueWriteBuffer(queue, g->shape, CL_TRUE, 0, sizeof s->shape, &s->shape, 0, NULL, NULL),
                  "copying a distribution to the device", st) ||
        gpu_check(g->cl->EnqueueWriteBuffer(queue, g->slot, CL_TRUE, 0, sizeof s->slot, s->slot, 0, NULL, NULL),
                  "copying the list of node sets to the device", st) ||
        update_buffer(g, &g->node_sets, &g->node_sets_size, s->node_sets, (size_t)s->count * sizeof *s->node_sets,
                      st) ||
        update_buffer(g, &g->nodes, &g->nodes_size, s->nodes, (size_t)s->used * sizeof *s->nodes, st))
        return st->code;
    g->version = s->version;
    return ST_OK;
}

/* Interpolants and approximations change only between jobs, when no chunk is in progress.  Kernels that use none
 * also need a buffer as their argument. */
int gpu_update_replica(struct gpu *g, struct replica *r, const struct kernel_input *m, struct status *st)
{
    if (r->device && r->version == m->version) return ST_OK;
    r->version = 0;
    if (update_buffer(g, &r->device, &r->capacity, m->data, m->size, st)) return st->code;
    r->version = m->version;
    return ST_OK;
}

static void release_data(struct gpu *g)
{
    if (g->data) g->cl->ReleaseMemObject(g->data);
    g->data = NULL;
    g->data_capacity = 0;
}

void gpu_discard_data(struct gpu *g)
{
    if (g->data_capacity * sizeof(double) > DATA_KEPT) release_data(g);
    g->data_number = 0;
}

/* A column that is too large to be kept is copied chunk by chunk instead. */
int gpu_keep_data(struct gpu *g, unsigned long number, const double *x, size_t n, struct status *st)
{
    cl_int e = CL_SUCCESS;
    if (number == 0 || gpu_has_data(g, number)) return ST_OK;
    gpu_discard_data(g);
    if (n > g->data_capacity) {
        release_data(g);
        g->data = g->cl->CreateBuffer(g->context, CL_MEM_READ_ONLY, n * sizeof *x, NULL, &e);
        if (e == CL_MEM_OBJECT_ALLOCATION_FAILURE || e == CL_INVALID_BUFFER_SIZE) g->data = NULL;
        else if (gpu_check(e, "creating a buffer for data", st)) return st->code;
        if (!g->data) return ST_OK;
        g->data_capacity = n;
    }
    if (gpu_check(g->cl->EnqueueWriteBuffer(g->stream[0].queue, g->data, CL_TRUE, 0, n * sizeof *x, x, 0, NULL, NULL),
                  "copying data to the device", st))
        return st->code;
    g->data_number = number;
    return ST_OK;
}

#endif
