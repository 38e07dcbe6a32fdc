/* backend/opencl/product.c: shares of products of rules go to a device many at a time, and 16 bytes for each come
 * back. */
#include <string.h>
#include "headers.h"
#ifdef STABLECL_OPENCL
#include "product.h"
#include "box.h"

/* Shares of a kernel's run. */
#define SHARES     ((size_t)1 << 15)
#define SHARES_CPU ((size_t)1 << 6)

static struct device_product job_of(const struct product_job *j)
{
    struct device_product d;
    memset(&d, 0, sizeof d);
    d.box = box_of(&j->box);
    d.points_high = (uint32)((uint64)j->points >> 32);
    d.points_low = (uint32)j->points;
    for (int k = 0; k < j->box.dim; k++) d.nodes[k] = j->nodes[k];
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
    if (box_start(p->integrals, p->gpu, p->integrand->kernel[PRODUCT_SUMS], d, sizeof *d, shares, BOX_LANES, st) ||
        !(out = box_read(p->integrals, p->gpu, first * sizeof *j->share, size, st)))
        return st->code;
    memcpy(j->share + first, out, size);
    return ST_OK;
}

int product_run(struct integrals *s, struct gpu *g, const struct product_job *j, struct slice *slice, struct status *st)
{
    struct device_product job = job_of(j);
    struct box_parts parts = { s, g, NULL, j, &job, j->box.shares, g->device->is_cpu ? SHARES_CPU : SHARES, run_some };

    if (box_begin(s, g, &j->box, j->rule, (size_t)j->box.dim * sizeof *j->rule, j->box.shares * sizeof *j->share,
                  &parts.integrand, st))
        return st->code;
    return box_slice(&parts, slice, st);
}

#endif
