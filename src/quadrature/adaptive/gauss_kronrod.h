/* The Gauss-Kronrod rule on an interval, with an error estimate from null rules, which vanish for all polynomials of
 * lower degree than theirs (Berntsen and Espelid 1991, doi:10.1145/108556.108575).
 *
 * Null rules of degrees 20 to 11 give coefficients of the values in orthogonal polynomials (gauss_kronrod_nodes.h).  A
 * single coefficient is now and then small by chance, the larger of two consecutive ones far more rarely.  E_0 is the
 * larger one of degrees 20 and 19, ..., E_4 that of degrees 12 and 11, each reduced by NOISE eps A + 2 delta V/h, where
 * A is the rule for |f|, and the second term is explained below.  With the ratio r = max E_k/E_(k+1), at which the
 * coefficients are assumed to continue to fall,
 *
 *     r < 1/2:  error = 20 E_0 r (2 r)^4,      the rule is exact to degree 31, six pairs further;
 *     r < 1:    error = 40 E_0 r,
 *     else      error = 40 max E_k,            nothing indicates that they fall;
 *
 * and at least delta V and, unless it underflows, 50 eps A.  (With 20 instead of 40, the errors of integrals of
 * |x - u|^b over
 * (0, 1), b from -0.7 to -0.5 and a tolerance of 1e-4, would be underestimated in 18 % of the cases, not in 0.5 %,
 * which would save 4 % of the evaluations.)
 *
 * The rule does not detect a jump between the outermost point and the end of an interval.  But there the polynomials
 * that interpolate the values on two neighbouring intervals differ.  Their difference at the joint, less what the
 * errors explain, times twice the length next to the joint without a point, is added to the error of either interval
 * (interval_joint).  Of 1e5 integrals with a jump at a random position and a tolerance of 1e-8, the error is then
 * underestimated for 0.09 %, those with a jump next to a limit; by R's integrate() for 17 % (bench/errors.R).
 *
 * The points are rounded, by delta = eps max |t|/2 at most, independently of each other.  With the sum V of the
 * differences of successive values (of the integrand times dx/dt), a coefficient on an interval of length 2h is
 * uncertain by about delta V/h, and the integral by delta V at most.  This noise does not decrease if the interval is
 * bisected; next to the peak of 1/((x - u)^2 + w^2), it is about eps u/w of the integral.  It is at most 4 eps V, and
 * omitted, if |t| <= FAR h.  It is also omitted if delta V/h exceeds NOISY A: bisection must go on where points are so
 * close together that the rule does not resolve the integrand.
 *
 * If the integrand is singular at one end of an interval, or just beyond it, the coefficients fall slowly, and their
 * signs are those of the polynomials there: equal at the upper end, alternating at the lower one.  Such an interval
 * (r > 1/2) is split at an eighth of its length from that end, which saves two of three bisections: on the longer part
 * the coefficients fall to less than a quarter from one pair to the next.  All other intervals are split in the
 * middle.  If nothing indicates that the coefficients fall, which one bisection rarely changes, the halves are
 * bisected as well.
 *
 * An interval with values that are not finite (quadrature/parts.h) has an infinite error, and the value NaN if none is
 * finite.  A part of a range begins as GK_INTERVALS intervals, or as GK_INTERVALS_ZERO if all values were 0.
 *
 * RULES intervals are processed side by side: arrays that end in [RULES] hold a number for each of them, which a
 * compiler places in the lanes of a vector register.  A work item of a device processes one interval.
 */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_GAUSS_KRONROD_H
#define STABLECL_QUADRATURE_ADAPTIVE_GAUSS_KRONROD_H

#include "gauss_kronrod_nodes.h"
#include "../parts.h"

