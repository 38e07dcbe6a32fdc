/* The points of a sparse product (sparse.c), and values of the integrand there. */
#include <string.h>
#include "../box_jobs.h"
#include "../../base/memory.h"
#include "sparse.h"

#define PART 4096                       /* points whose coordinates a thread computes at a time */

/* Returns the node along an axis with this number among the new ones of a level. */
static double node_of(const struct sparse *s, int axis, int level, size_t number)
{
    const double *end = s->lines->end[axis] + (number >> level);
    size_t first = ((size_t)1 << level) - 1;
    return end[0] + (end[1] - end[0]) * patterson_node[first + (number & first)];
}

/* Returns the term of this round that contains point number `point`. */
static const struct term *term_at(const struct sparse *s, size_t point)
{
    int low = s->fresh, high = s->terms - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (s->term[middle].at - s->from <= point) low = middle;
        else high = middle - 1;
    }
    return &s->term[low];
}

/* Stores the coordinates along an axis of points first, ..., first + count - 1 of a term, where `stride` successive
 * points have the same node. */
static void set_axis(const struct sparse *s, const struct term *t, int axis, size_t stride, size_t first, size_t count,
                     double *y)
{
    size_t nodes = nodes_of(s, axis, t->level[axis]), number = first / stride % nodes, left = stride - first % stride;
    for (size_t q = 0; q < count; number = (number + 1) % nodes, left = stride) {
        double at = node_of(s, axis, t->level[axis], number);
        size_t end = left < count - q ? q + left : count;
        for (; q < end; q++) y[q] = at;
    }
}

/* Stores the coordinates in the unit cube of points first, ..., first + count - 1 of this round. */
static void set_points(const struct sparse *s, size_t first, size_t count, double *const *y)
{
    const struct term *t = term_at(s, first);
    for (size_t q = 0, some; q < count; q += some, t++) {
        size_t number = s->from + first + q - t->at, stride = 1, left = points_of(s, t) - number;
        some = left < count - q ? left : count - q;
        for (int k = s->c->dim - 1; k >= 0; k--) {
            set_axis(s, t, k, stride, number, some, y[k] + q);
            stride *= nodes_of(s, k, t->level[k]);
        }
    }
}

/* Evaluates shares of the points of this round, each of which fills a workspace. */
static void run_points(void *context, int thread, size_t from, size_t to)
{
    const struct sparse *s = context;
    int number = s->c->thread + thread;
    struct workspace *w = &s->c->workspace[number];
    size_t share = (size_t)w->capacity;
    for (size_t k = from; k < to; k++) {
        size_t q = k * share, count = s->fresh_points - q < share ? s->fresh_points - q : share;
        set_points(s, q, count, w->y);
        if (!points_values(s->c, number, w, (int)count)) return;
        memcpy(s->value + s->from + q, w->value, count * sizeof *w->value);
    }
}

/* The coordinates of this round's points for a device, axis by axis. */
struct coordinates { const struct sparse *s; double *x; };

/* Stores parts of the coordinates, in those of the integrand. */
static void run_coordinates(void *context, int thread, size_t from, size_t to)
{
    const struct coordinates *d = context;
    const struct monte_carlo *c = d->s->c;
    size_t points = d->s->fresh_points;
    (void)thread;
    for (size_t part = from; part < to; part++) {
        size_t first = part * PART, count = points - first < PART ? points - first : PART;
        double *y[PRODUCT_AXES];
        for (int k = 0; k < c->dim; k++) y[k] = d->x + (size_t)k * points + first;
        set_points(d->s, first, count, y);
        for (int k = 0; k < c->dim; k++)
            for (size_t q = 0; q < count; q++) y[k][q] = c->low[k] + c->width[k] * y[k][q];
    }
}

/* Evaluates the points of this round on a device.  Returns 0 if threads are to evaluate them or the computation must
 * stop. */
static int values_on_device(struct sparse *s)
{
    size_t count = s->fresh_points;
    struct monte_carlo *c = s->c;
    double parameter[BOX_INPUTS];
    struct coordinates d = { s, NULL };
    struct points_job job = { .box = { .use = FOR_POINTS, .shares = count }, .components = 1 };

    if (!mc_box(c, &job.box, parameter) || !(d.x = memory_allocate((size_t)c->dim * count * sizeof *d.x))) return 0;
    mc_for(c, (count + PART - 1) / PART, (double)count, run_coordinates, &d);
    job.box.low = NULL;                 /* the coordinates are not those of the unit cube */
    job.coordinates = d.x;
    job.value = s->value + s->from;
    int done = !is_stop_requested(c->stop) && mc_on_device(c, &job.box, (double)count);
    for (size_t q = 0; done && q < count; q++) mc_check_finite(c, job.value[q]);
    memory_release(d.x);
    return done;
}

void sparse_values(struct sparse *s)
{
    struct monte_carlo *c = s->c;
    size_t capacity = (size_t)c->workspace[c->thread].capacity, shares = (s->fresh_points + capacity - 1) / capacity;
    if (!values_on_device(s) && !stop_is_set(c->stop)) mc_for(c, shares, (double)s->fresh_points, run_points, s);
}
