/* A sweep through the unit cube: from a point along one axis after another, and on from the largest |f|.
 *
 * On the line along an axis there are LINE_POINTS points.  The point moves to the first one at which |f| is largest, if
 * it is larger there than anywhere before.
 */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_LINE_SEARCH_H
#define STABLECL_QUADRATURE_MONTE_CARLO_LINE_SEARCH_H

#include "../../special/dialect.h"

#define LINE_POINTS 256

LANE double line_search_place(int j)
{
    return (j + 0.5) / LINE_POINTS;
}

/* What a device gives back for d axes: the point, |f| there, and |f| along each of the lines. */
#define LINE_SEARCH_DOUBLES(d) ((d) + 1 + (d) * LINE_POINTS)

#endif
