#include <math.h>
#include <string.h>
#include "../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "integrand_programs.h"
#include "integrals_shared.h"
#include "../integrand/operations.h"
#include "../base/memory.h"

const struct integrand_kernels box_kernels[] = {
    [FOR_SUBREGIONS] = { .file = "subregions", .name = { "subregions_rule" } },
    [FOR_STRATA] = { .file = "strata", .name = { "strata_shares" } },
    [FOR_LATTICE] = { .file = "lattice", .name = { "lattice_sums", "lattice_bins" } },
    [FOR_PRODUCT] = { .file = "product", .name = { "product_sums" } },
    [FOR_LINE_SEARCH] = { .file = "line_search", .name = { "line_search_box" } },
    [FOR_POINTS] = { .file = "points", .name = { "values_at_points" } },
    [FOR_SCAQ] = { .file = "scaq", .name = { "scaq_steppers" }, .has_state = 1 },
    [FOR_FORWARD] = { .file = "forward_lines", .name = { "forward_lines" }, .has_state = 1 },
    [FOR_LATTICE_SINGLE] = { .file = "lattice_single", .name = { "lattice_single" }, .is_single = 1 },
    [FOR_STRATA_SINGLE] = { .file = "strata_single", .name = { "strata_shares" }, .is_single = 1 }
};

static struct integrand *find(const struct integrands *all, const struct integrand_kernels *kernels,
                              const char *source)
{
    for (int k = 0; k < INTEGRANDS; k++)
        if (all->cached[k].source && all->cached[k].kernels == kernels && !strcmp(all->cached[k].source, source))
            return (struct integrand *)&all->cached[k];
    return NULL;
}

int integrand_is_cached(const struct integrands *all, const struct integrand_kernels *kernels, const char *source)
{
    const struct integrand *one = find(all, kernels, source);
    return one && !one->is_insufficient;
}

static void release_programs(struct gpu *g, struct integrand *one)
{
    for (int k = 0; k < INTEGRAND_KERNELS; k++) if (one->kernel[k]) g->cl->ReleaseKernel(one->kernel[k]);
    if (one->values) g->cl->ReleaseKernel(one->values);
    if (one->program) g->cl->ReleaseProgram(one->program);
    if (one->later) g->cl->ReleaseProgram(one->later);
}

static void drop(struct gpu *g, struct integrand *one)
{
    release_programs(g, one);
    memory_release(one->source);
    memset(one, 0, sizeof *one);
}

void integrands_close(struct gpu *g, struct integrands *all)
{
    for (int k = 0; k < INTEGRANDS; k++) drop(g, &all->cached[k]);
}

/* Returns an unused entry, or the least recently used one, which is emptied. */
static struct integrand *free_entry(struct gpu *g, struct integrands *all)
{
    struct integrand *entry = &all->cached[0];
    for (int k = 1; k < INTEGRANDS && entry->source; k++)
        if (!all->cached[k].source || all->cached[k].used < entry->used) entry = &all->cached[k];
    drop(g, entry);
    return entry;
}

static void append(const char **all, cl_uint *strings, const struct kernel_source *more)
{
    if (!more) return;
    memcpy(all + *strings, more->string, more->strings * sizeof *all);
    *strings += more->strings;
}

/* Returns the file with the distributions that the text of an integrand uses; NULL if it uses none.  is_partial: their
 * shapes are the same for all points, and the interpolants may cover all values. */
static const char *laws_file(const char *source, int is_partial)
{
    if (!strstr(source, "op_interpolated(") && !strstr(source, "op_stable(")) return NULL;
    return is_partial ? "laws_interpolated" : "laws";
}

/* TRUE if a program of an integrand that has interpolants only may suffice. */
static int may_be_partial(const struct integrand_kernels *kernels, const char *source)
{
    return strstr(source, "op_interpolated(") && !strstr(source, "op_stable(") && !kernels->has_state;
}

/* TRUE if the text of an integrand calls special functions.
 *
 * These are not compiled apart and linked: NVIDIA's driver translates the text of pf() to PTX within half a second,
 * takes 3 s to translate this to machine code, and does so for a whole program.  clCompileProgram() takes 0.02 s for
 * the special functions, and clLinkProgram() of parts that call each other failed with CL_LINK_PROGRAM_FAILURE (H200,
 * driver 580). */
static int has_special(const char *source)
{
#define FIND_CALL(name, in_r, arity, value) if (strstr(source, "op_" #name "(")) return 1;
    SPECIAL_OPERATIONS(FIND_CALL)
#undef FIND_CALL
    return 0;
}

