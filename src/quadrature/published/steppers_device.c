/* Advances steppers (quadrature/published/drivers.h) on devices, many at a time.  Each stepper is copied to the device
 * and back, and the points that it records are copied back. */
#include <math.h>
#include "../../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "../integrals_device.h"
#include "stepper.h"

#define ADVANCES_MIN   8                  /* a launch has fewer steppers if it could not advance each as often */
#define ADVANCES_MAX   0x1p20

/* Returns how often a launch may advance each of these steppers. */
static int rounds_of(const struct box_launch *p, const struct steppers_job *j, size_t steppers)
{
    double points = (double)steppers * j->points;
    return (int)fmax(1.0, fmin(integrand_evaluations(p->gpu, p->integrand, points) / points, ADVANCES_MAX));
}

/* Returns the bytes of the output for a stepper. */
static size_t record_size(const struct steppers_job *j)
{
    return j->bytes + (size_t)j->capacity * sizeof *j->record;
}

/* Stores stepper k and its points from the output of a device.  Returns 0 if it cannot be right. */
static int store_record(const struct steppers_job *j, size_t k, const char *from)
{
    struct stepper before, after;
    memcpy(&before, j->stepper + k * j->bytes, sizeof before);
    memcpy(&after, from, sizeof after);
    if (after.integral != before.integral || !(after.evaluations > before.evaluations) ||
        !isfinite(after.evaluations) || after.recorded < 0 || after.recorded > j->capacity)
        return 0;
    memcpy(j->stepper + k * j->bytes, from, j->bytes);
    if (after.recorded)
        memcpy(j->record + k * (size_t)j->capacity, from + j->bytes, (size_t)after.recorded * sizeof *j->record);
    return 1;
}

static int launch_steppers(const struct box_launch *p, size_t first, size_t steppers, struct status *st)
{
    const struct steppers_job *j = (const struct steppers_job *)p->box;
    struct device_steppers *d = p->job;
    size_t each = record_size(j), items = steppers * (size_t)j->items;
    const char *out;

    d->first = (int)first;
    d->end = (int)(first + steppers);
    d->rounds = rounds_of(p, j, steppers);
    if (box_start(p->integrals, p->gpu, p->integrand->kernel[OVER_BOX], d, sizeof *d,
                  (items + BOX_ITEMS - 1) / BOX_ITEMS, BOX_ITEMS, st) ||
        !(out = box_read(p, first * each, steppers * each, st)))
        return st->code;
    for (size_t k = 0; k < steppers; k++)
        if (!store_record(j, first + k, out + k * each))
            return fail(st, ST_DEVICE, "a device returned an invalid stepper");
    return ST_OK;
}

int steppers_run(struct session *session, const struct steppers_job *j, struct slice *slice, struct status *st)
{
    size_t count = j->box.shares, size = count * j->bytes, each = ADVANCES_MIN * (size_t)j->points;
    struct device_steppers job = { .option = j->option, .count = (int)count, .capacity = j->capacity };
    struct box_work work = {
        .box = &j->box, .job = &job, .job_size = sizeof job, .more = j->stepper,
        .more_size = size + count * (size_t)j->parameters * sizeof(double), .out_size = count * record_size(j),
        .points_cpu = (double)(count * each), .share_points = (double)each,
        .run = launch_steppers
    };
    return box_share(session, &work, slice, st);
}

#endif
