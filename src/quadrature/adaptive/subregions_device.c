/* Applies the rule of Genz and Malik to many subregions of a box at a time on a device.  Each subregion takes 16 bytes
 * for every axis to the device and 32 bytes back. */
#include <string.h>
#include "../../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "subregions_device.h"
#include "../box_device.h"

/* Points of one kernel launch. */
#define POINTS     ((size_t)1 << 27)
#define POINTS_CPU ((size_t)1 << 18)

static int run_some(const struct box_parts *p, size_t first, size_t subregions, struct status *st)
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
    struct box_parts parts = { s, g, NULL, j, &job, j->box.shares, 0, run_some };

    if (box_begin(s, g, &j->box, j->place, 2 * axes * j->box.shares * sizeof *j->place,
                  j->box.shares * sizeof *j->found, &parts.integrand, st))
        return st->code;
    parts.most = box_most(g, parts.integrand, g->device->is_cpu ? POINTS_CPU : POINTS, (double)points);
    return box_slice(&parts, slice, st);
}

#endif
