/* Sends shares of subcubes to a device, many at a time.  4 bytes for each stratum are copied to the device and back,
 * and 24 bytes for each share are copied back. */
#include <math.h>
#include <string.h>
#include "../../opencl/headers.h"
#ifdef STABLECL_OPENCL
#include "strata_device.h"
#include "box_device.h"

/* Approximate number of subcubes of a kernel launch, on GPUs and on CPU devices, and the points of a subcube. */
#define SUBCUBE_POINTS 4
#define SUBCUBES     ((size_t)1 << 25)
#define SUBCUBES_CPU ((size_t)1 << 16)

static struct device_strata job_of(const struct strata_job *j)
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
    for (int k = 0; k < j->box.dim; k++) {
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

static int run_some(const struct box_parts *p, size_t first, size_t shares, struct status *st)
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
    struct device_strata job = job_of(j);
    struct box_parts parts = {
        s, g, NULL, j, &job, j->box.shares, 0, run_some
    };
    double share = SUBCUBE_POINTS * ldexp(1.0, j->share_bits);

    if (box_begin(s, g, &j->box, j->order, j->strata * sizeof *j->order, out, &parts.integrand, st)) return st->code;
    parts.most = box_most(g, parts.integrand, SUBCUBE_POINTS * (g->device->is_cpu ? SUBCUBES_CPU : SUBCUBES), share);
    return box_slice(&parts, slice, st);
}

#endif
