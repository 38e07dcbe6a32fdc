#include <stdio.h>
#include "../../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "gpu.h"
#include "../../opencl/devices.h"
#include "../../base/memory.h"

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

int gpu_add_time(struct gpu *g, cl_event ran, double *seconds, struct status *st)
{
    cl_ulong from = 0, to = 0;
    cl_int e = g->cl->GetEventProfilingInfo(ran, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL);
    if (e == CL_SUCCESS) e = g->cl->GetEventProfilingInfo(ran, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL);
    g->cl->ReleaseEvent(ran);
    *seconds += 1e-9 * (double)(to - from);
    return gpu_check(e, "querying the time of a kernel", st);
}

static int make_queues(struct gpu *g, struct status *st)
{
    cl_command_queue_properties properties = profile_of_process()->on ? CL_QUEUE_PROFILING_ENABLE : 0;
    cl_int e;
    for (int i = 0; i < GPU_LANES; i++) {
        g->lane[i].queue = g->cl->CreateCommandQueue(g->context, g->device->id, properties, &e);
        if (gpu_check(e, "creating a command queue", st)) return st->code;
    }
    return ST_OK;
}

static int make_store(struct gpu *g, struct status *st)
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
    if (make_queues(g, st)) return st->code;
    return make_store(g, st);
}

void gpu_drop_mirror(struct gpu *g, struct lane *lane, struct mirror *m)
{
    if (m->host) g->cl->EnqueueUnmapMemObject(lane->queue, m->pinned, m->host, 0, NULL, NULL);
    if (m->pinned) g->cl->ReleaseMemObject(m->pinned);
    if (m->device) g->cl->ReleaseMemObject(m->device);
    memset(m, 0, sizeof *m);
}

void gpu_drop_scratch(struct gpu *g, struct scratch *m)
{
    if (m->device) g->cl->ReleaseMemObject(m->device);
    memset(m, 0, sizeof *m);
}

static void drop_lane(struct gpu *g, struct lane *lane)
{
    if (!lane->queue) return;
    g->cl->Finish(lane->queue);
    if (lane->done) g->cl->ReleaseEvent(lane->done);
    for (int k = 0; k < RAN; k++) if (lane->ran[k]) g->cl->ReleaseEvent(lane->ran[k]);
    for (int k = 0; k < COLUMNS; k++) gpu_drop_mirror(g, lane, &lane->column[k]);
    gpu_drop_mirror(g, lane, &lane->out);
    gpu_drop_mirror(g, lane, &lane->sums);
    gpu_drop_mirror(g, lane, &lane->flags);
    gpu_drop_mirror(g, lane, &lane->missing);
    gpu_drop_mirror(g, lane, &lane->requests);
    gpu_drop_mirror(g, lane, &lane->left);
    gpu_drop_scratch(g, &lane->state);
    gpu_drop_scratch(g, &lane->index);
    gpu_drop_scratch(g, &lane->bins);
    gpu_drop_scratch(g, &lane->approximations);
    g->cl->Finish(lane->queue);
    g->cl->ReleaseCommandQueue(lane->queue);
}

void gpu_close(struct gpu *g)
{
    cl_mem memory[] = { g->shape, g->node_sets, g->slot, g->nodes, g->interpolant.device, g->approximation.device,
                        g->tables.device,
                        g->data };

    if (!g->cl) return;
    for (int i = 0; i < GPU_LANES; i++) drop_lane(g, &g->lane[i]);
    for (int i = 0; i < (int)(sizeof memory / sizeof *memory); i++) if (memory[i]) g->cl->ReleaseMemObject(memory[i]);
    for (int i = 0; i < GPU_KERNELS; i++) if (g->kernel[i]) g->cl->ReleaseKernel(g->kernel[i]);
    for (int i = 0; i < GPU_PROGRAMS; i++) if (g->program[i]) g->cl->ReleaseProgram(g->program[i]);
    if (g->context) g->cl->ReleaseContext(g->context);
    memset(g, 0, sizeof *g);
}

int gpu_fit(struct gpu *g, struct lane *lane, struct mirror *m, size_t size, struct status *st)
{
    cl_int e;
    if (size <= m->size) return ST_OK;
    gpu_drop_mirror(g, lane, m);
    m->device = g->cl->CreateBuffer(g->context, CL_MEM_READ_WRITE, size, NULL, &e);
    if (gpu_check(e, "creating a buffer", st)) return st->code;
    m->pinned = g->cl->CreateBuffer(g->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size, NULL, &e);
    if (gpu_check(e, "creating a staging buffer", st)) return st->code;
    m->host = g->cl->EnqueueMapBuffer(lane->queue, m->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size,
                                      0, NULL, NULL, &e);
    if (gpu_check(e, "mapping a staging buffer", st)) {
        m->host = NULL;
        return st->code;
    }
    m->size = size;
    return ST_OK;
}