#define GK_MIDDLE         (GK_POINTS / 2)            /* number of the node 0 */
#define GK_INTERVALS      4
#define GK_INTERVALS_ZERO 320
#define GK_END_SHARE      10                         /* a tenth of these shrink towards each end, */
#define GK_OCTAVES_END    10.0                       /* by this number of octaves each */
#define GK_OCTAVES    32.0                           /* octaves of the distance from the origin of a half-line */
#define GK_SAFETY      20.0
#define GK_SAFETY_SLOW 40.0                          /* if coefficients fall slowly or not at all */
#define GK_NOISE       4.0
#define GK_FAR         8.0                          /* least |t| by half a length at which the noise matters */
#define GK_NOISY      0x1p-7                        /* largest uncertainty of values relative to A */
#define GK_GAP         (1.0 + gk_node[0])           /* length without a point in (-1, 1), at each end */
#define GK_SLOW        0.5
#define GK_NEAR        0.125                        /* share of the length cut off at a singular end */
#define GK_SPARSE      0x1p-40                      /* least length cut off relative to the larger end */

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#define RULES 1
#else
#define RULES 8
#endif

/* error: without the contribution of neighbours; noise: its part that is due to rounding; size: A; low_end, high_end:
 * the interpolating polynomial at the ends; density: error by half the length, without the noise; split_share: the
 * share of the length below the split; is_singular: the halves are to be bisected, too. */
struct estimate { double value, error, noise, size, low_end, high_end, density, split_share; int is_singular; };

/* Sums over the values on (-1, 1): the rules in the rows of gk_even and gk_odd, the rule for |g|, and the uncertainty
 * delta V/h due to the rounding of points. */
struct rule_sums { double even[GK_EVEN][RULES], odd[GK_ODD][RULES], size[RULES], noise[RULES]; };

/* --- points ----------------------------------------------------------------------------- */

/* Returns the factor from one bound to the next of the `count` intervals that shrink towards an end of a part.  length:
 * that of the interval which they divide.  Bounds next to an end that is not 0 cannot be closer to it than numbers
 * are. */
FN double interval_shrinkage(double end, double length, int count)
{
    double octaves = end == 0.0 ? INFINITY : log2(length) - log2(GK_SPARSE * fabs(end));
    return pow(2.0, -fmin(GK_OCTAVES_END, fmax(octaves, 0.0) / count));
}

/* Returns the lower bound of interval k of the n intervals with which a part begins if all values were 0; k = n gives
 * the upper end.  They are equal, and the outermost ones are divided further by bounds whose distance from the end
 * shrinks geometrically, so that peaks at an end are found that are narrow in comparison with the part.  On an outer
 * piece all of them are proportional to the distance from its origin. */
FN double interval_bound(struct part p, int k, int n)
{
    int count = n / GK_END_SHARE, equal = n - 2 * count, below = count + 1 - k, above = k - count - equal + 1;
    double length = (p.high - p.low) / equal;
    if (k == 0 || k == n) return k ? p.high : p.low;
    if (p.side != 0) return pow(2.0, -GK_OCTAVES * (n - k) / (n - 1));
    if (below > 0) return p.low + length * pow(interval_shrinkage(p.low, length, count), (double)below);
    if (above > 0) return p.high - length * pow(interval_shrinkage(p.high, length, count), (double)above);
    return p.low + (p.high - p.low) * (k - count) / equal;
}

/* Returns interval k of the n intervals with which a part begins. */
FN struct part interval_first(struct part p, int k, int n)
{
    struct part q = p;
    if (n <= GK_INTERVALS) return part_interval(p, k, n);
    q.low = interval_bound(p, k, n);
    q.high = interval_bound(p, k + 1, n);
    return q;
}

/* Returns half the length. */
LANE double interval_half_length(struct part v)
{
    return 0.5 * v.high - 0.5 * v.low;
}

/* Returns t at node j. */
LANE double interval_t(struct part v, int j)
{
    return 0.5 * v.low + 0.5 * v.high + interval_half_length(v) * gk_node[j];
}

/* Sets t at all nodes. */
LANE void interval_nodes(const struct part *v, double (*t)[RULES])
{
    double middle[RULES], half_length[RULES];
    for (int p = 0; p < RULES; p++) {
        middle[p] = 0.5 * v[p].low + 0.5 * v[p].high;
        half_length[p] = interval_half_length(v[p]);
    }
    for (int j = 0; j < GK_POINTS; j++)
        for (int p = 0; p < RULES; p++) t[j][p] = middle[p] + half_length[p] * gk_node[j];
}