/* Builds a program from the operations, the distributions if it uses any, the integrand, and the kernels of a file. */
static int build(struct gpu *g, const struct integrand *one, const char *file, cl_program *made, struct status *st)
{
    const struct integrand_kernels *kernels = one->kernels;
    const char *laws_name = laws_file(one->source, one->is_partial);
    const struct kernel_source *before = kernel_source_of(kernels->is_single ? "operations_single" : "operations");
    const struct kernel_source *after = kernel_source_of(file);
    const struct kernel_source *called = laws_name || has_special(one->source) ? kernel_source_of("called") : NULL;
    const struct kernel_source *laws = laws_name ? kernel_source_of(laws_name) : NULL;
    const struct kernel_source *values = kernel_source_of(kernels->is_single ? "values_single" : "values");
    cl_uint strings = 0;

    if (!before || !after || !values)
        return fail(st, ST_DEVICE, "the source of operations.cl, values.cl or %s.cl is missing", file);
    size_t capacity = (called ? called->strings : 0) + before->strings + (laws ? laws->strings : 0) + 1 + after->strings
                + values->strings;
    const char **string = memory_allocate(capacity * sizeof *string);
    if (!string) return fail(st, ST_MEMORY, "no memory for the source code of an integrand");

    append(string, &strings, called);
    append(string, &strings, before);
    append(string, &strings, laws);
    string[strings++] = one->source;
    append(string, &strings, after);
    if (!kernels->returns_values) append(string, &strings, values);
    gpu_build(g, strings, string, kernels->is_single, "integrand", made, st);
    memory_release(string);
    return st->code;
}

static int make_kernel(struct gpu *g, cl_program program, const char *name, cl_kernel *made, struct status *st)
{
    cl_int e;
    *made = g->cl->CreateKernel(program, name, &e);
    if (e != CL_SUCCESS) *made = NULL;
    return gpu_check(e, name, st);
}

/* Builds the program of an integrand, without that of a later kernel, and makes its kernels. */
static int make_program(struct gpu *g, struct integrand *one, struct status *st)
{
    const struct integrand_kernels *kernels = one->kernels;
    int count = kernels->later ? 1 : INTEGRAND_KERNELS;

    if (build(g, one, kernels->file, &one->program, st)) return st->code;
    if (!kernels->returns_values && make_kernel(g, one->program, "integrand_values", &one->values, st)) return st->code;
    for (int k = 0; k < count; k++)
        if (kernels->name[k] && make_kernel(g, one->program, kernels->name[k], &one->kernel[k], st)) return st->code;
    return gpu_local(g, one->kernel[0] ? one->kernel[0] : one->kernel[1], &one->local, st);
}

#define MIN_SECONDS    1e-9             /* shortest time of a value in seconds */
#define ITEMS_PER_UNIT 512.0            /* work items that a compute unit of a GPU runs at a time */
#define LAUNCH_SECONDS 0.1              /* longest time of a kernel in seconds: it cannot be interrupted */
#define WRONG_MAX      (REFERENCE_POINTS / 4)

/* Approximate ratio of the time of a work item to that of a CPU thread: on a GPU, and with a driver for CPUs. */
#define ITEM_SLOWER     30.0
#define ITEM_SLOWER_CPU 2.0

/* Longest time of a value by a work item, in seconds: some kernels compute dozens of values one after the other. */
#define VALUE_SECONDS 0.005

static int measure(const struct gpu *g, struct integrand_reference *r, double *seconds, struct status *st)
{
    if (r->compute(r, st)) return st->code;
    *seconds = (g->device->is_cpu ? ITEM_SLOWER_CPU : ITEM_SLOWER) * r->seconds;
    if (*seconds <= VALUE_SECONDS) return ST_OK;
    return fail(st, ST_UNSUPPORTED, "one value of the integrand takes more than %g s, too long for a device because a "
                "kernel cannot be interrupted; use backend = \"cpu\"", VALUE_SECONDS);
}

double integrand_evaluations(const struct gpu *g, const struct integrand *one, double items)
{
    double maximum = (double)g->device->units * (g->device->is_cpu ? 1.0 : ITEMS_PER_UNIT);
    return LAUNCH_SECONDS * fmin(items, maximum) / one->seconds;
}

/* Adds an integrand to the cache.  Returns NULL after a failure. */
static struct integrand *add(struct gpu *g, struct integrands *all, const struct integrand_kernels *kernels,
                             const char *source, struct integrand_reference *reference, struct status *st)
{
    size_t size = strlen(source) + 1;
    double seconds = 0.0;

    if (measure(g, reference, &seconds, st)) return NULL;
    struct integrand *one = free_entry(g, all);
    one->source = memory_allocate(size);
    if (one->source) {
        memcpy(one->source, source, size);
        one->kernels = kernels;
        one->seconds = fmax(seconds, MIN_SECONDS);
        one->is_partial = may_be_partial(kernels, source);
        make_program(g, one, st);
    } else
        fail(st, ST_MEMORY, "no memory for the source code of an integrand");
    if (!st->code) return one;
    drop(g, one);
    return NULL;
}

