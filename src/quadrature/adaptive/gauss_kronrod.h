/* The rule of Gauss and Kronrod on an interval, with an error from null rules, which are 0 for all
 * polynomials of lower degree than theirs (Berntsen and Espelid 1991, doi:10.1145/108556.108575).
 *
 * Null rules of degrees 20 to 11 give coefficients of the values in orthogonal polynomials (gauss_kronrod.h).  One of
 * them is small by chance now and then, the larger of two neighbours E_k much more seldom: E_0 of degrees 20 and 19,
 * ..., E_4 of 12 and 11, less NOISE eps A, A the rule for |f|.  By the ratio r = max E_k/E_(k+1) they go on to fall:
 *
 *     r < 1/2:  error = 20 E_0 r (2 r)^4,      the rule is exact to degree 31: six pairs are skipped;
 *     r < 1:    error = 40 E_0 r,
 *     else      error = 40 max E_k,            nothing says that they fall;
 *
 * and at least 50 eps A where that is no underflow.  (With 20 instead of 40 integrals of |x - u|^b over (0, 1), b from
 * -0.7 to -0.5 and wanted to 1e-4, would claim too little 18 % of the time, not 0.5 %, for 4 % of their evaluations.)
 *
 * Nothing is seen of a jump between the outermost point and the end of the interval.  But there the polynomials
 * through the points of two neighbours differ.  What they differ by at the joint, less what the errors explain, counts
 * on the part of both intervals where no point lies, twice (interval_joint).  Of 1e5 integrals with a jump at a random
 * place, wanted to 1e-8, too little is then claimed for 0.09 %, those next to a limit; by R's integrate() for 17 %
 * (bench/errors.R).
 *
 * Where an interval is singular at one end, or just beyond it, the coefficients fall slowly, and their signs are those
 * of the polynomials there: the same ones at the upper end, by turns at the lower one.  Such an interval (r > 1/2) is
 * cut in two at an eighth of its length from that end, which spares two of three halvings: on the longer part the
 * coefficients fall to less than a quarter from one pair to the next.  All others are cut in the middle, and if
 * nothing says that the coefficients fall, which one halving seldom changes, the halves as well.
 *
 * An interval with values that are not finite (quadrature/parts.h) has an infinite error, and the value NaN if none is
 * finite.  A part of a range begins as GK_INTERVALS intervals, or GK_INTERVALS_ZERO where all was 0.
 *
 * RULES intervals are taken together, side by side: arrays that end in [RULES] hold a number for each of them, which
 * a compiler puts into the lanes of a register.  A work item of a device takes one.
 */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_GAUSS_KRONROD_H
#define STABLECL_QUADRATURE_ADAPTIVE_GAUSS_KRONROD_H

#include "gauss_kronrod_nodes.h"
#include "../parts.h"

#define GK_INTERVALS      4
#define GK_INTERVALS_ZERO 256
#define GK_CAUTION     20.0
#define GK_CAUTION_SLOW 40.0                        /* where they fall slowly or not at all */
#define GK_NOISE       4.0
#define GK_GAP         (1.0 + gk_node[0])           /* of (-1, 1), at each end */
#define GK_SLOW        0.5
#define GK_NEAR        0.125                        /* of the length: where to cut next to a singular end */
#define GK_SPARSE      0x1p-40                      /* of a number: the least length that is cut off so */

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#define RULES 1
#else
#define RULES 8
#endif

/* error: without what neighbours tell; size: A; low_end, high_end: the polynomial there, density: error by half the
 * length; cut: the share of the length below the place to cut at; is_singular: the halves are to be cut, too. */
struct estimate { double value, error, size, low_end, high_end, density, cut; int is_singular; };

/* Sums over the values: of rules by the rows of gk_even and gk_odd, and of |g|; on (-1, 1). */
struct rule_sums { double even[GK_EVEN][RULES], odd[GK_ODD][RULES], size[RULES]; };

/* --- points ----------------------------------------------------------------------------- */

/* Half the length. */
LANE double interval_reach(struct part v)
{
    return 0.5 * v.high - 0.5 * v.low;
}

