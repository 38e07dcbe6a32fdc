/* backend/opencl/build.c: programs and kernels, built when first asked for and
 * kept as long as the device is in use. */
#include <stdio.h>
#include <stdlib.h>
#include "headers.h"
#ifdef STABLECL_OPENCL
#include "gpu.h"
#include "kernel_source.h"

#define OPTIONS "-cl-std=CL1.2"

/* Multiples of what the device works off at once, in a group. */
#define WAVES 4

static const char *const program_name[GPU_PROGRAMS] = { "one", "each", "random" };

static const struct { const char *name; int program; } kernel_of[GPU_KERNELS] = {
    { "eval_one", 0 }, { "quantile_one", 0 }, { "eval_each", 1 }, { "quantile_each", 1 },
    { "random_one", 2 }, { "random_each", 2 }
};

/* The compiler's log, as far as it fits into a message. */
static int report(struct gpu *g, cl_program program, cl_int error, const char *name, struct status *st)
{
    char log[180] = "";
    size_t size = 0;
    char *whole = NULL;

    if (g->cl->GetProgramBuildInfo(program, g->device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) == CL_SUCCESS)
        whole = calloc(size + 1, 1);
    if (whole && g->cl->GetProgramBuildInfo(program, g->device->id, CL_PROGRAM_BUILD_LOG, size, whole, NULL) == CL_SUCCESS)
        snprintf(log, sizeof log, "%s", whole);
    free(whole);
    return fail(st, ST_DEVICE, "building %s.cl: OpenCL error %d: %s", name, (int)error, log);
}

static const struct kernel_source *source_of(const char *name)
{
    for (int i = 0; i < kernel_source_count; i++)
        if (!strcmp(kernel_sources[i].name, name)) return &kernel_sources[i];
    return NULL;
}

static int build(struct gpu *g, int which, struct status *st)
{
    const struct kernel_source *source = source_of(program_name[which]);
    cl_int e;

    if (g->program[which]) return ST_OK;
    if (!source) return fail(st, ST_DEVICE, "no source of %s.cl", program_name[which]);
    cl_program program = g->cl->CreateProgramWithSource(g->context, source->lines, (const char **)source->line,
                                                        NULL, &e);
    if (gpu_check(e, "creating a program", st)) return st->code;
    e = g->cl->BuildProgram(program, 1, &g->device->id, OPTIONS, NULL, NULL);
    if (e != CL_SUCCESS) {
        report(g, program, e, program_name[which], st);
        g->cl->ReleaseProgram(program);
        return st->code;
    }
    g->program[which] = program;
    return ST_OK;
}

/* A small multiple of the device's own width, as far as the kernel allows. */
static int choose_local(struct gpu *g, cl_kernel kernel, size_t *local, struct status *st)
{
    size_t most = 1, width = 1;
    if (gpu_check(g->cl->GetKernelWorkGroupInfo(kernel, g->device->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most,
                                                &most, NULL), "asking for a work-group size", st) ||
        gpu_check(g->cl->GetKernelWorkGroupInfo(kernel, g->device->id, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                                sizeof width, &width, NULL), "asking for a work-group width", st))
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
    return choose_local(g, g->kernel[k], &g->local[k], st);
}

#endif
