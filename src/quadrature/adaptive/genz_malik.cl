/* Cubature by the rule of Genz and Malik, of many integrals: each by a group of work items.  (If there are few
 * integrals, the boxes of one are distributed among groups: subregions.cl.) */
#include "genz_malik_kernel.h"

#define FIRST_POINTS POINTS
#define NEW_POINTS   POINTS
#define FIRST_INTERVALS       1
#define FIRST_INTERVALS_ZERO  genz_malik_boxes_zero(AXES)
#define MIN_SHARE    GENZ_MALIK_MIN_SHARE
#define REST_SHARE   GENZ_MALIK_REST

#include "box_neighbours.h"
#include "refinement_kernel.h"

static int begin(struct subregions p, const struct device_integrals *job, __global const double *column, int i,
                 int first_intervals)
{
    for (int number = (int) get_local_id(0); number < first_intervals &&
         first_intervals <= job->capacity; number += REFINE_ITEMS) {
        p.shape[number].is_compared = p.shape[number].depth = 0;
        for (int boxes = first_intervals; boxes > 1; boxes /= 2) p.shape[number].depth++;
        for (int k = 0; k < AXES; k++) {
            double low, high;
            range_of(job, column, i, k, &low, &high);
            genz_malik_box(number, first_intervals, AXES, k, &low, &high);
            p.shape[number].centre[k] = 0.5 * low + 0.5 * high;
            p.shape[number].half_width[k] = 0.5 * high - 0.5 * low;
        }
    }
    return first_intervals;
}

static void apply_rule(struct subregions p, int first, int count, int is_half, struct workspace b)
{
    int is_first, number = box_of_item(count, &is_first);
    struct region_sums sum = box_sums(b.f, count, b.sums);
    if (!is_first) return;
    int k = p.fresh[first + number];
    struct shape s = p.shape[k];
    struct genz_malik_result found = box_result(&sum, &s, b.f + number * POINTS, is_half);
    subregion_set(p, k, found.sums);
    p.shape[k].axis = found.axis;
}

static void halve_shape(const struct shape *whole, struct shape *left, struct shape *right)
{
    *left = *right = *whole;
    left->is_compared = right->is_compared = 0;
    left->depth = right->depth = whole->depth + 1;
    for (int axis = 0; axis < AXES; axis++) {
        if (axis != whole->axis) continue;
        left->half_width[axis] = right->half_width[axis] = 0.5 * whole->half_width[axis];
        left->centre[axis] -= left->half_width[axis];
        right->centre[axis] += right->half_width[axis];
    }
}

static int is_stuck(const struct shape *s)
{
    int stuck = 0;
    for (int axis = 0; axis < AXES; axis++)
        stuck |= axis == s->axis && genz_malik_is_narrow(s->centre[axis], s->half_width[axis]);
    return stuck;
}

static int width_class(__global const struct shape *s)
{
    return genz_malik_width_class(AXES, s->depth);
}

/* --- neighbours (box_neighbours.c) ---------------------------------------------------- */

#define COMPARED_MAX  16384             /* boxes of which a group compares all pairs */

/* Returns the ratio of the widths of two boxes along the axis along which they touch, if one is much narrower than the
 * other, `wide`, and next to it: separate along that axis only; otherwise 0.  *widest: the largest
 * ratio of their widths. */
static double neighbour_width_ratio(__global const struct shape *wide, __global const struct shape *narrow,
                                    struct widest *widest)
{
    double ratio = 0.0;
    int apart = 0;
    widest->ratio = 0.0;
    widest->axis = 0;
    for (int k = 0; k < AXES; k++) {
        double gap = fabs(wide->centre[k] - narrow->centre[k]) - wide->half_width[k] - narrow->half_width[k];
        double near = 0.5 * fmin(wide->half_width[k], narrow->half_width[k]);
        struct widest one = { wide->half_width[k] / narrow->half_width[k], k };
        apart += gap > near ? 2 : gap > -near ? 1 : 0;
        if (gap > -near) ratio = one.ratio;
        if (widest_exceeds(one, *widest)) *widest = one;
    }
    return apart == 1 && neighbour_is_narrow(*widest, narrow->depth - wide->depth) ? ratio : 0.0;
}

