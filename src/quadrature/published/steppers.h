/* Advances many steppers along ranges.  A stepper requests a few points at a time and decides from the values where to
 * continue.
 *
 * A thread advances as many steppers together as fill a block of points; one that has finished is replaced by the next.
 */
#ifndef STABLECL_QUADRATURE_PUBLISHED_STEPPERS_H
#define STABLECL_QUADRATURE_PUBLISHED_STEPPERS_H

#include "../quadrature.h"

/* First member of every stepper. */
struct stepper {
    size_t integral;
    double evaluations;
    int arrived;
};

struct stepping {
    size_t bytes;                       /* size of a stepper */
    int points;                         /* points that a stepper requests at a time */
    /* Stores coordinate k of requested point q in x[k][q]. */
    void (*set_points)(const void *stepper, double *const *x);
    void (*step)(void *stepper, const double *f);
};

/* Advances `count` steppers until all have arrived.  Returns 0 or a status code. */
int advance_steppers(const struct integral_job *, const struct stepping *, void *steppers, size_t count,
                     const struct sampler *, poll_function, struct status *);

#endif
