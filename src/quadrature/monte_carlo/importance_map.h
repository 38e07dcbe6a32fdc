/* The importance map (VEGAS grid) along one axis: a map x(y) of [0, 1] onto itself that is steep where few points are
 * needed.
 *
 * There are MAP_BINS bins of equal probability h = 1/MAP_BINS; bin j lies between the nodes x_j and x_(j+1).  Lepage
 * (1978, doi:10.1016/0021-9991(78)90004-9) makes x linear in y between the nodes.  Here x is a monotone cubic Hermite
 * interpolant whose slope at a node is the harmonic mean of the slopes of the neighbouring bins, so that the density
 * 1/x'(y) of the points is continuous.  With t = y/h - j in [0, 1), D = x_(j+1) - x_j and a, b = h times the slopes at
 * the two nodes,
 *
 *     x = x_j + t (a + t (3D - 2a - b + t (a + b - 2D))),      x' = (a + t (2 (3D - 2a - b) + 3 t (a + b - 2D)))/h.
 *
 * This is monotone for 0 <= a, b <= 3D (Fritsch and Carlson 1980, doi:10.1137/0717021).  A sample with value f counts
 * as f x', so that means over y are those over x, regardless of the map.
 */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_IMPORTANCE_MAP_H
#define STABLECL_QUADRATURE_MONTE_CARLO_IMPORTANCE_MAP_H

#include "../../special/elementary.h"

#define MAP_BINS 256
#define ROUNDS_MAX  256                       /* largest number of rounds and iterations that users may choose */
#define MAP_DOUBLES (2 * (MAP_BINS + 1))      /* doubles for an axis: x and h times the slope of each node */

/* Returns (w + 1/2) 2^-32, which is neither 0 nor 1; in single precision, rounded, and at most 1 - 2^-24. */
LANE real unit_share(uint32 w)
{
#ifdef SINGLE_PRECISION
    return fmin(((real)w + 0.5) * 0x1p-32, 1.0 - 0x1p-24);
#else
    return (double_from_bits(0x4330000000000000ul | w) - 0x1p52 + 0.5) * 0x1p-32;
#endif
}

struct mapped { real x, slope; };

LANE int map_bin(real y)
{
    int j = (int)(y * MAP_BINS);
    return j < MAP_BINS ? j : MAP_BINS - 1;
}

/* Evaluates the map at t in a bin between the nodes x and `end`, where h times the slope is a and b. */
LANE struct mapped map_within(real x, real a, real end, real b, real t)
{
    real d = end - x, third = a + b - 2.0 * d, second = d - a - third;
    struct mapped w;
    w.x = x + t * (a + t * (second + t * third));
    w.slope = (a + t * (2.0 * second + 3.0 * t * third)) * MAP_BINS;
    return w;
}

LANE struct mapped importance_map(GLOBAL const real *node, real y, int j)
{
    GLOBAL const real *n = node + 2 * j;
    return map_within(n[0], n[1], n[2], n[3], y * MAP_BINS - j);
}

/* --- the line search for peaks of |f| in the unit cube, along one axis after another ---
 *
 * The line through the current point along an axis has LINE_POINTS points.  The current point moves to the first of
 * them at which |f| is largest, if |f| there exceeds all previous values.  The first importance map follows from |f|
 * along these lines.
 */

#define LINE_POINTS 256

LANE real line_search_place(int j)
{
    return ((real)j + 0.5) / LINE_POINTS;
}

/* The numbers that a device returns for d axes: the point, |f| there, and |f| along each of the lines. */
#define LINE_SEARCH_DOUBLES(d) ((d) + 1 + (d) * LINE_POINTS)

#endif
