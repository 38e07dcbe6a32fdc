/* The jobs over the points of a box (box_jobs.h) as the kernels read them, and their results.  box_device.c shares them
 * among the devices of a session. */
#include <math.h>
#include <string.h>
#include "../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "integrals_device.h"
#include "../base/column.h"

/* --- stratified sampling ------------------------------------------------------------- */

/* Sends shares of subcubes to a device, many at a time.  4 bytes for each stratum are copied to the device and back,
 * and 24 bytes for each share, or 16 in single precision, are copied back. */

/* Approximate number of subcubes of a kernel launch on CPU devices, and the points of a subcube. */
#define SUBCUBE_POINTS 4
#define SUBCUBES_CPU 0x1p16

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
    for (int k = 0; k < j->box.dim && k < STRATA_AXES; k++) d.cuts[k] = j->cuts[k];
    return d;
}

static int strata_are_single(const struct strata_job *j)
{
    return j->box.use == FOR_STRATA_SINGLE;
}

/* Returns the bytes of the sums of a share on the device. */
static size_t strata_bytes(const struct strata_job *j)
{
    return strata_are_single(j) ? sizeof(struct strata_single_sums) : sizeof(struct strata_sums);
}

/* Stores the sums of a share, which are in units of its first subcube, in units of a stratum. */
static void store_strata_sums(const struct strata_job *j, size_t share, const char *out)
{
    struct strata_sums *s = &j->share[share];
    struct strata_single_sums one;
    int level = strata_subcube_at(&j->plan, (uint64)share << j->share_bits).level;

    if (strata_are_single(j)) {
        memcpy(&one, out, sizeof one);
        s->mean = (double)one.mean + (double)one.mean_low;
        s->square = (double)one.square;
        s->fourth = (double)one.fourth;
    } else
        memcpy(s, out, sizeof *s);
    s->mean = ldexp(s->mean, -level);
    s->square = ldexp(s->square, -2 * level);
    s->fourth = ldexp(s->fourth, -4 * level);
}

/* Returns the rank of the stratum in which `share` begins; the number of strata if there is no such share. */
static size_t rank_at(const struct strata_job *j, size_t share)
{
    uint64 t = (uint64)share << j->share_bits;
    return t < j->plan.subcubes ? strata_subcube_at(&j->plan, t).rank : j->strata;
}

static int launch_strata(const struct box_launch *p, size_t first, size_t shares, struct status *st)
{
    const struct strata_job *j = (const struct strata_job *)p->box;
    struct device_strata *d = p->job;
    size_t from = rank_at(j, first), strata = rank_at(j, first + shares) - from, each = strata_bytes(j);
    size_t gap = (j->box.shares - first) * each + from * sizeof *j->spread;
    const char *out;

    d->first = (int)first;
    if (box_start(p->integrals, p->gpu, p->integrand->kernel[OVER_BOX], d, sizeof *d, shares, BOX_ITEMS, st) ||
        !(out = box_read(p, first * each, gap + strata * sizeof *j->spread, st)))
        return st->code;
    for (size_t k = 0; k < shares; k++) store_strata_sums(j, first + k, out + k * each);
    memcpy(j->spread + from, out + gap, strata * sizeof *j->spread);
    return ST_OK;
}

int strata_run(struct session *session, const struct strata_job *j, struct slice *slice, struct status *st)
{
    struct device_strata job = strata_of(j);
    struct box_work work = {
        .box = &j->box, .job = &job, .job_size = sizeof job, .more = j->order,
        .more_size = j->strata * sizeof *j->order,
        .out_size = j->box.shares * strata_bytes(j) + j->strata * sizeof *j->spread,
        .points_cpu = SUBCUBE_POINTS * SUBCUBES_CPU,
        .share_points = SUBCUBE_POINTS * ldexp(1.0, j->share_bits), .run = launch_strata
    };
    return box_share(session, &work, slice, st);
}

/* --- lattices ------------------------------------------------------------------------ */

/* Sends shares of lattices to a device, many at a time; 48 bytes for each share are copied back.  The values themselves
 * remain on the device, where the bins are summed after the last share. */

