/* Forward quadrature as a stepper (quadrature/steppers.h). */
#include "forward.h"
#include "../../base/memory.h"

static void place(const void *stepper, double *const *x)
{
    const struct forward *w = stepper;
    for (int k = 0; k < w->dim; k++) *x[k] = w->x[k];
    *x[w->axis] = part_x(w->walk.part, w->walk.t);
}

static void record(struct forward *w)
{
    if (w->count == w->room) {
        size_t room = 2 * w->room + 16;
        double *larger = memory_resize(w->point, room * sizeof *larger);
        if (!larger) {
            w->failed = 1;
            return;
        }
        w->point = larger;
        w->room = room;
    }
    w->point[w->count++] = w->walk.p;
}

static void step(void *stepper, const double *f)
{
    struct forward *w = stepper;
    if (forward_step(&w->walk, *f, w->stepper.evaluations) && w->keep) record(w);
    w->stepper.arrived = w->failed || w->walk.status != INTEGRAL_NOT_DONE;
}

const struct stepping forward_stepping = { sizeof(struct forward), 1, place, step };
