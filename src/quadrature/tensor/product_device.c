/* Computes many shares of products of rules at a time on a device; each returns 16 bytes. */
#include <math.h>
#include <string.h>
#include "../../opencl/headers.h"
#ifdef STABLECL_OPENCL
#include "product_device.h"
#include "../monte_carlo/box_device.h"

/* Points of one kernel launch. */
#define POINTS     ((size_t)1 << 27)
#define POINTS_CPU ((size_t)1 << 18)

static struct device_product job_of(const struct product_job *j)
{
    struct device_product d;
    memset(&d, 0, sizeof d);
    d.box = box_of(&j->box);
    d.share_bits = j->share_bits;
    d.parts = j->parts;
    memcpy(d.part, j->part, sizeof d.part);
    return d;
}

static int run_some(const struct box_parts *p, size_t first, size_t shares, struct status *st)
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
    struct device_product job = job_of(j);
    struct box_parts parts = {
        s, g, NULL, j, &job, j->box.shares, 0, run_some
    };
    size_t rules = (size_t)(j->parts * j->box.dim) * sizeof *j->rule;

    if (box_begin(s, g, &j->box, j->rule, rules, j->box.shares * sizeof *j->share, &parts.integrand, st))
        return st->code;
    parts.most = box_most(g, parts.integrand, g->device->is_cpu ? POINTS_CPU : POINTS, ldexp(1.0, j->share_bits));
    return box_slice(&parts, slice, st);
}

#endif