/* Points of a kernel launch on CPU devices. */
#define POINTS_CPU 0x1p18

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
static int launch_lattice(const struct box_launch *p, size_t first, size_t shares, struct status *st)
{
    const struct lattice_job *j = (const struct lattice_job *)p->box;
    struct device_lattice *d = p->job;
    size_t bins = first + shares == j->box.shares ? lattice_bins(j) : 0;
    size_t size = shares * sizeof *j->share, bin_size = bins * sizeof *j->histogram;
    cl_kernel *kernel = p->integrand->kernel;
    const char *out;

    d->first = (int)first;
    if (box_start(p->integrals, p->gpu, kernel[OVER_BOX], d, sizeof *d, shares, BOX_ITEMS, st) ||
        (bins && box_start(p->integrals, p->gpu, kernel[LATTICE_BINS], d, sizeof *d, bins, BOX_ITEMS, st)) ||
        !(out = box_read(p, first * sizeof *j->share, size + bin_size, st)))
        return st->code;
    memcpy(j->share + first, out, size);
    if (bins) memcpy(j->histogram, out + size, bin_size);
    return ST_OK;
}

/* Computes some shares in single precision; 16 bytes for each share are copied back. */
static int launch_lattice_single(const struct box_launch *p, size_t first, size_t shares, struct status *st)
{
    const struct lattice_job *j = (const struct lattice_job *)p->box;
    struct device_lattice *d = p->job;
    struct lattice_single_sums one;
    const char *out;

    d->first = (int)first;
    d->box.exponent = 0;
    if (box_start(p->integrals, p->gpu, p->integrand->kernel[OVER_BOX], d, sizeof *d, shares, BOX_ITEMS, st) ||
        !(out = box_read(p, first * sizeof one, shares * sizeof one, st)))
        return st->code;
    for (size_t k = 0; k < shares; k++) {
        struct lattice_sums sums = { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 };
        memcpy(&one, out + k * sizeof one, sizeof one);
        sums.sum = j->box.scale * ((double)one.sum + one.sum_low);
        sums.size = j->box.scale * ((double)one.size + one.size_low);
        j->share[first + k] = sums;
    }
    return ST_OK;
}

/* Bins need the values at all points on one device.  Only rounds of few points have them. */
int lattice_run(struct session *session, const struct lattice_job *j, struct slice *slice, struct status *st)
{
    size_t doubles = j->histogram ? (size_t)j->box.dim * MAP_BINS + j->part[0].points : 0;
    struct device_lattice job = lattice_of(j);
    struct box_work work = {
        .box = &j->box, .job = &job, .job_size = sizeof job, .more = j->shift,
        .more_size = (size_t)(j->parts * j->shifts) * AXES_MAX * sizeof *j->shift,
        .out_size = j->box.shares * sizeof *j->share + doubles * sizeof(double), .points_cpu = POINTS_CPU,
        .share_points = ldexp(1.0, j->share_bits), .is_alone = j->histogram != NULL,
        .run = j->box.use == FOR_LATTICE_SINGLE ? launch_lattice_single : launch_lattice
    };
    return box_share(session, &work, slice, st);
}

/* --- line searches for peaks --------------------------------------------------------- */

/* Runs line searches on a device, all in one launch unless that takes too long. */

static int launch_line_search(const struct box_launch *p, size_t first, size_t shares, struct status *st)
{
    const struct line_search_job *j = (const struct line_search_job *)p->box;
    struct device_line_search *d = p->job;
    size_t each = LINE_SEARCH_DOUBLES((size_t)j->box.dim), size = shares * each * sizeof(double);
    const char *out;

    d->first = (int)first;
    if (box_start(p->integrals, p->gpu, p->integrand->kernel[OVER_BOX], d, sizeof *d, shares, BOX_ITEMS, st) ||
        !(out = box_read(p, first * each * sizeof(double), size, st)))
        return st->code;
    memcpy(j->found + first * each, out, size);
    return ST_OK;
}

