/* Line searches for peaks in a box (quadrature/monte_carlo/importance_map.h; quadrature/monte_carlo/peaks.c).  A work
 * group runs one search; its work items evaluate neighbouring points of a line. */
#include "unit_cube_kernel.h"

struct highest { double value; int number, unused; };

static struct highest higher(struct highest a, struct highest b)
{
    return b.value > a.value || (b.value == a.value && b.number < a.number) ? b : a;
}

/* Computes |f| along an axis through a point.  Returns the largest value at the points of this work item, and the first
 * of these points at which it occurs. */
static struct highest search_line(const struct device_line_search *job, const double *at, int axis,
                                  __global double *line,
                                  __global const double *column, POOL pool, TABLES table)
{
    struct highest best = { -1.0, 0, 0 };
    double y[AXES];
    for (int j = (int) get_local_id(0); j < LINE_POINTS; j += BOX_ITEMS) {
        double weight = 1.0;
        for (int k = 0; k < AXES; k++) y[k] = k == axis ? line_search_place(j) : at[k];
        double size = fabs(value_at(&job->box, y, &weight, column, pool, table));
        struct highest now = { size, j, 0 };
        line[j] = size;
        best = higher(best, now);
    }
    return best;
}

__kernel __attribute__((reqd_work_group_size(BOX_ITEMS, 1, 1))) void line_search_box(
    const struct device_line_search job, __global const double *column, POOL pool, TABLES table, __global double *out)
{
    int number = job.first + (int) get_group_id(0);
    __global const double *from = column + job.box.doubles + number * (AXES + 1);
    __global double *to = out + number * LINE_SEARCH_DOUBLES(AXES);
    __local struct highest partial[BOX_ITEMS];
    double at[AXES], height = from[AXES];

    for (int k = 0; k < AXES; k++) at[k] = from[k];
#pragma unroll 1
    for (int axis = 0; axis < AXES; axis++) {
        struct highest best = search_line(&job, at, axis, to + AXES + 1 + axis * LINE_POINTS, column, pool, table);
        REDUCE_GROUP(best, BOX_ITEMS, partial, higher);
        int moves = best.value > height;
        height = moves ? best.value : height;
        for (int k = 0; k < AXES; k++) at[k] = moves && k == axis ? line_search_place(best.number) : at[k];
    }
    if (get_local_id(0) > 0) return;
    for (int k = 0; k < AXES; k++) to[k] = at[k];
    to[AXES] = height;
}
