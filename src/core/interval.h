/* core/interval.h: the rule of Gauss and Kronrod on an interval, with the error estimate of QUADPACK.
 *
 * A half-line is mapped to t in (0, 1] by x = origin + side (1 - t)/t, dx = dt/t^2.  With K and G the
 * two rules, m = K/(b - a) and
 *
 *     A = rule K for |f|,    B = rule K for |f - m|,
 *     error = B min(1, (200 |K - G|/B)^1.5),  and at least 50 eps A where that is no underflow
 *
 * (Piessens, de Doncker-Kapenga, Ueberhuber and Kahaner 1983, QUADPACK, doi:10.1007/978-3-642-61786-7, section 2.2).
 *
 * An interval with values that are not finite has an infinite error, and the value NaN if none is finite.  There is
 * one exception, on a half-line: where they begin beyond the last value of 0 they count as 0, for they are 0 times
 * infinity.
 *
 * A range begins as PANELS intervals, or PANELS_ZERO where all was 0; it is cut at breaks, and the whole line into
 * two half-lines.
 */
#ifndef STABLECL_INTERVAL_H
#define STABLECL_INTERVAL_H

#include "gauss_kronrod.h"
#include "integral.h"

#define PANELS      4
#define PANELS_ZERO 256

/* Of t. */
struct interval {
    double low, high, origin;
    int side;                           /* 0: x = t */
};

struct estimate { double value, error, size; };     /* size: A */

/* Rule K of g, rule G, rule K of |g| and of the distance of g from its mean; on (-1, 1). */
struct rule_sums { double kronrod, gauss, size, spread; };

/* --- how a range begins --------------------------------------------------------- */

/* Interval number `wanted` of those that limits and breaks between them make; 0 if there are fewer. */
FN int interval_of_range(double low, double high, GLOBAL const double *breaks, int count, int wanted,
                         struct interval *v)
{
    double a = low;
    for (int k = 0; k <= count; k++) {
        double b = k < count ? breaks[k] : high;
        if (k < count && !(b > a && b < high)) continue;
        int halves = (isinf(a) != 0) + (isinf(b) != 0), parts = halves ? halves : 1;
        if (wanted < parts) {
            v->side = halves == 0 ? 0 : isinf(a) && wanted == 0 ? -1 : 1;
            v->origin = v->side == 0 ? 0.0 : v->side < 0 ? (isinf(b) ? 0.0 : b) : (isinf(a) ? 0.0 : a);
            v->low = v->side == 0 ? a : 0.0;
            v->high = v->side == 0 ? b : 1.0;
            return 1;
        }
        wanted -= parts;
        a = b;
    }
    return 0;
}

FN struct interval interval_panel(struct interval v, int panel, int panels)
{
    double low = v.low, high = v.high;
    if (panel > 0) v.low = low + (high - low) * panel / panels;
    if (panel < panels - 1) v.high = low + (high - low) * (panel + 1) / panels;
    return v;
}

/* --- points ------------------------------------------------------------------------ */

/* t at node j */
FN double interval_t(struct interval v, int j)
{
    double centre = 0.5 * v.low + 0.5 * v.high, reach = 0.5 * v.high - 0.5 * v.low;
    return centre + reach * gk_node[j];
}

FN double interval_x(struct interval v, double t)
{
    return v.side == 0 ? t : v.origin + v.side * ((1.0 - t) / t);
}

/* Too narrow to be split: narrower than some ulps of its ends? */
FN int interval_is_stuck(struct interval v)
{
    double ends = fmax(fabs(v.low), fabs(v.high));
    return v.high - v.low <= 16.0 * ROUNDING * ends || v.high - v.low < 1e-300;
}

/* --- values ------------------------------------------------------------------------- */

/* The place of the last finite value on the way out, if it is 0: what is not finite beyond counts as 0. */
FN double interval_lost(struct interval v, const double *f)
{
    double furthest = INFINITY, at = 0.0;
    if (v.side == 0) return -INFINITY;
    for (int j = 0; j < GK_POINTS; j++) {
        double t = interval_t(v, j);
        if (!isfinite(f[j]) || t >= furthest) continue;
        furthest = t;
        at = f[j];
    }
    return isfinite(furthest) && at == 0.0 ? furthest : -INFINITY;
}

/* Values times dx/dt; are all of them finite? */
FN int interval_weigh(struct interval v, const double *f, double *g)
{
    double check = 0.0, lost;
    int finite = 1;
    for (int j = 0; j < GK_POINTS; j++) g[j] = f[j];
    for (int j = 0; j < GK_POINTS && v.side != 0; j++) g[j] /= interval_t(v, j) * interval_t(v, j);
    for (int j = 0; j < GK_POINTS; j++) check += g[j] * 0.0;
    if (check == 0.0) return 1;
    lost = interval_lost(v, f);
    for (int j = 0; j < GK_POINTS; j++) {
        if (isfinite(g[j])) continue;
        g[j] = 0.0;
        finite &= interval_t(v, j) < lost;
    }
    return finite;
}

FN int interval_any_finite(const double *f)
{
    for (int j = 0; j < GK_POINTS; j++)
        if (isfinite(f[j])) return 1;
    return 0;
}

/* From the sums of what interval_weigh() made of f; finite: its answer. */
FN struct estimate interval_estimate(struct interval v, const double *f, struct rule_sums s, int finite)
{
    double reach = 0.5 * v.high - 0.5 * v.low, error = fabs((s.kronrod - s.gauss) * reach), spread = s.spread * reach;
    struct estimate e = { s.kronrod * reach, INFINITY, s.size * reach };

    if (spread != 0.0 && error != 0.0) {
        double r = 200.0 * error / spread;
        error = r < 1.0 ? spread * r * sqrt(r) : spread;
    }
    if (e.size > 0x1p-1022 / (50.0 * ROUNDING)) error = fmax(error, 50.0 * ROUNDING * e.size);
    if (finite && isfinite(e.value)) e.error = error;
    if (!finite && !interval_any_finite(f)) e.value = NAN;
    return e;
}

#endif