int line_search_run(struct session *session, const struct line_search_job *j, struct slice *slice, struct status *st)
{
    size_t axes = (size_t)j->box.dim, points = axes * LINE_POINTS;
    struct device_line_search job = { .box = box_of(&j->box) };
    struct box_work work = {
        .box = &j->box, .job = &job, .job_size = sizeof job, .more = j->from,
        .more_size = j->box.shares * (axes + 1) * sizeof *j->from,
        .out_size = j->box.shares * LINE_SEARCH_DOUBLES(axes) * sizeof *j->found,
        .points_cpu = (double)(j->box.shares * points),
        .share_points = (double)points, .run = launch_line_search
    };
    return box_share(session, &work, slice, st);
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

static int launch_product(const struct box_launch *p, size_t first, size_t shares, struct status *st)
{
    const struct product_job *j = (const struct product_job *)p->box;
    struct device_product *d = p->job;
    size_t size = shares * sizeof *j->share;
    const char *out;

    d->first_share = (int)(j->first + first);
    d->first = (int)first;
    if (box_start(p->integrals, p->gpu, p->integrand->kernel[OVER_BOX], d, sizeof *d, shares, BOX_ITEMS, st) ||
        !(out = box_read(p, first * sizeof *j->share, size, st)))
        return st->code;
    memcpy(j->share + first, out, size);
    return ST_OK;
}

int product_run(struct session *session, const struct product_job *j, struct slice *slice, struct status *st)
{
    struct device_product job = product_of(j);
    struct box_work work = {
        .box = &j->box, .job = &job, .job_size = sizeof job, .more = j->rule,
        .more_size = (size_t)(j->parts * j->box.dim) * sizeof *j->rule, .out_size = j->box.shares * sizeof *j->share,
        .points_cpu = POINTS_CPU, .share_points = ldexp(1.0, j->share_bits), .run = launch_product
    };
    return box_share(session, &work, slice, st);
}

/* --- subregions ---------------------------------------------------------------------- */

/* Applies the rule of Genz and Malik to many subregions of a box at a time on a device.  Each subregion takes 16 bytes
 * for every axis to the device and 32 bytes back. */

static int launch_subregions(const struct box_launch *p, size_t first, size_t subregions, struct status *st)
{
    const struct subregions_job *j = (const struct subregions_job *)p->box;
    struct device_subregions *d = p->job;
    size_t together = (size_t)BOXES_TOGETHER(j->box.dim), size = subregions * sizeof *j->found;
    const char *out;

    d->first = (int)first;
    d->end = (int)(first + subregions);
    if (box_start(p->integrals, p->gpu, p->integrand->kernel[OVER_BOX], d, sizeof *d,
                  (subregions + together - 1) / together, REFINE_ITEMS, st) ||
        !(out = box_read(p, first * sizeof *j->found, size, st)))
        return st->code;
    bytes_copy(j->found + first, out, size);
    for (size_t k = first; k < first + subregions; k++)
        if (j->found[k].axis < 0 || j->found[k].axis >= j->box.dim)
            return fail(st, ST_DEVICE, "a device returned an invalid axis for a box");
    return ST_OK;
}

int subregions_run(struct session *session, const struct subregions_job *j, struct slice *slice, struct status *st)
{
    struct device_subregions job = { j->box.parameters, 0, 0, j->is_half };
    struct box_work work = {
        .box = &j->box, .job = &job, .job_size = sizeof job, .more = j->coordinates,
        .more_size = 2 * (size_t)j->box.dim * j->box.shares * sizeof *j->coordinates,
        .out_size = j->box.shares * sizeof *j->found, .points_cpu = POINTS_CPU,
        .share_points = GENZ_MALIK_POINTS(j->box.dim), .run = launch_subregions
    };
    return box_share(session, &work, slice, st);
}

/* --- points of an integrand with several components ------------------------------------ */

/* Evaluates many points at a time.  Each point takes 8 bytes for every axis to the device and 8 bytes for every
 * component back. */

static int launch_points(const struct box_launch *p, size_t first, size_t points, struct status *st)
{
    const struct points_job *j = (const struct points_job *)p->box;
    struct device_points *d = p->job;
    size_t components = (size_t)j->components, each = components * sizeof(double);
    const char *out;

    d->first = (int)first;
    d->end = (int)(first + points);
    if (box_start(p->integrals, p->gpu, p->integrand->kernel[OVER_BOX], d, sizeof *d,
                  (points + BOX_ITEMS - 1) / BOX_ITEMS, BOX_ITEMS, st) ||
        !(out = box_read(p, first * each, points * each, st)))
        return st->code;
    if (components == 1) bytes_copy(j->value + first, out, points * each);
    else {
        for (size_t c = 0; c < components; c++)
            for (size_t i = 0; i < points; i++)
                memcpy(&j->value[c * j->box.shares + first + i], out + i * each + c * sizeof(double), sizeof(double));
    }
    return ST_OK;
}

int points_run(struct session *session, const struct points_job *j, struct slice *slice, struct status *st)
{
    size_t count = j->box.shares;
    struct device_points job = { j->box.parameters, (int)count, 0, 0 };
    struct box_work work = {
        .box = &j->box, .job = &job, .job_size = sizeof job, .more = j->coordinates,
        .more_size = (size_t)j->box.dim * count * sizeof *j->coordinates,
        .out_size = (size_t)j->components * count * sizeof *j->value, .points_cpu = POINTS_CPU,
        .share_points = 1.0, .run = launch_points
    };
    return box_share(session, &work, slice, st);
}

#endif