int gpu_fit_scratch(struct gpu *g, struct scratch *m, size_t size, struct status *st)
{
    cl_int e;
    if (size <= m->size) return ST_OK;
    gpu_drop_scratch(g, m);
    m->device = g->cl->CreateBuffer(g->context, CL_MEM_READ_WRITE, size, NULL, &e);
    if (gpu_check(e, "creating a buffer", st)) return st->code;
    m->size = size;
    return ST_OK;
}

/* Ensures that a buffer has at least `size` bytes, and copies the data to its beginning. */
static int renew(struct gpu *g, cl_mem *buffer, size_t *room, const void *data, size_t size, struct status *st)
{
    cl_int e;
    if (size > *room || !*buffer) {
        if (*buffer) g->cl->ReleaseMemObject(*buffer);
        *room = 0;
        *buffer = g->cl->CreateBuffer(g->context, CL_MEM_READ_WRITE, 2 * size + 64, NULL, &e);
        if (gpu_check(e, "creating a buffer", st)) return st->code;
        *room = 2 * size + 64;
    }
    if (size == 0) return ST_OK;
    return gpu_check(g->cl->EnqueueWriteBuffer(g->lane[0].queue, *buffer, CL_TRUE, 0, size, data, 0, NULL, NULL),
                     "copying to the device", st);
}

/* Waits for the chunks in progress before changing the device's copy, because they may use it. */
int gpu_follow(struct gpu *g, const struct store *s, struct status *st)
{
    cl_command_queue queue = g->lane[0].queue;

    if (g->version == s->version) return ST_OK;
    g->version = 0;
    for (int i = 0; i < GPU_LANES; i++)
        if (gpu_check(g->cl->Finish(g->lane[i].queue), "waiting for the device", st)) return st->code;
    if (gpu_check(g->cl->EnqueueWriteBuffer(queue, g->shape, CL_TRUE, 0, sizeof s->shape, &s->shape, 0, NULL, NULL),
                  "copying a distribution to the device", st) ||
        gpu_check(g->cl->EnqueueWriteBuffer(queue, g->slot, CL_TRUE, 0, sizeof s->slot, s->slot, 0, NULL, NULL),
                  "copying the list of node sets to the device", st) ||
        renew(g, &g->node_sets, &g->node_sets_size, s->node_sets, (size_t)s->count * sizeof *s->node_sets, st) ||
        renew(g, &g->nodes, &g->nodes_size, s->nodes, (size_t)s->used * sizeof *s->nodes, st))
        return st->code;
    g->version = s->version;
    return ST_OK;
}

/* Interpolants and approximations change only between jobs, when no chunk is in progress.  Kernels that use none
 * also need a buffer as their argument. */
int gpu_replicate(struct gpu *g, struct replica *r, const struct kernel_input *m, struct status *st)
{
    if (r->device && r->version == m->version) return ST_OK;
    r->version = 0;
    if (renew(g, &r->device, &r->room, m->data, m->size, st)) return st->code;
    r->version = m->version;
    return ST_OK;
}

void gpu_forget(struct gpu *g)
{
    if (g->data) g->cl->ReleaseMemObject(g->data);
    g->data = NULL;
    g->data_number = 0;
}

/* A column that is too large to be kept is copied chunk by chunk instead. */
int gpu_keep(struct gpu *g, unsigned long number, const double *x, size_t n, struct status *st)
{
    cl_int e;
    if (number == 0 || gpu_has(g, number)) return ST_OK;
    gpu_forget(g);
    g->data = g->cl->CreateBuffer(g->context, CL_MEM_READ_ONLY, n * sizeof *x, NULL, &e);
    if (e == CL_MEM_OBJECT_ALLOCATION_FAILURE || e == CL_INVALID_BUFFER_SIZE) g->data = NULL;
    else if (gpu_check(e, "creating a buffer for data", st)) return st->code;
    if (!g->data) return ST_OK;
    if (gpu_check(g->cl->EnqueueWriteBuffer(g->lane[0].queue, g->data, CL_TRUE, 0, n * sizeof *x, x, 0, NULL, NULL),
                  "copying data to the device", st))
        return st->code;
    g->data_number = number;
    return ST_OK;
}

/* --- programs and kernels, which are built on first use and kept as long as the device is in use --- */

#define OPTIONS "-cl-std=CL1.2"

/* Bytes of a build log kept in a message: together with the text before it they must fit into the 800 that run.c
 * passes on and the 1000 that R prints. */
#define LOG_KEPT 680

/* Work-group size as a multiple of the preferred one. */
#define WAVES 8

static const char *const program_name[GPU_PROGRAMS] = {
    "one", "each", "random", "interpolant", "sums", "many"
};

static const struct { const char *name; int program; } kernel_of[GPU_KERNELS] = {
    { "eval_one", 0 }, { "quantile_one", 0 }, { "eval_each", 1 }, { "quantile_each", 1 },
    { "random_one", 2 }, { "random_each", 2 }, { "eval_interpolant", 3 },
    { "eval_rest", 0 }, { "sum_blocks", 4 }, { "order_count", 1 }, { "order_begin", 1 },
    { "order_place", 1 }, { "approximate_sums", 4 }, { "many_draw", 5 }, { "many_sums", 5 }, { "many_exact", 5 }
};

