/* Decides whether a box may contain a feature that only a narrower neighbour has sampled (box_neighbours.c); shared by
 * all backends. */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_BOX_NEIGHBOURS_H
#define STABLECL_QUADRATURE_ADAPTIVE_BOX_NEIGHBOURS_H

#include "../../special/elementary.h"

#define NEIGHBOURS_RATIO  8.0           /* least ratio of the widths along an axis, */
#define NEIGHBOURS_DEPTH  3             /* least difference of the numbers of bisections, */
#define NEIGHBOURS_DENSER 8.0           /* and least ratio of the means of |f| */
#define NEIGHBOURS_AGAIN  4             /* boxes are compared again when their number has grown by 1/4, */
#define NEIGHBOURS_DEEPEST 300          /* but not after more bisections, as they occur next to singular points */

/* TRUE if `count` boxes are to be compared, of which there were `before` at the last comparison.  is_last: the integral
 * ends if no error is raised. */
FN int neighbours_are_due(int count, int before, int is_last)
{
    return is_last || count - before > count / NEIGHBOURS_AGAIN;
}

/* The largest ratio of the widths of a box and a neighbour, and along which axis. */
struct widest { double ratio; int axis; };

/* TRUE if a ratio is larger than another one; of equal ones, if it is along an earlier axis. */
FN int widest_exceeds(struct widest a, struct widest b)
{
    return a.ratio > b.ratio || (a.ratio == b.ratio && a.axis < b.axis);
}

/* TRUE if a neighbour is much narrower.  deeper: by how many bisections. */
FN int neighbour_is_narrow(struct widest found, int deeper)
{
    return found.ratio >= NEIGHBOURS_RATIO && deeper >= NEIGHBOURS_DEPTH;
}

#endif
