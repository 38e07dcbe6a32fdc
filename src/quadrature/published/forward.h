/* A stepper of forward quadrature (quadrature/published/forward_rule.h), which may record its points. */
#ifndef STABLECL_QUADRATURE_PUBLISHED_FORWARD_H
#define STABLECL_QUADRATURE_PUBLISHED_FORWARD_H

#include "forward_rule.h"
#include "../steppers.h"

struct forward {
    struct stepper stepper;
    struct forward_stepper walk;
    int dim, axis;
    double x[AXES_MAX];                 /* the coordinates along the other axes */
    int keep, failed;                   /* keep: points are recorded; failed: memory for them is short */
    double *point;                      /* `count` points; memory for `room` */
    size_t count, room, first_child;    /* first_child: index of the first stepper along the next axis */
};

extern const struct stepping forward_stepping;

#endif
