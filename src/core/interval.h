/* core/interval.h: the rule of Gauss and Kronrod on an interval, with an error from null rules, which are 0 for all
 * polynomials of lower degree than theirs (Berntsen and Espelid 1991, doi:10.1145/108556.108575).
 *
 * Null rules of degrees 20 to 11 give coefficients of the values in orthogonal polynomials (gauss_kronrod.h).  One of
 * them is small by chance now and then, the larger of two neighbours E_k much more seldom: E_0 of degrees 20 and 19,
 * ..., E_4 of 12 and 11, less NOISE eps A, A the rule for |f|.  By the ratio r = max E_k/E_(k+1) they go on to fall:
 *
 *     r < 1/2:  error = 20 E_0 r (2 r)^4,      the rule is exact to degree 31: six pairs are skipped;
 *     r < 1:    error = 20 E_0 r,
 *     else      error = 20 max E_k,            nothing says that they fall;
 *
 * and at least 50 eps A where that is no underflow.
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
 * An interval with values that are not finite (core/parts.h) has an infinite error, and the value NaN if none is
 * finite.  A part of a range begins as GK_PANELS intervals, or GK_PANELS_ZERO where all was 0.
 */
#ifndef STABLECL_CORE_INTERVAL_H
#define STABLECL_CORE_INTERVAL_H

#include "gauss_kronrod.h"
#include "parts.h"

#define GK_PANELS      4
#define GK_PANELS_ZERO 256
#define GK_CAUTION     20.0
#define GK_NOISE       4.0
#define GK_GAP         (1.0 + gk_node[0])           /* of (-1, 1), at each end */
#define GK_SLOW        0.5
#define GK_NEAR        0.125                        /* of the length: where to cut next to a singular end */
#define GK_SPARSE      0x1p-40                      /* of a number: the least length that is cut off so */

/* error: without what neighbours tell; size: A; low_end, high_end: the polynomial there, density: error by half the
 * length; cut: the share of the length below the place to cut at; is_wild: the halves are to be cut, too. */
struct estimate { double value, error, size, low_end, high_end, density, cut; int is_wild; };

/* Sums over the values: of rules by the columns of gk_even and gk_odd, and of |g|; on (-1, 1). */
struct rule_sums { double even[GK_SUMS], odd[GK_SUMS], size; };

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

/* Values times dx/dt. */
FN void interval_scale(struct part v, const double *f, double *g)
{
    for (int j = 0; j < GK_POINTS; j++) g[j] = f[j];
    for (int j = 0; j < GK_POINTS && v.side != 0; j++) g[j] /= interval_t(v, j) * interval_t(v, j);
}

/* Those that are not finite become 0; do they all count as that? */
FN int interval_drop(struct part v, const double *f, double *g)
{
    double t[GK_POINTS];
    for (int j = 0; j < GK_POINTS; j++) t[j] = interval_t(v, j);
    return part_drop(v, t, f, g, GK_POINTS);
}

/* Column by column: a compiler keeps the sums of some neighbours in one register. */
LANE void interval_add_up(const double *g, struct rule_sums *to)
{
    double middle = g[GK_FOLD], size = gk_even[GK_FOLD * GK_SUMS] * fabs(middle);
    for (int j = 0; j < GK_FOLD; j++) size += gk_even[j * GK_SUMS] * (fabs(g[j]) + fabs(g[GK_POINTS - 1 - j]));
    for (int k = 0; k < GK_SUMS; k++) {
        double even = gk_even[GK_FOLD * GK_SUMS + k] * middle, odd = 0.0;
        for (int j = 0; j < GK_FOLD; j++) {
            even += gk_even[j * GK_SUMS + k] * (g[GK_POINTS - 1 - j] + g[j]);
            odd += gk_odd[j * GK_SUMS + k] * (g[GK_POINTS - 1 - j] - g[j]);
        }
        to->even[k] = even;
        to->odd[k] = odd;
    }
    to->size = size;
}

/* fmax() of numbers, which a processor has as one instruction. */
FN double larger_of(double a, double b)
{
    return a > b ? a : b;
}

/* Where to cut if coefficients fall slowly. */
FN double interval_singular_end(const struct rule_sums *s)
{
    int even = 0, odd = 0;                          /* of those above 0 */
    for (int k = 0; k < GK_PAIRS; k++) {
        even += s->even[2 + k] > 0.0;
        odd += s->odd[1 + k] > 0.0;
    }
    if (even % GK_PAIRS != 0 || odd % GK_PAIRS != 0) return 0.5;
    return even == odd ? 1.0 - GK_NEAR : GK_NEAR;
}

/* On (-1, 1), by the null rules.  And where to cut, if the middle will not do. */
FN double interval_doubt(const struct rule_sums *s, struct estimate *e)
{
    double level[GK_PAIRS], most = 0.0, ratio = 0.0, noise = GK_NOISE * ROUNDING * s->size;
    for (int k = 0; k < GK_PAIRS; k++) {
        level[k] = larger_of(larger_of(fabs(s->even[2 + k]), fabs(s->odd[1 + k])) - noise, 0.0);
        most = larger_of(level[k], most);
    }
    if (most == 0.0) return 0.0;
    for (int k = 1; k < GK_PAIRS; k++)
        if (level[k - 1] > 0.0) ratio = larger_of(level[k - 1] / level[k], ratio);
    if (ratio > GK_SLOW) e->cut = interval_singular_end(s);
    e->is_wild = ratio >= 1.0 && e->cut == 0.5;
    if (ratio >= 1.0) return GK_CAUTION * most;
    double twice = ratio < 0.5 ? 2.0 * ratio : 1.0;
    return GK_CAUTION * level[0] * ratio * (twice * twice) * (twice * twice);
}

/* From the sums of g; finite: what interval_drop() says, or 1 if there was nothing to drop. */
FN struct estimate interval_estimate(struct part v, const double *f, const struct rule_sums *s, int finite)
{
    double reach = interval_reach(v), least = 50.0 * ROUNDING * s->size * reach;
    struct estimate e = { s->even[0] * reach, INFINITY, s->size * reach, s->even[1] - s->odd[0], s->even[1] + s->odd[0],
                          INFINITY, 0.5, 0 };
    if (finite && isfinite(e.value)) {
        e.density = interval_doubt(s, &e);
        e.error = e.density * reach;
        if (least > 0x1p-1022) e.error = larger_of(e.error, least);
    }
    if (!finite && !part_any_finite(f, GK_POINTS)) e.value = NAN;
    return e;
}

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
