/* Programs and kernels of a device, which are built on first use and kept as long as the device is in use. */
#include <stdio.h>
#include "../../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "gpu.h"
#include "../../opencl/binaries.h"
#include "../../base/memory.h"

#define OPTIONS "-cl-std=CL1.2"
#define OPTIONS_SINGLE OPTIONS " -cl-single-precision-constant"
#define OPTIONS_ROUNDED OPTIONS_SINGLE " -cl-fp32-correctly-rounded-divide-sqrt"

/* Without the last option, a quotient in single precision may have an error of 2.5 ulp. */
static const char *options_of(const struct device *d, int is_single)
{
    return !is_single ? OPTIONS : d->rounds_quotients ? OPTIONS_ROUNDED : OPTIONS_SINGLE;
}

/* Bytes of a build log kept in a message: together with the text before it they must fit into the 800 that run.c
 * passes on and the 1000 that R prints. */
#define LOG_KEPT 680

/* Work-group size as a multiple of the preferred one. */
#define WAVES 8

static const char *const program_name[GPU_PROGRAMS] = {
    [EVAL_ONE_CL] = "eval_one", [QUANTILE_ONE_CL] = "quantile_one", [EVAL_EACH_CL] = "eval_each",
    [QUANTILE_EACH_CL] = "quantile_each", [ORDER_CL] = "order", [RANDOM_CL] = "random",
    [INTERPOLANT_CL] = "interpolant", [SUMS_CL] = "sums", [MANY_CL] = "many", [MANY_EXACT_CL] = "many_exact",
    [MODE_CL] = "mode", [SCORE_CL] = "score", [SLOPES_CL] = "slopes", [SINGLE_CL] = "single",
    [RANDOM_SINGLE_CL] = "random_single", [SUMS_SINGLE_CL] = "sums_single"
};

static const struct { const char *name; enum gpu_program program; } kernel_of[GPU_KERNELS] = {
    [EVAL_ONE]             = { "eval_one",             EVAL_ONE_CL },
    [QUANTILE_ONE]         = { "quantile_one",         QUANTILE_ONE_CL },
    [EVAL_EACH]            = { "eval_each",            EVAL_EACH_CL },
    [QUANTILE_EACH]        = { "quantile_each",        QUANTILE_EACH_CL },
    [RANDOM_ONE]           = { "random_one",           RANDOM_CL },
    [RANDOM_EACH]          = { "random_each",          RANDOM_CL },
    [EVAL_INTERPOLANT]     = { "eval_interpolant",     INTERPOLANT_CL },
    [SUM_BLOCKS]           = { "sum_blocks",           SUMS_CL },
    [ORDER_COUNT]          = { "order_count",          ORDER_CL },
    [ORDER_BEGIN]          = { "order_begin",          ORDER_CL },
    [ORDER_PLACE]          = { "order_place",          ORDER_CL },
    [APPROXIMATE_SUMS_OF_BLOCKS] = { "approximate_sums", SUMS_CL },
    [MANY_DRAW]            = { "many_draw",            MANY_CL },
    [MANY_SUMS]            = { "many_sums",            MANY_CL },
    [MANY_EXACT]           = { "many_exact",           MANY_EXACT_CL },
    [MODE_STANDARD]        = { "mode_standard",        MODE_CL },
    [MODE_EACH]            = { "mode_each",            MODE_CL },
    [APPROXIMATE_ROWS]     = { "approximate_rows",     SUMS_CL },
    [SCORE_EACH]           = { "score_each",           SCORE_CL },
    [SCORE_SLOPES]         = { "score_slopes",         SLOPES_CL },
    [QUANTILE_INTERPOLANT] = { "quantile_interpolant", INTERPOLANT_CL },
    [SINGLE_VALUES]        = { "single_values",        SINGLE_CL },
    [RANDOM_SINGLE]        = { "random_single",        RANDOM_SINGLE_CL },
    [SINGLE_SUMS]          = { "single_sums",          SUMS_SINGLE_CL }
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

/* --- binaries on disk (opencl/binaries.h) --- */

/* Builds the program from the binary of an earlier process.  Returns NULL if there is none, or if the driver refuses
 * it: the source is compiled then. */
static cl_program from_binary(struct gpu *g, const struct binary_key *key, const char *options)
{
    const unsigned char *binary;
    size_t size;
    cl_int e, status;
    unsigned char *file = binary_read(key, &binary, &size);

    if (!file) return NULL;
    cl_program program = g->cl->CreateProgramWithBinary(g->context, 1, &g->device->id, &size, &binary, &status, &e);
    memory_release(file);
    if (e != CL_SUCCESS) return NULL;
    if (g->cl->BuildProgram(program, 1, &g->device->id, options, NULL, NULL) == CL_SUCCESS) return program;
    g->cl->ReleaseProgram(program);
    return NULL;
}

/* Keeps the binary of a program for later processes, if the driver provides it and memory suffices. */
static void keep_binary(struct gpu *g, const struct binary_key *key, cl_program program)
{
    size_t size = 0;
    unsigned char *binary;

    if (!binaries_are_kept()) return;
    if (g->cl->GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) || size == 0) return;
    binary = memory_allocate(size);
    if (binary && !g->cl->GetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL))
        binary_write(key, binary, size);
    memory_release(binary);
}

static int from_source(struct gpu *g, cl_uint strings, const char *const *string, const char *options, const char *name,
                       cl_program *made, struct status *st)
{
    cl_int e;
    cl_program program = g->cl->CreateProgramWithSource(g->context, strings, (const char **)string, NULL, &e);

    if (gpu_check(e, "creating a program", st)) return st->code;
    e = g->cl->BuildProgram(program, 1, &g->device->id, options, NULL, NULL);
    if (e != CL_SUCCESS) {
        report(g, program, e, name, st);
        g->cl->ReleaseProgram(program);
        return st->code;
    }
    *made = program;
    return ST_OK;
}

int gpu_build(struct gpu *g, cl_uint strings, const char *const *string, int is_single, const char *name,
              cl_program *made, struct status *st)
{
    const char *options = options_of(g->device, is_single);
    struct binary_key key;

    binary_key(&key, g->device, options, strings, string);
    cl_program program = from_binary(g, &key, options);
    if (program) {
        *made = program;
        return ST_OK;
    }
    if (from_source(g, strings, string, options, name, made, st)) return st->code;
    keep_binary(g, &key, *made);
    return ST_OK;
}

static int build(struct gpu *g, enum gpu_program which, struct status *st)
{
    const struct kernel_source *source = kernel_source_of(program_name[which]);

    if (g->program[which]) return ST_OK;
    if (!source) return fail(st, ST_DEVICE, "the source of %s.cl is missing", program_name[which]);
    int is_single = which == RANDOM_SINGLE_CL || which == SUMS_SINGLE_CL;
    return gpu_build(g, source->strings, source->string, is_single, program_name[which], &g->program[which], st);
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

int session_prepare(struct session *s, const enum gpu_kernel *k, int count, struct status *st)
{
    for (int d = 0; d < session_devices(s); d++)
        for (int i = 0; i < count; i++)
            if (gpu_prepare(session_gpu(s, d), k[i], st)) return session_name_failure(s, d, st);
    return ST_OK;
}

#endif
