/* When a box may not have met what a narrower neighbour has (box_neighbours.c), shared by all backends. */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_BOX_NEIGHBOURS_H
#define STABLECL_QUADRATURE_ADAPTIVE_BOX_NEIGHBOURS_H

#include "../../special/elementary.h"

#define NEIGHBOURS_RATIO  8.0           /* least ratio of the widths along an axis, */
#define NEIGHBOURS_DEPTH  3             /* least difference of the numbers of bisections, */
#define NEIGHBOURS_DENSER 8.0           /* and least ratio of the means of |f| */

/* TRUE if a box is much narrower than a neighbour.  width: the largest ratio of widths; deeper: by how many bisections. */
FN int neighbour_is_narrow(double width, int deeper)
{
    return width >= NEIGHBOURS_RATIO && deeper >= NEIGHBOURS_DEPTH;
}

#endif
