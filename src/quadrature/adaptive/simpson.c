/* Adaptive Simpson quadrature on the CPU (quadrature/adaptive/simpson.h), as a rule of refinement.c.  Each part of a
 * range begins as SIMPSON_INTERVALS intervals, or as SIMPSON_INTERVALS_ZERO if all values were 0. */
#include "simpson.h"
#include "../integrals.h"
#include "subregion.h"

struct simpson_region {
    struct subregion subregion;
    struct simpson_values values;
};

static void set_points(const struct subdivision *rule, void *const *subregion, int count, double *const *x)
{
    (void)rule;
    (void)count;
    const struct simpson_region *a = *subregion;
    int is_half = a->subregion.sibling != 0, points = is_half ? SIMPSON_NEW : SIMPSON_POINTS;
    for (int k = 0; k < points; k++)
        x[0][k] = part_x(a->values.part, simpson_t(a->values.part, simpson_point(is_half, k)));
}

static void sum(void *const *subregion, int count, const double *f)
{
    struct simpson_region *a = *subregion;
    (void)count;
    int is_half = a->subregion.sibling != 0, points = is_half ? SIMPSON_NEW : SIMPSON_POINTS;
    for (int k = 0; k < points; k++) a->values.f[simpson_point(is_half, k)] = f[k];
    struct totals totals = simpson_rule(&a->values, is_half);
    subregion_set(&a->subregion, totals, 0.0, part_is_narrow(a->values.part.low, a->values.part.high));
}

static size_t begin(const struct integral_job *j, size_t i, int first_intervals, void *regions)
{
    struct simpson_region *to = regions, a = { .subregion = { .integral = i, .is_new = 1 } };
    struct parts parts = parts_of(j, i);
    struct part p;
    size_t count = 0;
    while (parts_next(&parts, &p))
        for (int k = 0; k < part_intervals(p, first_intervals); k++) {
            a.values = simpson_interval(p, k, part_intervals(p, first_intervals));
            to[count++] = a;
        }
    return count;
}

static size_t initial_capacity(const struct integral_job *j, int first_intervals)
{
    return (size_t)((j->break_count + 2) * first_intervals);
}

static void halve(const void *subregion, void *left, void *right)
{
    const struct simpson_region *a = subregion;
    struct simpson_region *l = left, *r = right;
    l->subregion = r->subregion = a->subregion;
    simpson_halve(&a->values, &l->values, &r->values);
}

int integrate_simpson(const struct integral_job *job, const struct sampler *sampler, poll_function poll,
                      struct status *st)
{
    static const struct subdivision rule = {
        .bytes = sizeof(struct simpson_region), .first_points = SIMPSON_POINTS, .points = SIMPSON_NEW,
        .first_intervals = SIMPSON_INTERVALS, .first_intervals_zero = SIMPSON_INTERVALS_ZERO, .together = 1,
        .two_level = 1, .min_share = SIMPSON_MIN_SHARE,
        .begin = begin, .initial_capacity = initial_capacity, .set_points = set_points, .sum = sum, .halve = halve
    };
    return integrate_adaptive(job, &rule, sampler, poll, st);
}
