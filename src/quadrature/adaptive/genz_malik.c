/* Cubature on the CPU by the rule of Genz and Malik (quadrature/adaptive/genz_malik.h), as a rule of refinement.c, in 2
 * to GENZ_MALIK_AXES dimensions. */
#include <string.h>
#include "../../base/memory.h"
#include "../../base/parallel.h"
#include "../box_jobs.h"
#include "box.h"
#include "genz_malik.h"
#include "../integrals.h"

#define PACK_SECONDS 2e-8               /* for a box of a device's job, on one thread */

/* Stores the coordinates of the points in the box (-1, 1)^d, a column for each axis. */
static void set_nodes(double *node, int d)
{
    int points = GENZ_MALIK_POINTS(d);
    for (int q = 0; q < points; q++) {
        struct genz_malik_shift s = genz_malik_shift(d, q);
        for (int k = 0; k < d; k++) node[k * points + q] = genz_malik_offset(&s, k);
    }
}

/* Stores centre + node[q] half_width for all points, in vectors and then one by one. */
WIDE void set_column(const double *node, int points, double centre, double half_width, double *to)
{
    int q = 0;
    for (; q + LANES <= points; q += LANES) {
        double x[LANES];
        for (int k = 0; k < LANES; k++) x[k] = centre + node[q + k] * half_width;
        memcpy(to + q, x, sizeof x);
    }
    for (; q < points; q++) to[q] = centre + node[q] * half_width;
}

static void set_points(const struct subdivision *rule, void *const *subregion, int count, double *const *x)
{
    const struct box *b = *subregion;
    (void)count;
    for (int k = 0; k < b->dim; k++)
        set_column(rule->node + k * rule->points, rule->points, b->at[k], b->at[b->dim + k], x[k]);
}

static struct genz_malik_sums sums_of(const double *f, int d)
{
    struct genz_malik_weights weights = genz_malik_weights(d);
    struct genz_malik_sums sums = { 0.0, 0.0, 0.0, 0 };
    for (int kind = 0; kind < GENZ_MALIK_KINDS; kind++) {
        double sum = 0.0, size = 0.0;
        if (kind == GENZ_MALIK_FACE) continue;
        for (int q = genz_malik_first(d, kind), end = genz_malik_first(d, kind + 1); q < end; q++) {
            if (!isfinite(f[q])) continue;
            sums.finite++;
            sum += f[q];
            size += fabs(f[q]);
        }
        genz_malik_add_kind(&sums, &weights, kind, sum, size);
    }
    return sums;
}

static void set_result(struct box *b, const struct genz_malik_result *found)
{
    b->axis = found->axis;
    subregion_set(&b->subregion, found->sums, 0.0, genz_malik_is_narrow(b->at[b->axis], b->at[b->dim + b->axis]));
    b->subregion.width_class = (signed char)genz_malik_width_class(b->dim, b->depth);
}

static void sum(void *const *subregion, int count, const double *f)
{
    struct box *b = *subregion;
    (void)count;
    struct genz_malik_sums sums = sums_of(f, b->dim);
    struct genz_malik_result found = genz_malik_result(&sums, b->dim, f, b->at + b->dim, b->subregion.sibling != 0);
    set_result(b, &found);
}

static size_t begin(const struct integral_job *j, size_t i, int first_intervals, void *regions)
{
    for (int p = 0; p < first_intervals; p++) {
        struct box *b = box_at(regions, j->dim, (size_t)p);
        memset(b, 0, sizeof *b);
        b->subregion.integral = i;
        b->subregion.is_new = 1;
        b->dim = j->dim;
        for (int boxes = first_intervals; boxes > 1; boxes /= 2) b->depth++;
        for (int k = 0; k < j->dim; k++) {
            double low, high;
            range_of(j, i, k, &low, &high);
            genz_malik_box(p, first_intervals, j->dim, k, &low, &high);
            b->at[k] = 0.5 * low + 0.5 * high;
            b->at[j->dim + k] = 0.5 * high - 0.5 * low;
        }
    }
    return (size_t)first_intervals;
}

