/* The rule of Genz and Malik (quadrature/adaptive/genz_malik.h) by a group of work items.
 *
 * A group evaluates several boxes together, enough to occupy its work items with their points.  Then an equal number of
 * work items adds up the values of each box.
 */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_GENZ_MALIK_KERNEL_H
#define STABLECL_QUADRATURE_ADAPTIVE_GENZ_MALIK_KERNEL_H

#include "genz_malik.h"
#include "../integrand_kernel.h"
#include "region_sums_kernel.h"

#define POINTS     GENZ_MALIK_POINTS(AXES)
#define TOGETHER   BOXES_TOGETHER(AXES)
#define ITEMS_PER_BOX (REFINE_ITEMS / TOGETHER)

/* As struct box (box.h); half_width: half the width along each axis. */
struct shape {
    double centre[AXES], half_width[AXES];
    int axis, depth, is_compared, unused;
};

/* Stores the coordinates of point k in x. */
static void set_point(const struct shape *s, int is_half, int k, double *x)
{
    struct genz_malik_shift shift = genz_malik_shift(AXES, k);
    (void) is_half;
    for (int axis = 0; axis < AXES; axis++)
        x[axis] = s->centre[axis] + genz_malik_offset(&shift, axis) * s->half_width[axis];
}

/* Returns sums over every ITEMS_PER_BOX-th point of a box, from number `item` on.  value: degree 7, error: degree 5,
 * count: number of finite values. */
static struct region_sums partial_sums(__local const double *f, int item)
{
    struct genz_malik_weights weights = genz_malik_weights(AXES);
    struct genz_malik_sums s = { 0.0, 0.0, 0.0, 0 };
    for (int q = item; q < POINTS; q += ITEMS_PER_BOX) {
        int kind = genz_malik_kind(AXES, q);
        if (kind == GENZ_MALIK_FACE || !isfinite(f[q])) continue;
        genz_malik_add_kind(&s, &weights, kind, f[q], fabs(f[q]));
        s.finite++;
    }
    struct region_sums t = { .value = s.seven, .error = s.five, .size = s.size, .count = s.finite };
    return t;
}

/* Returns the number of the box, of `count`, to which this work item belongs.  *is_first: TRUE for the work item that
 * stores the result. */
static int box_of_item(int count, int *is_first)
{
    int item = (int) get_local_id(0), number = item / ITEMS_PER_BOX;
    *is_first = item % ITEMS_PER_BOX == 0 && number < count;
    return number;
}

/* Returns the sums of the box of this work item; f: the values of all boxes. */
static struct region_sums box_sums(__local const double *f, int count, __local struct region_sums *partial)
{
    int item = (int) get_local_id(0), number = item / ITEMS_PER_BOX;
    struct region_sums sum = region_sums_empty();
    if (number < count) sum = partial_sums(f + number * POINTS, item % ITEMS_PER_BOX);
    return region_sums_all(sum, ITEMS_PER_BOX, partial);
}

/* Returns the result for a box with the sums and the values f. */
static struct genz_malik_result box_result(const struct region_sums *sum, const struct shape *s,
                                           __local const double *f, int is_half)
{
    struct genz_malik_sums sums = { sum->value, sum->error, sum->size, sum->count };
    double along[GENZ_MALIK_ALONG(AXES)];
    for (int q = 0; q < GENZ_MALIK_ALONG(AXES); q++) along[q] = f[q];
    return genz_malik_result(&sums, AXES, along, s->half_width, is_half);
}

#endif