/* depth, mean: the largest depth of boxes, and the largest mean of |f| on significant ones; fresh: number of
 * new boxes, which p.fresh lists.  p.before: the means of |f| on significant boxes, 0 on others. */
struct compared { int depth, fresh; double mean; };

static struct compared compared_boxes(struct subregions p, int count, double minimum, struct workspace b)
{
    struct region_sums seen = region_sums_empty();  /* smallest: -depth, largest: mean */
    struct compared c;
    int uncompared = 0, item = (int) get_local_id(0);
    for (int k = item; k < count; k += REFINE_ITEMS) {
        p.before[k] = p.size[k] > minimum ? ldexp(p.size[k], p.shape[k].depth) : 0.0;
        seen.largest = fmax(seen.largest, p.before[k]);
        seen.smallest = fmin(seen.smallest, -(double) p.shape[k].depth);
        uncompared += !p.shape[k].is_compared;
    }
    seen = region_sums_all(seen, REFINE_ITEMS, b.sums);
    int rank = count_before(uncompared, &c.fresh, b.count);
    for (int k = item; k < count; k += REFINE_ITEMS)
        if (!p.shape[k].is_compared) p.fresh[rank++] = k;
    c.depth = count ? (int) -seen.smallest : 0;
    c.mean = seen.largest;
    barrier(CLK_GLOBAL_MEM_FENCE);
    return c;
}

/* TRUE if box k may contain a feature that only others have sampled. */
static int may_miss(struct subregions p, int k, struct compared c)
{
    return !signbit(p.error[k]) && c.depth <= NEIGHBOURS_DEEPEST && c.depth - p.shape[k].depth >= NEIGHBOURS_DEPTH &&
           c.mean > NEIGHBOURS_DENSER * ldexp(p.size[k], p.shape[k].depth);
}

/* Returns the estimated integral of |f| over features in box k that only the boxes next to it have sampled, of pairs of
 * which at least one is new.  Sets the axis along which box k is widest in comparison with these, if it can be bisected
 * there. */
static double missing_of(struct subregions p, int k, int count, struct compared c)
{
    __global struct shape *box = p.shape + k;
    struct widest widest = { 0.0, box->axis }, one;
    double minimum = NEIGHBOURS_DENSER * ldexp(p.size[k], box->depth), sum = 0.0;
    int is_new = !box->is_compared, boxes = is_new ? count : c.fresh;
    for (int v = 0; v < boxes; v++) {
        int j = is_new ? v : p.fresh[v];
        double ratio = p.before[j] > minimum ? neighbour_width_ratio(box, p.shape + j, &one) : 0.0;
        sum += ratio * p.size[j];
        if (ratio > 0.0 && widest_exceeds(one, widest)) widest = one;
    }
    if (!genz_malik_is_narrow(box->centre[widest.axis], box->half_width[widest.axis])) box->axis = widest.axis;
    return sum;
}

static int raise_errors(struct subregions p, int count, int *before, double tolerance, int is_last, struct workspace b)
{
    int item = (int) get_local_id(0), raised = 0, compares = count <= COMPARED_MAX, all;
    int boxes = (compares || is_last) && neighbours_are_due(count, *before, is_last) ? count : 0;
    struct compared c = compared_boxes(p, boxes, REST * tolerance / count, b);
    for (int k = item; k < boxes; k += REFINE_ITEMS) {
        double missing = may_miss(p, k, c) ? compares ? missing_of(p, k, count, c) : 1.0 : 0.0;
        raised += missing > 0.0;
        if (!compares) continue;
        p.error[k] += missing;
        p.shape[k].is_compared = 1;
    }
    count_before(raised, &all, b.count);
    if (boxes) *before = count;
    return all > 0 ? compares ? 1 : -1 : 0;
}

__kernel __attribute__((reqd_work_group_size(REFINE_ITEMS, 1, 1))) void cubature(ARGUMENTS)
{
    WORKSPACE(workspace);
    RETURN_VALUES
    refine_listed(&job, column, pool, table, list, scratch, out, workspace);
}
