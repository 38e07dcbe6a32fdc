/* backend/opencl/kernels/cubature.cl: boxes by the rule of Genz and Malik (core/genz_malik.h).
 *
 * As many boxes are evaluated together as keep the work items busy with their points; as many work items each add up
 * the values of a box.
 */
#include "../../../core/genz_malik.h"
#include "integrand.h"

#define POINTS       GENZ_MALIK_POINTS(AXES)
#define FIRST_POINTS POINTS
#define NEW_POINTS   POINTS
#define PANELS       1
#define PANELS_ZERO  0                  /* zeros are believed */
#define LEAST_SHARE  0.0
#define TOGETHER     (AXES < 7 ? REFINE_LANES >> (AXES - 1) : 1)
#define LANES_EACH   (REFINE_LANES / TOGETHER)

/* reach: half the widths; axis: along which it is halved. */
struct shape {
    double centre[AXES], reach[AXES];
    int axis, unused;
};

#include "rounds.h"

static int begin(struct pieces p, const struct device_integrals *job, __global const double *column, int i, int panels)
{
    if (get_local_id(0) == 0)
        for (int k = 0; k < AXES; k++) {
            double low, high;
            range_of(job, column, i, k, &low, &high);
            p.shape[0].centre[k] = 0.5 * low + 0.5 * high;
            p.shape[0].reach[k] = 0.5 * high - 0.5 * low;
        }
    return panels;
}

static void place(const struct shape *s, int is_half, int k, double *x)
{
    struct genz_malik_shift shift = genz_malik_shift(AXES, k);
    (void) is_half;
    for (int axis = 0; axis < AXES; axis++)
        x[axis] = s->centre[axis] + genz_malik_along(&shift, axis) * s->reach[axis];
}

/* Some points of a box, by the lane among those that it has: value: degree 7, error: degree 5, count: finite ones. */
static struct tally add_up(__local const double *f, int lane)
{
    struct genz_malik_weights weights = genz_malik_weights(AXES);
    struct genz_malik_sums s = { 0.0, 0.0, 0.0, 0 };
    for (int q = lane; q < POINTS; q += LANES_EACH) {
        if (!isfinite(f[q])) continue;
        genz_malik_take(&s, &weights, genz_malik_kind(AXES, q), f[q], fabs(f[q]));
        s.finite++;
    }
    struct tally t = { s.seven, s.five, s.size, 0.0, 0.0, 0.0, s.finite };
    return t;
}

static void judge(struct pieces p, int first, int count, int is_half, struct bench b)
{
    int lane = (int) get_local_id(0), number = lane / LANES_EACH, q = lane % LANES_EACH;
    struct tally sum = number < count ? add_up(b.f + number * POINTS, q) : tally_none();
    sum = tally_all(sum, LANES_EACH, b.tally);
    if (q != 0 || number >= count) return;
    int k = p.fresh[first + number];
    struct genz_malik_sums s = { sum.value, sum.error, sum.size, sum.count };
    double reach[AXES], along[1 + 4 * AXES];
    for (int axis = 0; axis < AXES; axis++) reach[axis] = p.shape[k].reach[axis];
    for (int j = 0; j < 1 + 4 * AXES; j++) along[j] = b.f[number * POINTS + j];
    piece_set(p, k, genz_malik_rule(&s, AXES, reach, is_half));
    p.shape[k].axis = genz_malik_axis(AXES, along, reach);
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
    BENCH(bench);
    rounds(&job, column, slot, table, list, scratch, out, bench);
}
