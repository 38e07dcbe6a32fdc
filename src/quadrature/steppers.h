/* Many walkers along ranges, each of which asks for a few points at a time, and decides by their
 * values where to go on.
 *
 * A thread advances as many walkers together as fill a block of points; one that has arrived makes room for the next.
 */
#ifndef STABLECL_QUADRATURE_STEPPERS_H
#define STABLECL_QUADRATURE_STEPPERS_H

#include "quadrature.h"

/* Every walker begins with that. */
struct stepper {
    size_t integral;
    double evaluations;
    int arrived;
};

struct stepping {
    size_t bytes;                       /* of a walker */
    int points;                         /* that it asks for */
    /* Coordinate k of point q at x[k][q]. */
    void (*place)(const void *stepper, double *const *x);
    void (*step)(void *stepper, const double *f);
};

/* Until all `count` walkers have arrived.  0 or a code. */
int walk(const struct integral_job *, const struct stepping *, void *steppers, size_t count, const struct sampler *,
         poll_function, struct status *);

#endif
