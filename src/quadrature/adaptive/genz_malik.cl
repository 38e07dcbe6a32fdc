/* Cubature by the rule of Genz and Malik, of many integrals: each by a group of work items.  (If there are few
 * integrals, the boxes of one are distributed among groups: subregions.cl.) */
#include "genz_malik_kernel.h"

#define FIRST_POINTS POINTS
#define NEW_POINTS   POINTS
#define FIRST_INTERVALS       1
#define FIRST_INTERVALS_ZERO  genz_malik_boxes_zero(AXES)
#define LEAST_SHARE  GENZ_MALIK_LEAST
#define REST_SHARE   GENZ_MALIK_REST

#include "refinement_kernel.h"

static int begin(struct subregions p, const struct device_integrals *job, __global const double *column, int i,
                 int first_intervals)
{
    for (int number = (int) get_local_id(0); number < first_intervals &&
         first_intervals <= job->capacity; number += REFINE_LANES)
        for (int k = 0; k < AXES; k++) {
            double low, high;
            range_of(job, column, i, k, &low, &high);
            genz_malik_box(number, first_intervals, AXES, k, &low, &high);
            p.shape[number].centre[k] = 0.5 * low + 0.5 * high;
            p.shape[number].reach[k] = 0.5 * high - 0.5 * low;
        }
    return first_intervals;
}

static void judge(struct subregions p, int first, int count, int is_half, struct workspace b)
{
    int is_first, number = box_of_lane(count, &is_first);
    struct region_sums sum = box_sums(b.f, count, b.sums);
    if (!is_first) return;
    int k = p.fresh[first + number];
    struct shape s = p.shape[k];
    struct genz_malik_found found = box_found(&sum, &s, b.f + number * POINTS, is_half);
    subregion_set(p, k, found.sums);
    p.shape[k].axis = found.axis;
}

static void halve_shape(const struct shape *whole, struct shape *left, struct shape *right)
{
    *left = *right = *whole;
    for (int axis = 0; axis < AXES; axis++) {
        if (axis != whole->axis) continue;
        left->reach[axis] = right->reach[axis] = 0.5 * whole->reach[axis];
        left->centre[axis] -= left->reach[axis];
        right->centre[axis] += right->reach[axis];
    }
}

static int is_stuck(const struct shape *s)
{
    int stuck = 0;
    for (int axis = 0; axis < AXES; axis++)
        stuck |= axis == s->axis && genz_malik_is_narrow(s->centre[axis], s->reach[axis]);
    return stuck;
}

__kernel __attribute__((reqd_work_group_size(REFINE_LANES, 1, 1))) void cubature(ARGUMENTS)
{
    WORKSPACE(workspace);
    RETURN_VALUES
    rounds(&job, column, pool, table, list, scratch, out, workspace);
}
