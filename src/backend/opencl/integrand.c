#include <string.h>
#include "headers.h"
#ifdef STABLECL_OPENCL
#include "integrand.h"
#include "kernel_source.h"
#include "../../base/memory.h"

static const struct { const char *file, *kernel[INTEGRAND_KERNELS]; } uses[] = {
    [FOR_GK] = { "gk", { "gk_begin", "gk_refine" } },
    [FOR_TANHSINH] = { "tanhsinh", { NULL, "tanhsinh" } },
    [FOR_SIMPSON] = { "simpson", { NULL, "simpson" } },
    [FOR_FORWARD] = { "forward", { "forward" } },
    [FOR_CUTS] = { "blockcut", { NULL, "blockcut" } },
    [FOR_CUBATURE] = { "cubature", { NULL, "cubature" } },
    [FOR_PIECES] = { "pieces", { "pieces_rule" } },
    [FOR_CUBES] = { "cubes", { "cubes_shares" } },
    [FOR_LATTICE] = { "lattice", { "lattice_sums", "lattice_bins" } },
    [FOR_PRODUCT] = { "product", { "product_sums" } },
    [FOR_SWEEP] = { "sweep", { "sweep_box" } }
};

static struct integrand *find(const struct integrands *all, enum integrand_use use, const char *source)
{
    for (int k = 0; k < INTEGRANDS; k++)
        if (all->kept[k].source && all->kept[k].use == use && !strcmp(all->kept[k].source, source))
            return (struct integrand *)&all->kept[k];
    return NULL;
}

int integrand_is_kept(const struct integrands *all, enum integrand_use use, const char *source)
{
    return find(all, use, source) != NULL;
}

static void drop(struct gpu *g, struct integrand *one)
{
    for (int k = 0; k < INTEGRAND_KERNELS; k++) if (one->kernel[k]) g->cl->ReleaseKernel(one->kernel[k]);
    if (one->program) g->cl->ReleaseProgram(one->program);
    memory_release(one->source);
    memset(one, 0, sizeof *one);
}

void integrands_close(struct gpu *g, struct integrands *all)
{
    for (int k = 0; k < INTEGRANDS; k++) drop(g, &all->kept[k]);
}

/* A free place, or that of the one used longest ago. */
static struct integrand *place_for(struct gpu *g, struct integrands *all)
{
    struct integrand *place = &all->kept[0];
    for (int k = 1; k < INTEGRANDS && place->source; k++)
        if (!all->kept[k].source || all->kept[k].used < place->used) place = &all->kept[k];
    drop(g, place);
    return place;
}

static void append(const char **all, cl_uint *lines, const struct kernel_source *more)
{
    if (!more) return;
    memcpy(all + *lines, more->line, more->lines * sizeof *all);
    *lines += more->lines;
}

/* Does the text of an integrand ask for what laws.cl has? */
static int has_laws(const char *source)
{
    return strstr(source, "op_charted(") || strstr(source, "op_stable(");
}

/* Operations, laws if there are any, the integrand, and the kernels that use it. */
static int build(struct gpu *g, struct integrand *one, enum integrand_use use, const char *source, struct status *st)
{
    const struct kernel_source *before = kernel_source_of("operations"), *after = kernel_source_of(uses[use].file);
    const struct kernel_source *laws = has_laws(source) ? kernel_source_of("laws") : NULL;
    cl_uint lines = 0;

    if (!before || !after) return fail(st, ST_DEVICE, "no source of operations.cl or %s.cl", uses[use].file);
    size_t room = before->lines + (laws ? laws->lines : 0) + 1 + after->lines;
    const char **line = memory_allocate(room * sizeof *line);
    if (!line) return fail(st, ST_MEMORY, "no memory for the text of an integrand");

    append(line, &lines, before);
    append(line, &lines, laws);
    line[lines++] = source;
    append(line, &lines, after);
    gpu_build(g, lines, line, "integrand", &one->program, st);
    memory_release(line);
    return st->code;
}

static int make_kernels(struct gpu *g, struct integrand *one, enum integrand_use use, struct status *st)
{
    for (int k = 0; k < INTEGRAND_KERNELS; k++) {
        cl_int e;
        if (!uses[use].kernel[k]) continue;
        one->kernel[k] = g->cl->CreateKernel(one->program, uses[use].kernel[k], &e);
        if (e != CL_SUCCESS) one->kernel[k] = NULL;
        if (gpu_check(e, uses[use].kernel[k], st)) return st->code;
    }
    return gpu_local(g, one->kernel[0] ? one->kernel[0] : one->kernel[1], &one->local, st);
}

int integrand_get(struct gpu *g, struct integrands *all, enum integrand_use use, const char *source,
                  struct integrand **found, struct status *st)
{
    struct integrand *one = find(all, use, source);

    if (!one) {
        size_t size = strlen(source) + 1;
        one = place_for(g, all);
        if (build(g, one, use, source, st) || make_kernels(g, one, use, st)) {
            drop(g, one);
            return st->code;
        }
        one->source = memory_allocate(size);
        if (!one->source) {
            drop(g, one);
            return fail(st, ST_MEMORY, "no memory for the text of an integrand");
        }
        memcpy(one->source, source, size);
        one->use = use;
    }
    one->used = ++all->uses;
    *found = one;
    return ST_OK;
}

#endif
