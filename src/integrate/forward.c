#include <float.h>
#include <stdlib.h>
#include "forward.h"

#define FINER  64.0
#define SLIVER 1e-6                     /* of a step: a remainder that comes from rounding has no slope */

void forward_begin(struct forward *w)
{
    w->stage = FORWARD_START;
    w->p = w->t = w->part.low;
    w->h = fmin(w->h_min, w->part.high - w->part.low);
    w->is_lost = w->part.side != 0;
    w->count = 0;
}

static void place(const void *walker, double *const *x)
{
    const struct forward *w = walker;
    for (int k = 0; k < w->dim; k++) *x[k] = w->x[k];
    *x[w->axis] = part_x(w->part, w->t);
}

static void arrive(struct forward *w, enum integral_status status)
{
    w->status = status;
    w->value = w->trace.value;
    w->bound = trapezoid_bound(&w->trace);
    w->error = fmax(fmax(w->trace.error, w->bound), 50.0 * DBL_EPSILON * w->trace.size);
    if (status != INTEGRAL_CONVERGED) w->error = INFINITY;
    w->walker.arrived = 1;
}

static void record(struct forward *w)
{
    if (!w->keep) return;
    if (w->count == w->room) {
        size_t room = 2 * w->room + 16;
        double *larger = realloc(w->point, room * sizeof *larger);
        if (!larger) {
            w->failed = 1;
            arrive(w, INTEGRAL_NOT_DONE);
            return;
        }
        w->point = larger;
        w->room = room;
    }
    w->point[w->count++] = w->p;
}

/* The value times dx/dt at a point; 0 and `spoilt` set if it is not finite where it counts. */
static double weighed(struct forward *w, double f, int *spoilt)
{
    double g = w->part.side == 0 ? f : f / (w->t * w->t);
    if (isfinite(g)) {
        *spoilt = w->is_lost > 1 && g != 0.0;
        w->is_lost = 0;
        return g;
    }
    *spoilt = !w->is_lost;
    if (w->is_lost) w->is_lost = 2;
    return 0.0;
}

static void start(struct forward *w, double f)
{
    w->f = w->part.side == 0 ? f : f / (w->t * w->t);
    w->t = w->p + 0.1 * w->h;
    w->stage = FORWARD_PROBE;
}

static void go_on(struct forward *w)
{
    if (w->p + (1.0 + SLIVER) * w->h >= w->part.high) w->h = w->part.high - w->p;
    w->t = w->h < w->part.high - w->p ? w->p + w->h : w->part.high;
    w->stage = FORWARD_WALK;
    if (!(w->t > w->p)) arrive(w, INTEGRAL_STUCK);
    else if (w->walker.evaluations >= w->most) arrive(w, INTEGRAL_MAX_EVAL);
}

static void probe(struct forward *w, double f)
{
    int spoilt, at_infinity = w->part.side != 0 && w->p == 0.0;
    double g = weighed(w, f, &spoilt);
    if (spoilt) {
        arrive(w, INTEGRAL_NOT_FINITE);
        return;
    }
    if (!isfinite(w->f) || at_infinity) w->f = g;
    w->hill = (g - w->f) / (0.1 * w->h);
    w->trace = trapezoid_begin(w->p, w->f, w->hill, 0.1 * w->h);
    record(w);
    if (!w->walker.arrived) go_on(w);
}

/* The walk is over. */
static void end(struct forward *w)
{
    trapezoid_end(&w->trace);
    if (w->trace.size > 0.0 || w->is_again || w->keep) {
        arrive(w, w->is_lost > 1 ? INTEGRAL_NOT_FINITE : INTEGRAL_CONVERGED);
        return;
    }
    w->is_again = 1;
    w->h_min /= FINER;
    w->h_max /= FINER;
    forward_begin(w);
}

static void next(struct forward *w, double f)
{
    int spoilt = 0, at_end = w->t >= w->part.high;
    double g = at_end && !isfinite(f) ? w->f : weighed(w, f, &spoilt);
    if (spoilt) {
        arrive(w, INTEGRAL_NOT_FINITE);
        return;
    }
    double hill = fabs(g - w->f) / w->h, turn = fabs(hill - w->hill);
    double d = turn > 0.0 ? fmax(turn / hill, turn) : 0.0;
    trapezoid_to(&w->trace, w->t, g, w->h_min, w->h_max);
    w->p = w->t;
    w->f = g;
    w->hill = hill;
    w->h = w->h_min + exp(-d) * (w->h_max - w->h_min);
    record(w);
    if (w->walker.arrived) return;
    if (at_end) end(w);
    else go_on(w);
}

static void step(void *walker, const double *f)
{
    struct forward *w = walker;
    if (w->stage == FORWARD_START) start(w, *f);
    else if (w->stage == FORWARD_PROBE) probe(w, *f);
    else next(w, *f);
}

const struct walking forward_walking = { sizeof(struct forward), 1, place, step };