/* Replaces the program of interpolants by the one that computes all values. */
static int replace(struct gpu *g, struct integrand *one, struct status *st)
{
    struct integrand whole = { .source = one->source, .kernels = one->kernels, .seconds = one->seconds };

    if (make_program(g, &whole, st)) {
        release_programs(g, &whole);
        return st->code;
    }
    release_programs(g, one);
    *one = whole;
    return ST_OK;
}

int integrands_insufficient(struct integrand *const *program, int devices)
{
    int insufficient = 0;
    for (int d = 0; d < devices; d++) insufficient |= program[d]->is_insufficient;
    for (int d = 0; d < devices && insufficient; d++) program[d]->is_insufficient = program[d]->is_partial;
    return insufficient;
}

int integrand_get(struct gpu *g, struct integrands *all, const struct integrand_kernels *kernels, const char *source,
                  struct integrand_reference *reference, struct integrand **found, struct status *st)
{
    struct integrand *one = find(all, kernels, source);

    if (!one && !(one = add(g, all, kernels, source, reference, st))) return st->code;
    if (one->is_insufficient && replace(g, one, st)) return st->code;
    one->used = ++all->uses;
    *found = one;
    return ST_OK;
}

/* --- comparison with the CPU ----------------------------------------------------- */

void numbers_to_single(double *number, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        float f = (float)number[k];
        memcpy((char *)number + k * sizeof f, &f, sizeof f);
    }
}

/* Undoes numbers_to_single(). */
static void numbers_to_double(double *number, size_t count)
{
    for (size_t k = count; k-- > 0;) {
        float f;
        memcpy(&f, (const char *)number + k * sizeof f, sizeof f);
        number[k] = f;
    }
}

/* Sets the arguments of a kernel that only evaluates points.  memory: points, constants, tables, values. */
static cl_int set_arguments(const struct gpu *g, cl_kernel kernel, size_t size, const void *first, cl_uint count,
                            const cl_mem *memory)
{
    cl_int e = g->cl->SetKernelArg(kernel, 0, size, first);
    for (cl_uint k = 0; e == CL_SUCCESS && k < count; k++)
        e = g->cl->SetKernelArg(kernel, k + 1, sizeof(cl_mem), &memory[k]);
    return e;
}

/* Enqueues the evaluation of the reference points: by the kernel of values.cl, or by the last of the kernels of
 * integrals.  The groups of the latter are as large as for integrals, because drivers such as PoCL compile a kernel for
 * each size of its groups. */
