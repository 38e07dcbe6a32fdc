/* A walker of forward quadrature (quadrature/published/forward_rule.h), which may keep its points. */
#ifndef STABLECL_QUADRATURE_PUBLISHED_FORWARD_H
#define STABLECL_QUADRATURE_PUBLISHED_FORWARD_H

#include "forward_rule.h"
#include "../steppers.h"

struct forward {
    struct stepper stepper;
    struct forward_stepper walk;
    int dim, axis;
    double x[AXES_MAX];                 /* the other coordinates */
    int keep, failed;                   /* keep: the points; failed: no memory for them */
    double *point;
    size_t count, room, first_child;
};

extern const struct stepping forward_stepping;

#endif
