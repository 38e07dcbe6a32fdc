/* Runs the jobs over the points of a box on a device: copies the description of the box, launches kernels one after the
 * other and reads their results. */
#include <math.h>
#include <string.h>
#include "../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "integrals_device.h"
#include "../base/parallel.h"

/* Least size of a buffer in bytes, so that growing rounds of an integral do not each need a new one. */
#define LEAST_BYTES ((size_t)1 << 20)

/* Returns the number of doubles with which the input of a job begins (integrals_shared.h).  Jobs over subregions have
 * neither limits nor nodes. */
static size_t doubles_of(const struct box_job *b)
{
    return (size_t)b->parameters + (size_t)b->dim * ((b->low ? 2 : 0) + (b->node ? MAP_ROOM : 0));
}

struct device_box box_of(const struct box_job *b)
{
    struct device_box d;
    memset(&d, 0, sizeof d);
    d.scale = b->scale;
    d.doubles = (int)doubles_of(b);
    d.mapped = b->node != NULL;
    d.parameters = b->parameters;
    return d;
}

/* Copies `count` numbers.  Returns the position behind them. */
static double *put(double *to, const double *from, size_t count)
{
    if (count) memcpy(to, from, count * sizeof *to);
    return to + count;
}

static void put_doubles(const struct box_job *b, double *to)
{
    size_t axes = (size_t)b->dim;
    to = put(to, b->parameter, (size_t)b->parameters);
    to = put(to, b->low, b->low ? axes : 0);
    to = put(to, b->width, b->low ? axes : 0);
    put(to, b->node, b->node ? axes * MAP_ROOM : 0);
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

static int fit(struct gpu *g, struct mirror *m, size_t size, struct status *st)
{
    return gpu_fit(g, &g->lane[0], m, size > LEAST_BYTES ? size : LEAST_BYTES, st);
}

int box_begin(struct integrals *s, struct gpu *g, const struct box_job *b, const void *more, size_t more_size,
              size_t out_size, struct integrand **f, struct status *st)
{
    struct integrals_lane *lane = &s->lane[0];
    size_t doubles = doubles_of(b) * sizeof(double);

    if (integrand_get(g, &s->integrands, &box_kernels[b->use], b->source, b->reference, f, st) ||
        fit(g, &lane->in, doubles + more_size, st) || fit(g, &lane->out, out_size, st))
        return st->code;
    put_doubles(b, (double *)(void *)lane->in.host);
    if (more_size) memcpy((char *)lane->in.host + doubles, more, more_size);
    if (copy(g, lane->in.device, lane->in.host, doubles + more_size, st) ||
        copy_pool(s, g, b, st))
        return st->code;
    if (copy_numbers(g, &s->table, b->table, b->table_size, st)) return st->code;
    return integrand_verify(g, *f, b->reference, s->pool.device, s->table.device, st);
}

int box_start(struct integrals *s, struct gpu *g, cl_kernel kernel, const void *job, size_t job_size, size_t groups,
              size_t local, struct status *st)
{
    const cl_mem memory[] = { s->lane[0].in.device, s->pool.device, s->table.device, s->lane[0].out.device };
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

/* --- stratified sampling ------------------------------------------------------------- */

/* Sends shares of subcubes to a device, many at a time.  4 bytes for each stratum are copied to the device and back,
 * and 24 bytes for each share are copied back. */

/* Approximate number of subcubes of a kernel launch, on GPUs and on CPU devices, and the points of a subcube. */
#define SUBCUBE_POINTS 4
#define SUBCUBES     ((size_t)1 << 25)
#define SUBCUBES_CPU ((size_t)1 << 16)

static struct device_strata strata_of(const struct strata_job *j)
{
    struct device_strata d;
    memset(&d, 0, sizeof d);
    d.box = box_of(&j->box);
    d.plan = j->plan;
    d.key = j->key;
    d.round = j->round;
    d.integral = j->integral;
    d.shares = (int)j->box.shares;
    d.share_bits = j->share_bits;
    for (int k = 0; k < j->box.dim && k < STRATA_AXES; k++) {
        d.part[k] = 1.0 / j->cuts[k];
        d.cuts[k] = j->cuts[k];
    }
    return d;
}

/* Returns the rank of the stratum in which `share` begins; the number of strata if there is no such share. */
static size_t rank_at(const struct strata_job *j, size_t share)
{
    uint64 t = (uint64)share << j->share_bits;
    return t < j->plan.subcubes ? strata_subcube_at(&j->plan, t).rank : j->strata;
}

static int strata_some(const struct box_parts *p, size_t first, size_t shares, struct status *st)
{
    const struct strata_job *j = p->order;
    struct device_strata *d = p->job;
    size_t from = rank_at(j, first), strata = rank_at(j, first + shares) - from, each = sizeof *j->share;
    size_t gap = (j->box.shares - first) * each + from * sizeof *j->spread;
    const char *out;

    d->first = (int)first;
    if (box_start(p->integrals, p->gpu, p->integrand->kernel[OVER_BOX], d, sizeof *d, shares, BOX_LANES, st) ||
        !(out = box_read(p->integrals, p->gpu, first * each, gap + strata * sizeof *j->spread, st)))
        return st->code;
    memcpy(j->share + first, out, shares * each);
    memcpy(j->spread + from, out + gap, strata * sizeof *j->spread);
    return ST_OK;
}

int strata_run(struct integrals *s, struct gpu *g, const struct strata_job *j, struct slice *slice, struct status *st)
{
    size_t out = j->box.shares * sizeof *j->share + j->strata * sizeof *j->spread;
    struct device_strata job = strata_of(j);
    struct box_parts parts = { s, g, NULL, j, &job, j->box.shares, 0, strata_some };
    double share = SUBCUBE_POINTS * ldexp(1.0, j->share_bits);

    if (box_begin(s, g, &j->box, j->order, j->strata * sizeof *j->order, out, &parts.integrand, st)) return st->code;
    parts.most = box_most(g, parts.integrand, SUBCUBE_POINTS * (g->device->is_cpu ? SUBCUBES_CPU : SUBCUBES), share);
    return box_slice(&parts, slice, st);
}

/* --- lattices ------------------------------------------------------------------------ */

/* Sends shares of lattices to a device, many at a time; 48 bytes for each share are copied back.  The values themselves
 * remain on the device, where the bins are summed after the last share. */

/* Points of a kernel launch, on GPUs and on CPU devices. */
#define POINTS     ((size_t)1 << 27)
#define POINTS_CPU ((size_t)1 << 18)

static struct device_lattice lattice_of(const struct lattice_job *j)
{
    struct device_lattice d;
    memset(&d, 0, sizeof d);
    d.box = box_of(&j->box);
    d.shares = (int)j->box.shares;
    d.share_bits = j->share_bits;
    d.parts = j->parts;
    memcpy(d.part, j->part, sizeof d.part);
    d.binned = j->histogram != NULL;
    return d;
}

static size_t lattice_bins(const struct lattice_job *j)
{
    return j->histogram ? (size_t)j->binned * MAP_BINS : 0;
}

/* Computes some shares; with the last of them, also the bins. */
static int lattice_some(const struct box_parts *p, size_t first, size_t shares, struct status *st)
{
    const struct lattice_job *j = p->order;
    struct device_lattice *d = p->job;
    size_t bins = first + shares == j->box.shares ? lattice_bins(j) : 0;
    size_t size = shares * sizeof *j->share, bin_size = bins * sizeof *j->histogram;
    cl_kernel *kernel = p->integrand->kernel;
    const char *out;

    d->first = (int)first;
    if (box_start(p->integrals, p->gpu, kernel[OVER_BOX], d, sizeof *d, shares, BOX_LANES, st) ||
        (bins && box_start(p->integrals, p->gpu, kernel[LATTICE_BINS], d, sizeof *d, bins, BOX_LANES, st)) ||
        !(out = box_read(p->integrals, p->gpu, first * sizeof *j->share, size + bin_size, st)))
        return st->code;
    memcpy(j->share + first, out, size);
    if (bins) memcpy(j->histogram, out + size, bin_size);
    return ST_OK;
}

int lattice_run(struct integrals *s, struct gpu *g, const struct lattice_job *j, struct slice *slice, struct status *st)
{
    size_t doubles = j->histogram ? (size_t)j->box.dim * MAP_BINS + j->part[0].points : 0;
    size_t in = (size_t)(j->parts * j->shifts) * AXES_MAX * sizeof *j->shift;
    struct device_lattice job = lattice_of(j);
    struct box_parts parts = { s, g, NULL, j, &job, j->box.shares, 0, lattice_some };
    size_t out = j->box.shares * sizeof *j->share + doubles * sizeof(double);

    if (box_begin(s, g, &j->box, j->shift, in, out, &parts.integrand, st)) return st->code;
    parts.most = box_most(g, parts.integrand, g->device->is_cpu ? POINTS_CPU : POINTS, ldexp(1.0, j->share_bits));
    return box_slice(&parts, slice, st);
}

/* --- line searches for peaks --------------------------------------------------------- */

/* Runs line searches on a device, all in one launch unless that takes too long. */

static int line_search_some(const struct box_parts *p, size_t first, size_t shares, struct status *st)
{
    const struct line_search_job *j = p->order;
    struct device_line_search *d = p->job;
    size_t each = LINE_SEARCH_DOUBLES((size_t)j->box.dim), size = shares * each * sizeof(double);
    const char *out;

    d->first = (int)first;
    if (box_start(p->integrals, p->gpu, p->integrand->kernel[OVER_BOX], d, sizeof *d, shares, BOX_LANES, st) ||
        !(out = box_read(p->integrals, p->gpu, first * each * sizeof(double), size, st)))
        return st->code;
    memcpy(j->found + first * each, out, size);
    return ST_OK;
}

int line_search_run(struct integrals *s, struct gpu *g, const struct line_search_job *j, struct slice *slice,
                    struct status *st)
{
    struct device_line_search job = { .box = box_of(&j->box) };
    struct box_parts parts = { s, g, NULL, j, &job, j->box.shares, 0, line_search_some };
    size_t in = j->box.shares * ((size_t)j->box.dim + 1), out = j->box.shares * LINE_SEARCH_DOUBLES((size_t)j->box.dim);

    if (box_begin(s, g, &j->box, j->from, in * sizeof(double), out * sizeof(double), &parts.integrand, st))
        return st->code;
    size_t points = (size_t)j->box.dim * LINE_POINTS;
    parts.most = box_most(g, parts.integrand, j->box.shares * points, (double)points);
    return box_slice(&parts, slice, st);
}

/* --- products of rules --------------------------------------------------------------- */

/* Computes many shares of products of rules at a time on a device; each returns 16 bytes. */

static struct device_product product_of(const struct product_job *j)
{
    struct device_product d;
    memset(&d, 0, sizeof d);
    d.box = box_of(&j->box);
    d.share_bits = j->share_bits;
    d.parts = j->parts;
    memcpy(d.part, j->part, sizeof d.part);
    return d;
}

static int product_some(const struct box_parts *p, size_t first, size_t shares, struct status *st)
{
    const struct product_job *j = p->order;
    struct device_product *d = p->job;
    size_t size = shares * sizeof *j->share;
    const char *out;

    d->first_share = (int)(j->first + first);
    d->first = (int)first;
    if (box_start(p->integrals, p->gpu, p->integrand->kernel[OVER_BOX], d, sizeof *d, shares, BOX_LANES, st) ||
        !(out = box_read(p->integrals, p->gpu, first * sizeof *j->share, size, st)))
        return st->code;
    memcpy(j->share + first, out, size);
    return ST_OK;
}

int product_run(struct integrals *s, struct gpu *g, const struct product_job *j, struct slice *slice, struct status *st)
{
    struct device_product job = product_of(j);
    struct box_parts parts = { s, g, NULL, j, &job, j->box.shares, 0, product_some };
    size_t rules = (size_t)(j->parts * j->box.dim) * sizeof *j->rule;

    if (box_begin(s, g, &j->box, j->rule, rules, j->box.shares * sizeof *j->share, &parts.integrand, st))
        return st->code;
    parts.most = box_most(g, parts.integrand, g->device->is_cpu ? POINTS_CPU : POINTS, ldexp(1.0, j->share_bits));
    return box_slice(&parts, slice, st);
}

/* --- subregions ---------------------------------------------------------------------- */

/* Applies the rule of Genz and Malik to many subregions of a box at a time on a device.  Each subregion takes 16 bytes
 * for every axis to the device and 32 bytes back. */

static int subregions_some(const struct box_parts *p, size_t first, size_t subregions, struct status *st)
{
    const struct subregions_job *j = p->order;
    struct device_subregions *d = p->job;
    size_t together = (size_t)BOXES_TOGETHER(j->box.dim), size = subregions * sizeof *j->found;
    const char *out;

    d->first = (int)first;
    d->end = (int)(first + subregions);
    if (box_start(p->integrals, p->gpu, p->integrand->kernel[OVER_BOX], d, sizeof *d,
                  (subregions + together - 1) / together, REFINE_LANES, st) ||
        !(out = box_read(p->integrals, p->gpu, first * sizeof *j->found, size, st)))
        return st->code;
    memcpy(j->found + first, out, size);
    for (size_t k = first; k < first + subregions; k++)
        if (j->found[k].axis < 0 || j->found[k].axis >= j->box.dim)
            return fail(st, ST_DEVICE, "a device returned an invalid axis for a box");
    return ST_OK;
}

int subregions_run(struct integrals *s, struct gpu *g, const struct subregions_job *j, struct slice *slice,
                   struct status *st)
{
    size_t axes = (size_t)j->box.dim, points = (size_t)GENZ_MALIK_POINTS(j->box.dim);
    struct device_subregions job = { j->box.parameters, 0, 0, j->is_half };
    struct box_parts parts = { s, g, NULL, j, &job, j->box.shares, 0, subregions_some };

    if (box_begin(s, g, &j->box, j->coordinates, 2 * axes * j->box.shares * sizeof *j->coordinates,
                  j->box.shares * sizeof *j->found, &parts.integrand, st))
        return st->code;
    parts.most = box_most(g, parts.integrand, g->device->is_cpu ? POINTS_CPU : POINTS, (double)points);
    return box_slice(&parts, slice, st);
}

/* --- points of an integrand with several components ------------------------------------ */

/* Evaluates many points at a time.  Each point takes 8 bytes for every axis to the device and 8 bytes for every
 * component back. */

static int points_some(const struct box_parts *p, size_t first, size_t points, struct status *st)
{
    const struct points_job *j = p->order;
    struct device_points *d = p->job;
    size_t components = (size_t)j->components, each = components * sizeof(double);
    const char *out;

    d->first = (int)first;
    d->end = (int)(first + points);
    if (box_start(p->integrals, p->gpu, p->integrand->kernel[OVER_BOX], d, sizeof *d,
                  (points + BOX_LANES - 1) / BOX_LANES, BOX_LANES, st) ||
        !(out = box_read(p->integrals, p->gpu, first * each, points * each, st)))
        return st->code;
    for (size_t c = 0; c < components; c++)
        for (size_t i = 0; i < points; i++)
            memcpy(&j->value[c * j->box.shares + first + i], out + i * each + c * sizeof(double), sizeof(double));
    return ST_OK;
}

int points_run(struct integrals *s, struct gpu *g, const struct points_job *j, struct slice *slice, struct status *st)
{
    size_t count = j->box.shares, in = (size_t)j->box.dim * count, out = (size_t)j->components * count;
    struct device_points job = { j->box.parameters, (int)count, 0, 0 };
    struct box_parts parts = { s, g, NULL, j, &job, count, 0, points_some };

    if (box_begin(s, g, &j->box, j->coordinates, in * sizeof(double), out * sizeof(double), &parts.integrand, st))
        return st->code;
    parts.most = box_most(g, parts.integrand, g->device->is_cpu ? POINTS_CPU : POINTS, 1.0);
    return box_slice(&parts, slice, st);
}

#endif
