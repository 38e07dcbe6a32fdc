/* quadrature/monte_carlo/line_search.h: a sweep through the unit cube: from a point along one axis after another, and on from the largest |f|.
 *
 * On the line along an axis there are SWEEP_LINE points.  The point moves to the first one at which |f| is largest, if
 * it is larger there than anywhere before.
 */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_LINE_SEARCH_H
#define STABLECL_QUADRATURE_MONTE_CARLO_LINE_SEARCH_H

#include "../../special/dialect.h"

#define SWEEP_LINE 256

LANE double sweep_place(int j)
{
    return (j + 0.5) / SWEEP_LINE;
}

/* What a device gives back for d axes: the point, |f| there, and |f| along each of the lines. */
#define SWEEP_DOUBLES(d) ((d) + 1 + (d) * SWEEP_LINE)

#endif
