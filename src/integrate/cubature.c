/* integrate/cubature.c: boxes in 2 to GENZ_MALIK_AXES dimensions by the rule of Genz and Malik (core/genz_malik.h). */
#include <stdlib.h>
#include <string.h>
#include "../core/genz_malik.h"
#include "limits.h"
#include "piece.h"

struct box {
    struct piece piece;
    int dim, axis;                      /* axis: along which it is halved */
    double centre[GENZ_MALIK_AXES], half[GENZ_MALIK_AXES];
};

/* Coordinates of the points in the box (-1, 1)^d, a column for each axis. */
static void set_nodes(double *node, int d)
{
    int points = GENZ_MALIK_POINTS(d);
    for (int q = 0; q < points; q++) {
        struct genz_malik_shift s = genz_malik_shift(d, q);
        for (int k = 0; k < d; k++) node[k * points + q] = genz_malik_along(&s, k);
    }
}

static void place(const struct cutting *cut, const void *piece, double *const *x)
{
    const struct box *b = piece;
    for (int k = 0; k < b->dim; k++) {
        const double *node = cut->node + k * cut->points;
        double *restrict to = x[k];
        for (int q = 0; q < cut->points; q++) to[q] = b->centre[k] + node[q] * b->half[k];
    }
}

static struct genz_malik_sums sums_of(const double *f, int d)
{
    struct genz_malik_weights weights = genz_malik_weights(d);
    struct genz_malik_sums sums = { 0.0, 0.0, 0.0, 0 };
    for (int kind = 0; kind < GENZ_MALIK_KINDS; kind++) {
        double sum = 0.0, size = 0.0;
        for (int q = genz_malik_first(d, kind), end = genz_malik_first(d, kind + 1); q < end; q++) {
            if (!isfinite(f[q])) continue;
            sums.finite++;
            sum += f[q];
            size += fabs(f[q]);
        }
        genz_malik_take(&sums, &weights, kind, sum, size);
    }
    return sums;
}

static void sum(void *piece, const double *f)
{
    struct box *b = piece;
    struct genz_malik_sums sums = sums_of(f, b->dim);
    piece_set(&b->piece, genz_malik_rule(&sums, b->dim, b->half, b->piece.mate != 0));
    b->axis = genz_malik_axis(b->dim, f, b->half);
}

static size_t begin(const struct integral_job *j, size_t i, int panels, void *room)
{
    struct box b;
    memset(&b, 0, sizeof b);
    (void)panels;
    b.piece.integral = i;
    b.piece.is_new = 1;
    b.dim = j->dim;
    for (int k = 0; k < j->dim; k++) {
        double low, high;
        range_of(j, i, k, &low, &high);
        b.centre[k] = 0.5 * low + 0.5 * high;
        b.half[k] = 0.5 * high - 0.5 * low;
    }
    *(struct box *)room = b;
    return 1;
}

static size_t most(const struct integral_job *j, int panels)
{
    (void)j;
    (void)panels;
    return 1;
}

static void halve(const void *piece, void *left, void *right)
{
    const struct box *b = piece;
    struct box *l = left, *r = right;
    int k = b->axis;
    *l = *r = *b;
    l->half[k] = r->half[k] = 0.5 * b->half[k];
    l->centre[k] -= l->half[k];
    r->centre[k] += r->half[k];
}

static int is_stuck(const void *piece)
{
    const struct box *b = piece;
    return genz_malik_is_narrow(b->centre[b->axis], b->half[b->axis]);
}

/* No memory for the job is no failure: threads need none. */
static int on_device(struct box_device *device, const struct box_job *box, void *pieces, const size_t *new,
                     size_t count, double points)
{
    struct box *all = pieces;
    size_t axes = (size_t)box->dim;
    double *place = malloc(2 * axes * count * sizeof *place);
    struct genz_malik_found *found = malloc(count * sizeof *found);
    struct pieces_job job = { .box = *box, .is_half = all[new[0]].piece.mate != 0, .place = place, .found = found };
    int done = 0;

    job.box.kind = BOX_PIECES;
    job.box.shares = count;
    for (size_t v = 0; place && v < count; v++) {
        const struct box *b = &all[new[v]];
        memcpy(place + 2 * axes * v, b->centre, axes * sizeof *place);
        memcpy(place + 2 * axes * v + axes, b->half, axes * sizeof *place);
    }
    if (place && found) done = device->run(device, &job.box, points);
    for (size_t v = 0; done > 0 && v < count; v++) {
        piece_set(&all[new[v]].piece, found[v].sums);
        all[new[v]].axis = found[v].axis;
    }
    free(place);
    free(found);
    return done;
}

int integrate_cubature(const struct integral_job *job, const struct sampler *sampler, poll_function poll,
                       struct status *st)
{
    double node[GENZ_MALIK_AXES * GENZ_MALIK_POINTS(GENZ_MALIK_AXES)];
    int points = GENZ_MALIK_POINTS(job->dim);
    const struct cutting cut = {
        .bytes = sizeof(struct box), .first_points = points, .points = points, .panels = 1, .two_level = 1,
        .node = node, .begin = begin, .most = most, .place = place, .sum = sum, .halve = halve, .is_stuck = is_stuck,
        .on_device = on_device
    };
    set_nodes(node, job->dim);
    return integrate_adaptive(job, &cut, sampler, poll, st);
}
