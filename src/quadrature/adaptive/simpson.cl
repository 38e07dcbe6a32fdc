/* Adaptive Simpson quadrature (quadrature/adaptive/simpson.h): each integral by a group of work items. */
#include "simpson.h"

#define FIRST_POINTS SIMPSON_POINTS
#define NEW_POINTS   SIMPSON_NEW
#define FIRST_INTERVALS       SIMPSON_INTERVALS
#define FIRST_INTERVALS_ZERO  SIMPSON_INTERVALS_ZERO
#define MIN_SHARE    SIMPSON_MIN_SHARE
#define REST_SHARE   0.0
#define TOGETHER     32

struct shape { struct simpson_values values; };

#include "refinement_kernel.h"

static int begin(struct subregions p, const struct device_integrals *job, __global const double *column, int i,
                 int first_intervals)
{
    double low, high;
    range_of(job, column, i, 0, &low, &high);
    struct parts parts = parts_between(low, high, column, job->breaks);
    struct part whole;
    int count = 0, more;
    for (; count <= job->capacity && parts_next(&parts, &whole); count += more) {
        more = part_intervals(whole, first_intervals);
        if (count + more > job->capacity) continue;
        for (int interval = (int) get_local_id(0); interval < more; interval += REFINE_ITEMS)
            p.shape[count + interval].values = simpson_interval(whole, interval, more);
    }
    return count;
}

static void set_point(const struct shape *s, int is_half, int k, double *x)
{
    x[0] = part_x(s->values.part, simpson_t(s->values.part, simpson_point(is_half, k)));
}

static void apply_rule(struct subregions p, int first, int count, int is_half, struct workspace b)
{
    int item = (int) get_local_id(0), points = is_half ? SIMPSON_NEW : SIMPSON_POINTS;
    if (item >= count) return;
    int k = p.fresh[first + item];
    struct simpson_values values = p.shape[k].values;
    for (int q = 0; q < points; q++) values.f[simpson_point(is_half, q)] = b.f[item * points + q];
    subregion_set(p, k, simpson_rule(&values, is_half));
    p.shape[k].values = values;
}

static void halve_shape(const struct shape *whole, struct shape *left, struct shape *right)
{
    simpson_halve(&whole->values, &left->values, &right->values);
}

static int is_stuck(const struct shape *s)
{
    return part_is_narrow(s->values.part.low, s->values.part.high);
}

static int width_class(__global const struct shape *s)
{
    (void) s;
    return 0;
}

static int raise_errors(struct subregions p, int count, int *before, double tolerance, int is_last, struct workspace b)
{
    (void) p;
    (void) count;
    (void) before;
    (void) tolerance;
    (void) is_last;
    (void) b;
    return 0;
}

__kernel __attribute__((reqd_work_group_size(REFINE_ITEMS, 1, 1))) void simpson(ARGUMENTS)
{
    WORKSPACE(workspace);
    RETURN_VALUES
    refine_listed(&job, column, pool, table, list, scratch, out, workspace);
}
