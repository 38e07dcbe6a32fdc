/* Gauss-Kronrod quadrature on the CPU (quadrature/adaptive/gauss_kronrod.h), as a rule of refinement.c.  Each part of a
 * range begins as GK_INTERVALS intervals, or as GK_INTERVALS_ZERO if all values were 0. */
#include <string.h>
#include "singular.h"
#include "../integrals.h"

#if RULES > TOGETHER
#  error "refinement.c has no memory for so many"
#endif

static size_t begin(const struct integral_job *j, size_t i, int first_intervals, void *regions)
{
    static const struct subregion new = { .is_new = 1 };
    struct gk_interval *r = regions;
    struct parts parts = parts_of(j, i);
    struct part p;
    for (int number = 0; parts_next(&parts, &p); number++)
        for (int k = 0; k < part_intervals(p, first_intervals); k++, r++) {
            r->subregion = new;
            r->subregion.integral = i;
            r->part = interval_first(p, k, part_intervals(p, first_intervals));
            r->number = number;
            r->first = p.low;
            r->last = p.high;
        }
    return (size_t)(r - (struct gk_interval *)regions);
}

static size_t initial_capacity(const struct integral_job *j, int first_intervals)
{
    return (size_t)((j->break_count + 2) * first_intervals);
}

WIDE void points(const struct part *v, double *x)
{
    interval_points(v, x);
}

WIDE void estimates(const struct part *v, const double *f, struct estimate *to)
{
    interval_estimates(v, f, to);
}

void gk_points(const struct part *v, double *x)
{
    points(v, x);
}

void gk_estimates(const struct part *v, const double *f, struct estimate *to)
{
    estimates(v, f, to);
}

/* Copies the ranges of `count` intervals to v; the remaining elements repeat the first one. */
static void copy_parts(void *const *subregion, int count, struct part *v)
{
    for (int p = 0; p < RULES; p++) v[p] = ((const struct gk_interval *)subregion[p < count ? p : 0])->part;
}

static void set_points(const struct subdivision *rule, void *const *subregion, int count, double *const *x)
{
    struct part v[RULES];
    double all[GK_POINTS * RULES];
    (void)rule;
    copy_parts(subregion, count, v);
    points(v, count < RULES ? all : x[0]);
    for (int j = 0; j < GK_POINTS && count < RULES; j++)
        memcpy(x[0] + j * count, all + j * RULES, (size_t)count * sizeof *all);
}

static void sum(void *const *subregion, int count, const double *f)
{
    struct part v[RULES];
    struct estimate e[RULES];
    double all[GK_POINTS * RULES];
    copy_parts(subregion, count, v);
    for (int j = 0; j < GK_POINTS && count < RULES; j++)
        for (int p = 0; p < RULES; p++) all[j * RULES + p] = f[j * count + (p < count ? p : 0)];
    estimates(v, count < RULES ? all : f, e);
    for (int p = 0; p < count; p++) {
        struct gk_interval *r = subregion[p];
        r->estimate = e[p];
        struct totals totals = { e[p].value, e[p].error, e[p].size };
        subregion_set(&r->subregion, totals, e[p].noise, part_is_narrow(r->part.low, r->part.high));
        r->subregion.width_class = (signed char)interval_width_class(r->part, r->first, r->last);
    }
}

/* Computes errors with the contributions of the joints of neighbours that no break separates. */
static void add_joint_errors(void *subregions, size_t count)
{
    struct gk_interval *r = subregions;
    for (size_t k = 0; k < count; k++) r[k].subregion.error = r[k].estimate.error;
    for (size_t k = 1; k < count; k++) {
        if (r[k - 1].number != r[k].number) continue;
        double more = interval_joint(r[k - 1].estimate, r[k].estimate);
        r[k - 1].subregion.error += more * interval_half_length(r[k - 1].part);
        r[k].subregion.error += more * interval_half_length(r[k].part);
    }
}

static double estimate_error(const void *subregion)
{
    const struct gk_interval *r = subregion;
    return r->estimate.error;
}

static void halve(const void *subregion, void *left, void *right)
{
    const struct gk_interval *r = subregion;
    struct gk_interval *l = left, *h = right;
    if (l != r) *l = *r;  /* halves keep estimate.split_share: they may be split before they have values */
    *h = *l;
    l->part.high = h->part.low = interval_split_point(r->part, r->estimate);
}

static void copy_split(void *subregion, const void *leader)
{
    struct gk_interval *r = subregion;
    const struct gk_interval *l = leader;
    r->estimate.split_share = l->estimate.split_share;
}

static int is_singular(const void *subregion)
{
    const struct gk_interval *r = subregion;
    return r->estimate.is_singular;
}

int integrate_gk(const struct integral_job *job, const struct sampler *sampler, poll_function poll, struct status *st)
{
    static const struct subdivision rule = {
        .bytes = sizeof(struct gk_interval), .first_points = GK_POINTS, .points = GK_POINTS,
        .first_intervals = GK_INTERVALS, .together = RULES, .first_intervals_zero = GK_INTERVALS_ZERO,
        .begin = begin, .initial_capacity = initial_capacity,
        .set_points = set_points, .sum = sum, .add_joint_errors = add_joint_errors, .estimate_error = estimate_error,
        .halve = halve, .copy_split = copy_split, .is_singular = is_singular, .complete = singular_complete
    };
    return integrate_adaptive(job, &rule, sampler, poll, st);
}