#define GK_NARROW (1.0 / 24.0)
#define GK_WIDE   (1.0 / 12.0)

/* Returns 1 if an interval is wide in comparison with its part from `first` to `last`, -1 if it is narrow, else 0.
 * Narrow ones next to an end of the part count as neither: they result from a singularity there.  A piece of a
 * half-line counts as half a part. */
FN int interval_width_class(struct part v, double first, double last)
{
    double length = v.high - v.low, all = (last - first) * (v.is_piece ? 2.0 : 1.0);
    int is_inside = v.low - first > 2.0 * length && last - v.high > 2.0 * length;
    return length > GK_WIDE * all ? 1 : length < GK_NARROW * all && is_inside ? -1 : 0;
}

/* TRUE if x differs from t in any of the intervals. */
LANE int interval_any_side(const struct part *v)
{
    int any = 0;
    for (int p = 0; p < RULES; p++) any |= v[p].side != 0;
    return any;
}

/* Sets number j RULES + p to x at node j of interval p.  This is part_x(), written so that it is vectorised, which a
 * call is not: half-lines would take a sixth longer. */
LANE void interval_points(const struct part *v, double *x)
{
    double t[GK_POINTS][RULES], side[RULES], origin[RULES];
    interval_nodes(v, t);
    for (int j = 0; j < GK_POINTS; j++)
        for (int p = 0; p < RULES; p++) x[j * RULES + p] = t[j][p];
    if (!interval_any_side(v)) return;
    for (int p = 0; p < RULES; p++) {
        side[p] = v[p].side;
        origin[p] = v[p].origin;
    }
    for (int j = 0; j < GK_POINTS; j++)
        for (int p = 0; p < RULES; p++) {
            double far = origin[p] + side[p] * ((1.0 - t[j][p]) / t[j][p]);
            x[j * RULES + p] = side[p] == 0.0 ? t[j][p] : far;
        }
}

/* Sets g to the values times dx/dt. */
LANE void interval_scale_values(const struct part *v, const double *f, double (*g)[RULES])
{
    double t[GK_POINTS][RULES];
    for (int j = 0; j < GK_POINTS; j++)
        for (int p = 0; p < RULES; p++) g[j][p] = f[j * RULES + p];
    if (!interval_any_side(v)) return;
    interval_nodes(v, t);
    for (int j = 0; j < GK_POINTS; j++)
        for (int p = 0; p < RULES; p++) g[j][p] /= v[p].side == 0 ? 1.0 : t[j][p] * t[j][p];
}

/* Sets the values of interval p that are not finite to 0.  Returns 1 if all of these count as 0, 0 if some do not, -1
 * if no value is finite. */
FN int interval_zero_nonfinite(struct part v, int p, const double *f, double (*g)[RULES])
{
    double t[GK_POINTS], finite[GK_POINTS], scaled[GK_POINTS];
    for (int j = 0; j < GK_POINTS; j++) {
        t[j] = interval_t(v, j);
        finite[j] = f[j * RULES + p];
        scaled[j] = g[j][p];
    }
    int kept = part_zero_nonfinite(v, t, finite, scaled, GK_POINTS);
    for (int j = 0; j < GK_POINTS; j++) g[j][p] = scaled[j];
    return kept || part_any_finite(finite, GK_POINTS) ? kept : -1;
}

/* --- sums ------------------------------------------------------------------------------- */

/* Row k of a table applied to pairs of values; written out so that it is vectorised over p. */
#define GK_SUM(table, k, pair)                                                                          \
    (table[k][0] * pair[0][p] + table[k][1] * pair[1][p] + table[k][2] * pair[2][p] +                   \
     table[k][3] * pair[3][p] + table[k][4] * pair[4][p] + table[k][5] * pair[5][p] +                   \
     table[k][6] * pair[6][p] + table[k][7] * pair[7][p] + table[k][8] * pair[8][p] +                   \
     table[k][9] * pair[9][p])

/* Return the larger and the smaller of two numbers.  Unlike fmax() and fmin() they are single instructions of a
 * processor. */
