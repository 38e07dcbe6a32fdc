/* Extrapolation of integrals next to a singular point (Wynn 1956, doi:10.2307/2002183; so QUADPACK's QAGS and QAGP,
 * Piessens et al. 1983, over bisections of the whole range).
 *
 * On one side of a singular point c the range is divided at the distances H/3, H/9, ... from c.  If f behaves there as
 * a sum of terms |x - c|^p log^m |x - c|, the integrals a_1, a_2, ... over these intervals are a sum of geometric
 * sequences with the ratios 3^-(p + 1), times polynomials, and the epsilon algorithm removes one after the other from
 * the partial sums S_n.  The 21-point rule integrates such a term over [1/3, 1] with a relative error of 3.7^-31,
 * because its singularity lies at -2 if the interval is (-1, 1), and its error estimate is hardly above rounding
 * errors.
 *
 * The error of the limit e_n from n partial sums is |e_n - e_(n-1)| + |e_n - e_(n-2)| + |e_n - e_(n-3)|, and what is
 * known of the errors of the integrals: that of the rule, and that due to the rounding of the points.  A point is
 * rounded to a multiple of the spacing u of numbers at c, and its distance from c, which is at least that of the nearer
 * end d_k of its interval, has a relative error of u/d_k.  Rounding errors vary from point to point;
 * EXTRAPOLATE_ROUNDING times this bound exceeds the error that they cause in a sum over 21 points.  The limit
 * multiplies both by about 1/(1 - r), where r is the last ratio a_n/a_(n-1).
 *
 * The table begins anew at an integral that is not smaller than EXTRAPOLATE_RATIO times the one before,
 * because the algorithm also yields finite limits of sequences that diverge, for instance of those at a distance from a
 * narrow peak, and at an interval in which f is not smooth: its error exceeds EXTRAPOLATE_ROUGH times its integral.
 */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_SINGULAR_H
#define STABLECL_QUADRATURE_ADAPTIVE_SINGULAR_H

#include "gauss_kronrod.h"
#include "refinement.h"
#include "../../special/elementary.h"

#define EXTRAPOLATE_MAX   32            /* intervals on one side, a multiple of RULES */
#define EXTRAPOLATE_MIN   5             /* intervals before an error is known */
#define EXTRAPOLATE_RATIO 0.9995        /* 3^-(p + 1) for p = -0.99954 */
#define EXTRAPOLATE_ROUGH 1e-3
#define EXTRAPOLATE_ROUNDING 0.125
#define EXTRAPOLATE_NEAR  0x1p18        /* least distance from c in units of the spacing of numbers */

/* The state after `count` intervals. diagonal: the last ascending diagonal of the epsilon table; limit: the last
 * limits, newest first; rule_error, rounding_error: errors of the integrals due to the rule and to the rounding of
 * points; value, error: the best limit so far and its error; ratio: r. */
struct extrapolation {
    double diagonal[EXTRAPOLATE_MAX + 1], limit[4], sum, last, ratio, rule_error, rounding_error, value, error;
    int count;
};

FN struct extrapolation extrapolation_begin(void)
{
    struct extrapolation s = { { 0.0 }, { 0.0 }, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, INFINITY, 0 };
    return s;
}

/* Adds partial sum number n, counted from 0, to the table and returns its limit: the element of the last column that is
 * an approximation (every other one is) before two neighbours agree. */
FN double extrapolation_limit(double *diagonal, int n, double sum)
{
    double above = 0.0, limit = sum;
    int agree = 0;
    diagonal[n] = sum;
    for (int j = n; j > 0; j--) {
        double before = above, difference = diagonal[j] - diagonal[j - 1];
        above = diagonal[j - 1];
        agree |= !(fabs(difference) > 0.0);
        diagonal[j - 1] = agree ? 0x1p1000 : before + 1.0 / difference;
        if (!agree && (n - j) % 2 == 1) limit = diagonal[j - 1];
    }
    return limit;
}

/* Adds the integral over the next interval, with the error of the rule.  spacing: u; near: d_k. */
FN void extrapolation_add(struct extrapolation *s, double integral, double error, double spacing, double near)
{
    double last = fabs(s->last), ratio = 1.0;
    if (fabs(integral) <= EXTRAPOLATE_RATIO * last) ratio = last > 0.0 ? fabs(integral / last) : 0.0;
    s->last = integral;
    s->ratio = ratio;
    s->sum += integral;
    s->rule_error += error;
    s->rounding_error += EXTRAPOLATE_ROUNDING * fabs(integral) * (spacing / near);
    if (ratio == 1.0 || error > EXTRAPOLATE_ROUGH * fabs(integral)) {
        s->count = 0;
        s->error = INFINITY;
    }
    for (int k = 3; k > 0; k--) s->limit[k] = s->limit[k - 1];
    s->limit[0] = extrapolation_limit(s->diagonal, s->count, s->sum);
    if (++s->count < EXTRAPOLATE_MIN) return;
    double changes = 0.0;
    for (int k = 1; k < 4; k++) changes += fabs(s->limit[0] - s->limit[k]);
    double limit_error = changes + (s->rule_error + s->rounding_error) / (1.0 - ratio);
    if (fabs(s->limit[0] - s->value) > 8.0 * (s->error + limit_error)) s->error = INFINITY;
    if (!(limit_error < s->error)) return;
    s->value = s->limit[0];
    s->error = limit_error;
}

/* --- intervals of Gauss-Kronrod quadrature on the CPU (gauss_kronrod.c, singular.c) --- */

struct gk_interval {
    struct subregion subregion;
    struct part part;
    int number;                         /* number of the part of the range */
    double first, last;                 /* ends of that part */
    struct estimate estimate;               /* estimate without the contribution of neighbours */
};

/* interval_points() and interval_estimates() for RULES intervals. */
void gk_points(const struct part *, double *x);
void gk_estimates(const struct part *, const double *f, struct estimate *);

/* --- clusters of intervals (clusters.c) --- */

#define CLUSTERS      6                 /* largest number of clusters that are extrapolated */
#define CLUSTERS_MAX 32

/* Intervals of a part from number `from` on, before number `to`: those with large errors next to one singular point,
 * and enough of the others around it. */
struct cluster { size_t from, to; };

/* Returns the number of the shortest one of intervals from, ..., to - 1. */
size_t narrowest_of(const struct gk_interval *, size_t from, size_t to);

/* TRUE if intervals from, ..., to - 1 become longer with the distance from the shortest one, as they do around a single
 * singular point. */
int is_around_one_point(const struct gk_interval *, size_t from, size_t to);

/* Finds the clusters of intervals with errors above `minimum`, at most CLUSTERS_MAX: runs, or several runs around
 * one singular point, widened.  Returns their number; more than CLUSTERS if there are too many. */
int clusters_of(const struct gk_interval *, size_t count, double minimum, struct cluster *);

/* --- completion (singular.c) --- */

/* Tries to complete an integral by extrapolation (struct subdivision: complete). */
enum completion singular_complete(struct region_store *, size_t from, size_t to, const struct region_sums *,
                                  double tolerance, int is_last, struct totals *result);

#endif
