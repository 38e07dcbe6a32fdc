/* Runs line searches on a device, all in one launch unless that takes too long. */
#include <string.h>
#include "../../opencl/headers.h"
#ifdef STABLECL_OPENCL
#include "line_search_device.h"
#include "box_device.h"

static int run_some(const struct box_parts *p, size_t first, size_t shares, struct status *st)
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
    struct box_parts parts = { s, g, NULL, j, &job, j->box.shares, 0, run_some };
    size_t in = j->box.shares * ((size_t)j->box.dim + 1), out = j->box.shares * LINE_SEARCH_DOUBLES((size_t)j->box.dim);

    if (box_begin(s, g, &j->box, j->from, in * sizeof(double), out * sizeof(double), &parts.integrand, st))
        return st->code;
    size_t points = (size_t)j->box.dim * LINE_POINTS;
    parts.most = box_most(g, parts.integrand, j->box.shares * points, (double)points);
    return box_slice(&parts, slice, st);
}

#endif