LANE double larger_of(double a, double b)
{
    return a > b ? a : b;
}

LANE double smaller_of(double a, double b)
{
    return a < b ? a : b;
}

/* Sets the uncertainty of the values due to the rounding of points. */
LANE void interval_noise(const struct part *v, double (*g)[RULES], struct rule_sums *to)
{
    double variation[RULES], far[RULES];
    int any = 0;
    for (int p = 0; p < RULES; p++) {
        far[p] = larger_of(fabs(v[p].low), fabs(v[p].high));
        to->noise[p] = variation[p] = 0.0;
        any |= far[p] > GK_FAR * interval_half_length(v[p]);
    }
    if (!any) return;
    for (int j = 1; j < GK_POINTS; j++)
        for (int p = 0; p < RULES; p++) variation[p] += fabs(g[j][p] - g[j - 1][p]);
    for (int p = 0; p < RULES; p++) {
        double half_length = interval_half_length(v[p]), noise = 0.5 * ROUNDING * far[p] * variation[p] / half_length;
        if (far[p] > GK_FAR * half_length && noise < GK_NOISY * to->size[p]) to->noise[p] = noise;
    }
}

/* Computes the sums from the values times dx/dt. */
LANE void interval_apply_rules(const struct part *v, double (*g)[RULES], struct rule_sums *to)
{
    double both[GK_FOLD][RULES], apart[GK_FOLD][RULES], size[GK_FOLD][RULES];
    for (int j = 0; j < GK_FOLD; j++)
        for (int p = 0; p < RULES; p++) {
            double left = g[j][p], right = g[GK_POINTS - 1 - j][p];
            both[j][p] = right + left;
            apart[j][p] = right - left;
            size[j][p] = fabs(right) + fabs(left);
        }
    for (int k = 0; k < GK_EVEN; k++)
        for (int p = 0; p < RULES; p++) to->even[k][p] = GK_SUM(gk_even, k, both) + gk_even[k][GK_FOLD] * g[GK_FOLD][p];
    for (int k = 0; k < GK_ODD; k++)
        for (int p = 0; p < RULES; p++) to->odd[k][p] = GK_SUM(gk_odd, k, apart);
    for (int p = 0; p < RULES; p++) to->size[p] = GK_SUM(gk_even, 0, size) + gk_even[0][GK_FOLD] * fabs(g[GK_FOLD][p]);
    interval_noise(v, g, to);
}

/* --- error estimates from null rules --------------------------------------------- */

/* density: the error on (-1, 1); the others as in struct estimate, is_singular as 1 or 0. */
struct rule_errors { double density[RULES], split_share[RULES], is_singular[RULES]; };

/* Sets sign to 1 where all coefficients are positive, to -1 where none is, else to 0. */
LANE void interval_sign(const double (*level)[RULES], double *sign)
{
    double low[RULES], high[RULES];
    for (int p = 0; p < RULES; p++) low[p] = high[p] = level[0][p];
    for (int k = 1; k < GK_PAIRS; k++)
        for (int p = 0; p < RULES; p++) {
            low[p] = smaller_of(low[p], level[k][p]);
            high[p] = larger_of(high[p], level[k][p]);
        }
    for (int p = 0; p < RULES; p++) sign[p] = low[p] > 0.0 ? 1.0 : high[p] > 0.0 ? 0.0 : -1.0;
}

