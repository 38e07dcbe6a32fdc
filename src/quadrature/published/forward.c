#include "forward.h"
#include "../../base/memory.h"

static void place(const void *walker, double *const *x)
{
    const struct forward *w = walker;
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

static void step(void *walker, const double *f)
{
    struct forward *w = walker;
    if (forward_step(&w->walk, *f, w->walker.evaluations) && w->keep) record(w);
    w->walker.arrived = w->failed || w->walk.status != INTEGRAL_NOT_DONE;
}

const struct walking forward_walking = { sizeof(struct forward), 1, place, step };
