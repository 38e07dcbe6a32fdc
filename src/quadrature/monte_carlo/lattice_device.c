/* Sends shares of lattices to a device, many at a time; 48 bytes for each share are copied back.  The values themselves
 * remain on the device, where the bins are summed after the last share. */
#include <math.h>
#include <string.h>
#include "../../opencl/headers.h"
#ifdef STABLECL_OPENCL
#include "lattice_device.h"
#include "box_device.h"

/* Points of a kernel launch, on GPUs and on CPU devices. */
#define POINTS     ((size_t)1 << 27)
#define POINTS_CPU ((size_t)1 << 18)

static struct device_lattice job_of(const struct lattice_job *j)
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

static size_t bins_of(const struct lattice_job *j)
{
    return j->histogram ? (size_t)j->box.dim * MAP_BINS : 0;
}

/* Computes some shares; with the last of them, also the bins. */
static int run_some(const struct box_parts *p, size_t first, size_t shares, struct status *st)
{
    const struct lattice_job *j = p->order;
    struct device_lattice *d = p->job;
    size_t bins = first + shares == j->box.shares ? bins_of(j) : 0;
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
    size_t doubles = bins_of(j) + (j->histogram ? j->part[0].points : 0);
    size_t in = (size_t)(j->parts * j->shifts) * AXES_MOST * sizeof *j->shift;
    struct device_lattice job = job_of(j);
    struct box_parts parts = {
        s, g, NULL, j, &job, j->box.shares, 0, run_some
    };
    size_t out = j->box.shares * sizeof *j->share + doubles * sizeof(double);

    if (box_begin(s, g, &j->box, j->shift, in, out, &parts.integrand, st)) return st->code;
    parts.most = box_most(g, parts.integrand, g->device->is_cpu ? POINTS_CPU : POINTS, ldexp(1.0, j->share_bits));
    return box_slice(&parts, slice, st);
}

#endif