/* Returns where the part of a log to keep begins: at the line of the first error, which causes the later ones,
 * but late enough that the end of the log fits. */
static size_t start_of_part(const char *log, size_t length)
{
    const char *error = strstr(log, "rror");
    size_t late = length > LOG_KEPT ? length - LOG_KEPT : 0, line = error ? (size_t)(error - log) : length;

    if (line >= late) return late;
    while (line > 0 && log[line - 1] != '\n') line--;
    return line;
}

/* Copies that part as plain text, with all characters other than printable ASCII replaced. */
static void keep_part(char *kept, const char *log)
{
    size_t length = strlen(log);

    while (length > 0 && (unsigned char)log[length - 1] <= ' ') length--;
    const char *from = log + start_of_part(log, length);
    for (size_t i = 0; i < LOG_KEPT && from + i < log + length; i++)
        *kept++ = from[i] == '\n' || (from[i] >= ' ' && from[i] <= '~') ? from[i] : from[i] == '\t' ? ' ' : '?';
    *kept = 0;
}

/* Returns the compiler's log, or NULL; the caller frees it. */
static char *build_log(struct gpu *g, cl_program program)
{
    size_t size = 0;
    char *log;

    if (g->cl->GetProgramBuildInfo(program, g->device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != CL_SUCCESS)
        return NULL;
    log = memory_zeroed(size + 1, 1);
    if (log && g->cl->GetProgramBuildInfo(program, g->device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL) == CL_SUCCESS)
        return log;
    memory_release(log);
    return NULL;
}

static int report(struct gpu *g, cl_program program, cl_int error, const char *name, struct status *st)
{
    char what[32], kept[LOG_KEPT + 1] = "";
    char *log = build_log(g, program);
    const char *part = log && strlen(log) > LOG_KEPT ? "part of its log" : "its log";

    if (log) keep_part(kept, log);
    memory_release(log);
    snprintf(what, sizeof what, "building %s.cl", name);
    gpu_check(error, what, st);
    size_t used = strlen(st->message);
    if (*kept) snprintf(st->message + used, sizeof st->message - used, "; %s:\n%s", part, kept);
    else snprintf(st->message + used, sizeof st->message - used, "; the compiler returned no log");
    return st->code;
}

const struct kernel_source *kernel_source_of(const char *name)
{
    for (int i = 0; i < kernel_source_count; i++)
        if (!strcmp(kernel_sources[i].name, name)) return &kernel_sources[i];
    return NULL;
}

int gpu_build(struct gpu *g, cl_uint lines, const char *const *line, const char *name, cl_program *made,
              struct status *st)
{
    cl_int e;
    cl_program program = g->cl->CreateProgramWithSource(g->context, lines, (const char **)line, NULL, &e);

    if (gpu_check(e, "creating a program", st)) return st->code;
    e = g->cl->BuildProgram(program, 1, &g->device->id, OPTIONS, NULL, NULL);
    if (e != CL_SUCCESS) {
        report(g, program, e, name, st);
        g->cl->ReleaseProgram(program);
        return st->code;
    }
    *made = program;
    return ST_OK;
}

static int build(struct gpu *g, int which, struct status *st)
{
    const struct kernel_source *source = kernel_source_of(program_name[which]);

    if (g->program[which]) return ST_OK;
    if (!source) return fail(st, ST_DEVICE, "the source of %s.cl is missing", program_name[which]);
    return gpu_build(g, source->lines, source->line, program_name[which], &g->program[which], st);
}

/* Sets the work-group size: WAVES times the preferred multiple, limited by what the kernel allows. */
int gpu_local(struct gpu *g, cl_kernel kernel, size_t *local, struct status *st)
{
    size_t most = 1, width = 1;
    if (gpu_check(g->cl->GetKernelWorkGroupInfo(kernel, g->device->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most,
                                                &most, NULL), "querying the work-group size", st) ||
        gpu_check(g->cl->GetKernelWorkGroupInfo(kernel, g->device->id, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                                sizeof width, &width, NULL), "querying the work-group width", st))
        return st->code;
    *local = WAVES * width <= most ? WAVES * width : most;
    return ST_OK;
}

int gpu_prepare(struct gpu *g, enum gpu_kernel k, struct status *st)
{
    cl_int e;

    if (g->local[k]) return ST_OK;
    if (build(g, kernel_of[k].program, st)) return st->code;
    if (!g->kernel[k]) g->kernel[k] = g->cl->CreateKernel(g->program[kernel_of[k].program], kernel_of[k].name, &e);
    else e = CL_SUCCESS;
    if (gpu_check(e, kernel_of[k].name, st)) {
        g->kernel[k] = NULL;
        return st->code;
    }
    return gpu_local(g, g->kernel[k], &g->local[k], st);
}

#endif