/* t at node j */
LANE double interval_t(struct part v, int j)
{
    return 0.5 * v.low + 0.5 * v.high + interval_reach(v) * gk_node[j];
}

/* t at all nodes */
LANE void interval_nodes(const struct part *v, double (*t)[RULES])
{
    double middle[RULES], reach[RULES];
    for (int p = 0; p < RULES; p++) {
        middle[p] = 0.5 * v[p].low + 0.5 * v[p].high;
        reach[p] = interval_reach(v[p]);
    }
    for (int j = 0; j < GK_POINTS; j++)
        for (int p = 0; p < RULES; p++) t[j][p] = middle[p] + reach[p] * gk_node[j];
}

/* Is x anywhere something else than t? */
LANE int interval_any_side(const struct part *v)
{
    int any = 0;
    for (int p = 0; p < RULES; p++) any |= v[p].side != 0;
    return any;
}

/* x at node j of interval p, number j RULES + p: part_x(), in lanes, which a call of it would not be: half-lines would
 * take a sixth longer. */
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

/* Values times dx/dt. */
LANE void interval_scale(const struct part *v, const double *f, double (*g)[RULES])
{
    double t[GK_POINTS][RULES];
    for (int j = 0; j < GK_POINTS; j++)
        for (int p = 0; p < RULES; p++) g[j][p] = f[j * RULES + p];
    if (!interval_any_side(v)) return;
    interval_nodes(v, t);
    for (int j = 0; j < GK_POINTS; j++)
        for (int p = 0; p < RULES; p++) g[j][p] /= v[p].side == 0 ? 1.0 : t[j][p] * t[j][p];
}

/* Those of interval p that are not finite become 0.  1: they all count as that, 0: some do not, -1: none is finite. */
FN int interval_drop(struct part v, int p, const double *f, double (*g)[RULES])
{
    double t[GK_POINTS], own[GK_POINTS], scaled[GK_POINTS];
    for (int j = 0; j < GK_POINTS; j++) {
        t[j] = interval_t(v, j);
        own[j] = f[j * RULES + p];
        scaled[j] = g[j][p];
    }
    int kept = part_drop(v, t, own, scaled, GK_POINTS);
    for (int j = 0; j < GK_POINTS; j++) g[j][p] = scaled[j];
    return kept || part_any_finite(own, GK_POINTS) ? kept : -1;
}

/* --- sums ------------------------------------------------------------------------------- */

/* What row k of a table makes of pairs of values: written out, so that lanes p are taken together. */
#define GK_SUM(table, k, pair)                                                                          \
    (table[k][0] * pair[0][p] + table[k][1] * pair[1][p] + table[k][2] * pair[2][p] +                   \
     table[k][3] * pair[3][p] + table[k][4] * pair[4][p] + table[k][5] * pair[5][p] +                   \
     table[k][6] * pair[6][p] + table[k][7] * pair[7][p] + table[k][8] * pair[8][p] +                   \
     table[k][9] * pair[9][p])

LANE void interval_add_up(double (*g)[RULES], struct rule_sums *to)
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
}

/* --- what null rules tell --------------------------------------------------------------- */

/* density: the error on (-1, 1); the others as in struct estimate, is_singular as 1 or 0. */
struct rule_doubts { double density[RULES], cut[RULES], is_singular[RULES]; };

/* fmax() and fmin() of numbers, which a processor has as one instruction. */
LANE double larger_of(double a, double b)
{
    return a > b ? a : b;
}

LANE double smaller_of(double a, double b)
{
    return a < b ? a : b;
}

/* 1 where all coefficients are above 0, -1 where none is. */
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

