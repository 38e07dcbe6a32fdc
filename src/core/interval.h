/* core/interval.h: the rule of Gauss and Kronrod on an interval, with the error estimate of QUADPACK.  With K and G
 * the two rules, m = K/(b - a) and
 *
 *     A = rule K for |f|,    B = rule K for |f - m|,
 *     error = B min(1, (200 |K - G|/B)^1.5),  and at least 50 eps A where that is no underflow
 *
 * (Piessens, de Doncker-Kapenga, Ueberhuber and Kahaner 1983, QUADPACK, doi:10.1007/978-3-642-61786-7, section 2.2).
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

struct estimate { double value, error, size; };     /* size: A */

/* Rule K of g, rule G, rule K of |g| and of the distance of g from its mean; on (-1, 1). */
struct rule_sums { double kronrod, gauss, size, spread; };

/* t at node j */
FN double interval_t(struct part v, int j)
{
    double centre = 0.5 * v.low + 0.5 * v.high, reach = 0.5 * v.high - 0.5 * v.low;
    return centre + reach * gk_node[j];
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

/* From the sums of g; finite: what interval_drop() says, or 1 if there was nothing to drop. */
FN struct estimate interval_estimate(struct part v, const double *f, struct rule_sums s, int finite)
{
    double reach = 0.5 * v.high - 0.5 * v.low, error = fabs((s.kronrod - s.gauss) * reach), spread = s.spread * reach;
    struct estimate e = { s.kronrod * reach, INFINITY, s.size * reach };

    if (spread != 0.0 && error != 0.0) {
        double r = 200.0 * error / spread;
        error = r < 1.0 ? spread * r * sqrt(r) : spread;
    }
    if (e.size > 0x1p-1022 / (50.0 * ROUNDING)) error = fmax(error, 50.0 * ROUNDING * e.size);
    if (finite && isfinite(e.value)) e.error = error;
    if (!finite && !part_any_finite(f, GK_POINTS)) e.value = NAN;
    return e;
}

#endif
