/* The line search for peaks of |f| in the unit cube, along one axis after another.
 *
 * The line through the current point along an axis has LINE_POINTS points.  The current point moves to the first of
 * them at which |f| is largest, if |f| there exceeds all previous values.
 */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_LINE_SEARCH_H
#define STABLECL_QUADRATURE_MONTE_CARLO_LINE_SEARCH_H

#include "../../special/dialect.h"

#define LINE_POINTS 256

LANE double line_search_place(int j)
{
    return (j + 0.5) / LINE_POINTS;
}

/* The numbers that a device returns for d axes: the point, |f| there, and |f| along each of the lines. */
#define LINE_SEARCH_DOUBLES(d) ((d) + 1 + (d) * LINE_POINTS)

#endif
