/* integrate/forward.h: heuristic forward quadrature along one axis (Thuerck, Widmer, Kuijper and Goesele 2014,
 * doi:10.1007/978-3-642-55224-3_61, algorithm 3).
 *
 * Trapezoids whose lengths are chosen beforehand, none of which is given up again:
 *
 *     h = h_min + exp(-d) (h_max - h_min),    d = max(|(s - s')/s|, |s - s'|),
 *
 * s the size of the slope over the last step, s' that before; the first s' is the slope over a tenth of the first step,
 * which is h_min.  The last step ends at the limit.  h_min and h_max hold in t (parts.h).
 *
 * A value at the limits that is not finite, or lies at infinity, is taken from its neighbour.  On a half-line, values
 * that are not finite further out than the last zero count as 0; elsewhere they end the walk.  If all values were 0
 * in one dimension, the walk is made once more, with steps of a 64th.
 */
#ifndef STABLECL_FORWARD_H
#define STABLECL_FORWARD_H

#include "../core/parts.h"
#include "trapezoid.h"
#include "walk.h"

struct forward {
    struct walker walker;
    struct part part;
    int dim, axis;
    double x[AXES_MAX];                 /* the other coordinates */
    double h_min, h_max, most;          /* most: evaluations */
    double t, p, f, h, hill;            /* t: the point asked for; p, f: the last one */
    enum { FORWARD_START, FORWARD_PROBE, FORWARD_WALK } stage;
    int is_lost, is_again;
    struct trapezoid trace;
    enum integral_status status;
    int keep, failed;                   /* keep: the points; failed: no memory for them */
    double *point;
    size_t count, room, first_child;
    double value, error, bound;
};

/* All above `most` is set, and keep; the rest is 0. */
void forward_begin(struct forward *);

extern const struct walking forward_walking;

#endif