static size_t initial_capacity(const struct integral_job *j, int first_intervals)
{
    (void)j;
    return (size_t)first_intervals;
}

static void halve(const void *subregion, void *left, void *right)
{
    const struct box *b = subregion;
    struct box *l = left, *r = right;
    int centre = b->axis, half_width = b->dim + b->axis;
    memcpy(left, subregion, box_bytes(b->dim));
    memcpy(right, subregion, box_bytes(b->dim));
    l->at[half_width] = r->at[half_width] = 0.5 * b->at[half_width];
    l->at[centre] -= l->at[half_width];
    r->at[centre] += r->at[half_width];
    l->depth++;
    r->depth++;
    l->compared = r->compared = 0;
}

static void copy_split(void *subregion, const void *leader)
{
    struct box *b = subregion;
    const struct box *l = leader;
    b->axis = l->axis;
}

/* The boxes of a job: their coordinates for the device, and its results. */
struct packed { int dim; void *subregions; const size_t *new; double *coordinates; struct genz_malik_result *found; };

static void pack(void *context, int thread, size_t from, size_t to)
{
    const struct packed *p = context;
    size_t each = 2 * (size_t)p->dim;
    (void)thread;
    for (size_t v = from; v < to; v++)
        memcpy(p->coordinates + each * v, box_at(p->subregions, p->dim, p->new[v])->at, each * sizeof(double));
}

static void unpack(void *context, int thread, size_t from, size_t to)
{
    const struct packed *p = context;
    (void)thread;
    for (size_t v = from; v < to; v++) set_result(box_at(p->subregions, p->dim, p->new[v]), &p->found[v]);
}

/* Evaluates new boxes on a device.  If memory for the job is short, the threads evaluate them instead, which need
 * none. */
static int on_device(struct box_device *device, const struct box_job *box, void *subregions, const size_t *new,
                     size_t count, double points)
{
    size_t each = 2 * (size_t)box->dim;
    double *coordinates = memory_allocate(each * count * sizeof *coordinates);
    struct genz_malik_result *found = memory_allocate(count * sizeof *found);
    struct subregions_job job = { .box = *box, .coordinates = coordinates, .found = found };
    struct packed p = { box->dim, subregions, new, coordinates, found };
    int done = 0, threads = threads_for_repeated((double)count * PACK_SECONDS);

    job.box.use = FOR_SUBREGIONS;
    job.box.shares = count;
    job.is_half = box_at(subregions, box->dim, new[0])->subregion.sibling != 0;
    if (coordinates && found) {
        parallel_for(count, 0, threads, pack, &p, NULL);
        done = device->run(device, &job.box, points);
        if (done > 0) parallel_for(count, 0, threads, unpack, &p, NULL);
    }
    memory_release(coordinates);
    memory_release(found);
    return done;
}

int integrate_cubature(const struct integral_job *job, const struct sampler *sampler, poll_function poll,
                       struct status *st)
{
    int points = GENZ_MALIK_POINTS(job->dim), code;
    double *node = memory_allocate((size_t)job->dim * (size_t)points * sizeof *node);
    const struct subdivision rule = {
        .bytes = box_bytes(job->dim), .first_points = points, .points = points, .first_intervals = 1,
        .first_intervals_zero = genz_malik_boxes_zero(job->dim), .together = 1, .two_level = 1,
        .min_share = GENZ_MALIK_MIN_SHARE, .rest_share = GENZ_MALIK_REST, .node = node, .begin = begin,
        .initial_capacity = initial_capacity, .set_points = set_points, .sum = sum, .halve = halve,
        .copy_split = copy_split, .on_device = on_device, .raise_errors = boxes_raise_errors
    };
    if (!node) return fail(st, ST_MEMORY, "no memory for the %d points of a rule in %d dimensions", points, job->dim);
    set_nodes(node, job->dim);
    code = integrate_adaptive(job, &rule, sampler, poll, st);
    memory_release(node);
    return code;
}
