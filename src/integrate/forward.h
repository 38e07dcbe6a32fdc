/* integrate/forward.h: a walker of forward quadrature (core/forward.h), which may keep its points. */
#ifndef STABLECL_INTEGRATE_FORWARD_H
#define STABLECL_INTEGRATE_FORWARD_H

#include "../core/forward.h"
#include "walk.h"

struct forward {
    struct walker walker;
    struct forward_walk walk;
    int dim, axis;
    double x[AXES_MAX];                 /* the other coordinates */
    int keep, failed;                   /* keep: the points; failed: no memory for them */
    double *point;
    size_t count, room, first_child;
};

extern const struct walking forward_walking;

#endif