static int start_values(struct gpu *g, const struct integrand *one, const cl_mem *memory, struct status *st)
{
    const int n = REFERENCE_POINTS, is_group = one->kernel[GROUP_INTEGRAL] != NULL;
    const struct device_integrals job = { .n = n, .values_only = 1 };
    const cl_mem all[] = { memory[0], memory[1], memory[2], memory[3], memory[3], memory[3] };
    size_t global = REFERENCE_POINTS, local = 1;
    cl_kernel kernel = one->values ? one->values : one->kernel[is_group ? GROUP_INTEGRAL : EACH_INTEGRAL];
    cl_int e = one->values ? set_arguments(g, kernel, sizeof n, &n, 4, memory)
                           : set_arguments(g, kernel, sizeof job, &job, 6, all);

    if (!one->values) {
        local = is_group ? REFINE_ITEMS : one->local;
        global = (REFERENCE_POINTS + local - 1) / local * local;
    }
    if (gpu_check(e, "setting the arguments of a kernel", st)) return st->code;
    return gpu_check(g->cl->EnqueueNDRangeKernel(g->stream[0].queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
                     "starting a kernel", st);
}

/* Computes the values at the reference points.  x: these points, in the precision of the program. */
static int copy_values(struct gpu *g, const struct integrand *one, const double *x, size_t x_size, const cl_mem *memory,
                       double *value, struct status *st)
{
    size_t each = REFERENCE_POINTS * (one->kernels->is_single ? sizeof(float) : sizeof(double));
    cl_command_queue queue = g->stream[0].queue;

    if (gpu_check(g->cl->EnqueueWriteBuffer(queue, memory[0], CL_TRUE, 0, x_size, x, 0, NULL, NULL),
                  "copying to the device", st) ||
        start_values(g, one, memory, st) ||
        gpu_check(g->cl->EnqueueReadBuffer(queue, memory[3], CL_TRUE, 0, each, value, 0, NULL, NULL),
                  "copying from the device", st))
        return st->code;
    if (one->kernels->is_single) numbers_to_double(value, REFERENCE_POINTS);
    return ST_OK;
}

/* Computes the values at the reference points in the precision of the program. */
static int values_of(struct gpu *g, const struct integrand *one, const struct integrand_reference *r,
                     const cl_mem *memory, double *value, struct status *st)
{
    size_t count = (size_t)r->inputs * REFERENCE_POINTS;
    double *x;

    if (!one->kernels->is_single) return copy_values(g, one, r->x, count * sizeof *r->x, memory, value, st);
    x = memory_allocate(count * sizeof *x);
    if (!x) return fail(st, ST_MEMORY, "no memory for values of the integrand");
    memcpy(x, r->x, count * sizeof *x);
    numbers_to_single(x, count);
    copy_values(g, one, x, count * sizeof(float), memory, value, st);
    memory_release(x);
    return st->code;
}

static int is_near(double actual, double right, double tolerance)
{
    return actual == right || (isnan(actual) && isnan(right)) || fabs(actual - right) <= tolerance;
}

/* Compares values with the reference.  A few may differ, because at a jump of the integrand rounding decides. */
static int compare(const struct integrand_reference *r, const double *value, int is_single, struct status *st)
{
    const double *tolerance = is_single ? r->tolerance_single : r->tolerance;
    int wrong = 0, at = 0;
    for (int q = 0; q < REFERENCE_POINTS; q++) {
        if (is_near(value[q], r->value[q], tolerance[q]) || isnan(tolerance[q])) continue;
        wrong++;
        at = q;
    }
    if (wrong <= WRONG_MAX) return ST_OK;
    if (is_single)
        return fail(st, ST_UNSUPPORTED, "the integrand at %.9g is %.9g in single precision, not %.9g; use precision = "
                    "\"double\"", r->x[at * r->inputs], value[at], r->value[at]);
    return fail(st, ST_DEVICE, "wrong results: the integrand at %.17g is %.17g, not %.17g",
                r->x[at * r->inputs], value[at], r->value[at]);
}

/* A kernel sets the flag before its queue reads it. */
int integrand_read_flag(struct gpu *g, const struct integrand *one, cl_command_queue queue,
                        const struct integrand_constants *c, int waits, cl_int *flag, struct status *st)
{
    *flag = 0;
    if (!one->is_partial) return ST_OK;
    return gpu_check(g->cl->EnqueueReadBuffer(queue, c->table, waits ? CL_TRUE : CL_FALSE, c->flag, sizeof *flag, flag,
                                              0, NULL, NULL), "copying from the device", st);
}

int integrand_check_flag(struct gpu *g, struct integrand *one, const struct integrand_constants *c, struct status *st)
{
    cl_int flag;
    if (!integrand_read_flag(g, one, g->stream[0].queue, c, 1, &flag, st)) one->is_insufficient |= flag != 0;
    return st->code;
}

int integrand_verify(struct gpu *g, struct integrand *one, struct integrand_reference *r,
                     const struct integrand_constants *c, struct status *st)
{
    struct scratch in = { 0, NULL }, out = { 0, NULL };
    double value[REFERENCE_POINTS];

    if (one->is_verified || r->compute(r, st)) return st->code;
    if (!gpu_reserve_scratch(g, &in, (size_t)r->inputs * REFERENCE_POINTS * sizeof(double), st) &&
        !gpu_reserve_scratch(g, &out, sizeof value, st)) {
        const cl_mem memory[] = { in.device, c->pool, c->table, out.device };
        if (!values_of(g, one, r, memory, value, st) && !integrand_check_flag(g, one, c, st) && !one->is_insufficient)
            one->is_verified = !compare(r, value, one->kernels->is_single, st);
    }
    gpu_release_scratch(g, &in);
    gpu_release_scratch(g, &out);
    return st->code;
}

/* From then on the second kernel evaluates the reference points. */
int integrand_complete(struct gpu *g, struct integrand *one, struct integrand_reference *reference,
                       const struct integrand_constants *c, struct status *st)
{
    const struct integrand_kernels *kernels = one->kernels;

    if (build(g, one, kernels->later, &one->later, st)) return st->code;
    one->is_verified = 0;
    if (make_kernel(g, one->later, kernels->name[GROUP_INTEGRAL], &one->kernel[GROUP_INTEGRAL], st)) return st->code;
    return integrand_verify(g, one, reference, c, st);
}

#endif