/* Computes errors and split points from the coefficients. */
LANE void interval_error_densities(const struct rule_sums *s, struct rule_errors *to)
{
    double level[GK_PAIRS][RULES], maximum[RULES], ratio[RULES], even[RULES], odd[RULES];
    for (int k = 0; k < GK_PAIRS; k++)
        for (int p = 0; p < RULES; p++) {
            double larger = larger_of(fabs(s->even[2 + k][p]), fabs(s->odd[1 + k][p]));
            level[k][p] = larger_of(larger - GK_NOISE * ROUNDING * s->size[p] - 2.0 * s->noise[p], 0.0);
        }
    for (int p = 0; p < RULES; p++) {
        maximum[p] = level[0][p];
        ratio[p] = 0.0;
    }
    for (int k = 1; k < GK_PAIRS; k++)
        for (int p = 0; p < RULES; p++) {
            maximum[p] = larger_of(level[k][p], maximum[p]);
            ratio[p] = larger_of(level[k - 1][p] / level[k][p], ratio[p]);  /* 0/0 is not larger */
        }
    interval_sign(s->even + 2, even);
    interval_sign(s->odd + 1, odd);
    for (int p = 0; p < RULES; p++) {
        double twice = smaller_of(2.0 * ratio[p], 1.0);
        double extrapolated = level[0][p] * ratio[p] * (twice * twice) * (twice * twice);
        double split_share = ratio[p] > GK_SLOW ? 0.5 + (0.5 - GK_NEAR) * (even[p] * odd[p]) : 0.5;
        double safety = ratio[p] > GK_SLOW ? GK_SAFETY_SLOW : GK_SAFETY;
        to->density[p] = safety * (ratio[p] >= 1.0 ? maximum[p] : extrapolated);
        to->split_share[p] = split_share;
        to->is_singular[p] = ratio[p] < 1.0 ? 0.0 : split_share == 0.5 ? 1.0 : 0.0;
    }
}

/* --- estimates -------------------------------------------------------------------------- */

/* Returns the estimate for interval p; kept: the result of interval_zero_nonfinite(), or 1 if all values are finite. */
LANE struct estimate interval_estimate(struct part v, int p, const struct rule_sums *s, const struct rule_errors *d,
                                       int kept)
{
    double half_length = interval_half_length(v), minimum = 50.0 * ROUNDING * s->size[p] * half_length;
    struct estimate e = { s->even[0][p] * half_length, INFINITY, 0.0, s->size[p] * half_length,
                          s->even[1][p] - s->odd[0][p], s->even[1][p] + s->odd[0][p], INFINITY, 0.5, 0 };
    if (kept > 0 && isfinite(e.value)) {
        e.density = d->density[p];
        e.noise = larger_of(s->noise[p] * half_length, minimum > 0x1p-1022 ? minimum : 0.0);
        e.error = larger_of(e.density * half_length, e.noise);
        e.split_share = d->split_share[p];
        e.is_singular = d->is_singular[p] > 0.0;
    }
    if (kept < 0) e.value = NAN;
    return e;
}

/* Computes the estimates from the values at the points of interval_points(). */
LANE void interval_estimates(const struct part *v, const double *f, struct estimate *to)
{
    struct rule_sums sums;
    struct rule_errors errors;
    double g[GK_POINTS][RULES];
    int kept[RULES], again = 1;

    interval_scale_values(v, f, g);
    NO_UNROLL
    for (int pass = 0; again; pass++) { /* a loop, so that a device's program contains the sums once */
        interval_apply_rules(v, g, &sums);
        again = 0;
        for (int p = 0; p < RULES && pass == 0; p++) {
            int finite = isfinite(sums.even[0][p]);
            kept[p] = finite ? 1 : interval_zero_nonfinite(v[p], p, f, g);
            again |= !finite;
        }
    }
    interval_error_densities(&sums, &errors);
    for (int p = 0; p < RULES; p++) to[p] = interval_estimate(v[p], p, &sums, &errors, kept[p]);
}

/* --- splitting, and neighbours --------------------------------------------------- */

/* Returns the t at which an interval is split.  This is the midpoint if only few floating-point numbers lie between a
 * singular end and the split: nodes of an interval of a few ulps coincide with the end itself. */
FN double interval_split_point(struct part v, struct estimate e)
{
    int is_wide = GK_NEAR * (v.high - v.low) > GK_SPARSE * larger_of(fabs(v.low), fabs(v.high));
    double share = is_wide ? e.split_share : 0.5;
    return (1.0 - share) * v.low + share * v.high;
}

/* Returns the contribution of the joint of two neighbours to the error of each, divided by half its length. */
FN double interval_joint(struct estimate left, struct estimate right)
{
    double apart = fabs(left.high_end - right.low_end) - (left.density + right.density);
    return apart > 0.0 ? 2.0 * GK_GAP * apart : 0.0;
}

#endif
