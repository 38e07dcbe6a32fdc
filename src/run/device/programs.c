/* Programs and kernels of a device, which are built on first use and kept as long as the device is in use. */
#include <string.h>
#include "../../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "gpu.h"

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
    [MANY_BUILD]            = { "many_build",            MANY_CL },
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

const struct kernel_source *kernel_source_of(const char *name)
{
    for (int i = 0; i < kernel_source_count; i++)
        if (!strcmp(kernel_sources[i].name, name)) return &kernel_sources[i];
    return NULL;
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
    size_t maximum = 1, width = 1;
    if (gpu_check(g->cl->GetKernelWorkGroupInfo(kernel, g->device->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof maximum,
                                                &maximum, NULL), "querying the work-group size", st) ||
        gpu_check(g->cl->GetKernelWorkGroupInfo(kernel, g->device->id, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                                sizeof width, &width, NULL), "querying the work-group width", st))
        return st->code;
    *local = WAVES * width <= maximum ? WAVES * width : maximum;
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