LANE void interval_doubt(const struct rule_sums *s, struct rule_doubts *to)
{
    double level[GK_PAIRS][RULES], most[RULES], ratio[RULES], even[RULES], odd[RULES];
    for (int k = 0; k < GK_PAIRS; k++)
        for (int p = 0; p < RULES; p++) {
            double larger = larger_of(fabs(s->even[2 + k][p]), fabs(s->odd[1 + k][p]));
            level[k][p] = larger_of(larger - GK_NOISE * ROUNDING * s->size[p], 0.0);
        }
    for (int p = 0; p < RULES; p++) {
        most[p] = level[0][p];
        ratio[p] = 0.0;
    }
    for (int k = 1; k < GK_PAIRS; k++)
        for (int p = 0; p < RULES; p++) {
            most[p] = larger_of(level[k][p], most[p]);
            ratio[p] = larger_of(level[k - 1][p] / level[k][p], ratio[p]);  /* 0/0 is not larger */
        }
    interval_sign(s->even + 2, even);
    interval_sign(s->odd + 1, odd);
    for (int p = 0; p < RULES; p++) {
        double twice = smaller_of(2.0 * ratio[p], 1.0);
        double fallen = level[0][p] * ratio[p] * (twice * twice) * (twice * twice);
        double cut = ratio[p] > GK_SLOW ? 0.5 + (0.5 - GK_NEAR) * (even[p] * odd[p]) : 0.5;
        double caution = ratio[p] > GK_SLOW ? GK_CAUTION_SLOW : GK_CAUTION;
        to->density[p] = caution * (ratio[p] >= 1.0 ? most[p] : fallen);
        to->cut[p] = cut;
        to->is_singular[p] = ratio[p] < 1.0 ? 0.0 : cut == 0.5 ? 1.0 : 0.0;
    }
}

/* --- estimates -------------------------------------------------------------------------- */

/* Of interval p; kept: what interval_drop() says, or 1 if there was nothing to drop. */
LANE struct estimate interval_estimate(struct part v, int p, const struct rule_sums *s, const struct rule_doubts *d,
                                       int kept)
{
    double reach = interval_reach(v), least = 50.0 * ROUNDING * s->size[p] * reach;
    struct estimate e = { s->even[0][p] * reach, INFINITY, s->size[p] * reach, s->even[1][p] - s->odd[0][p],
                          s->even[1][p] + s->odd[0][p], INFINITY, 0.5, 0 };
    if (kept > 0 && isfinite(e.value)) {
        e.density = d->density[p];
        e.error = e.density * reach;
        if (least > 0x1p-1022) e.error = larger_of(e.error, least);
        e.cut = d->cut[p];
        e.is_singular = d->is_singular[p] > 0.0;
    }
    if (kept < 0) e.value = NAN;
    return e;
}

/* From the values at these points. */
LANE void interval_estimates(const struct part *v, const double *f, struct estimate *to)
{
    struct rule_sums sums;
    struct rule_doubts doubts;
    double g[GK_POINTS][RULES];
    int kept[RULES], again = 0;

    interval_scale(v, f, g);
    interval_add_up(g, &sums);
    for (int p = 0; p < RULES; p++) {
        int finite = isfinite(sums.even[0][p]);
        kept[p] = finite ? 1 : interval_drop(v[p], p, f, g);
        again |= !finite;
    }
    if (again) interval_add_up(g, &sums);
    interval_doubt(&sums, &doubts);
    for (int p = 0; p < RULES; p++) to[p] = interval_estimate(v[p], p, &sums, &doubts, kept[p]);
}

/* --- pieces together ---------------------------------------------------------------------- */

/* The t at which an interval is cut in two.  Where there are few numbers up to a singular end it is the middle: of a
 * piece of some ulps, nodes fall on the end itself. */
FN double interval_cut(struct part v, struct estimate e)
{
    int is_wide = GK_NEAR * (v.high - v.low) > GK_SPARSE * larger_of(fabs(v.low), fabs(v.high));
    double share = is_wide ? e.cut : 0.5;
    return (1.0 - share) * v.low + share * v.high;
}

/* What the joint of two neighbours adds to the error of each, by half its length. */
FN double interval_joint(struct estimate left, struct estimate right)
{
    double apart = fabs(left.high_end - right.low_end) - (left.density + right.density);
    return apart > 0.0 ? 2.0 * GK_GAP * apart : 0.0;
}

#endif
