/* A stepper of forward quadrature (forward_rule.h) along one axis of a box; shared text.  The CPU driver and the kernel
 * evaluate the integrand at its points.
 */
#ifndef STABLECL_QUADRATURE_PUBLISHED_FORWARD_LINE_H
#define STABLECL_QUADRATURE_PUBLISHED_FORWARD_LINE_H

#include "forward_rule.h"
#include "stepper.h"

struct forward_line {
    struct stepper stepper;
    struct forward_stepper forward;
    double x[FORWARD_AXES];             /* the coordinates along the other axes */
    int axis, keep;                     /* keep: the ends of its trapezoids are recorded */
};

/* Advances the stepper by the value f.  Returns 1 if its point has become the end of a trapezoid to be recorded. */
FN int forward_line_step(struct forward_line *w, double f)
{
    int is_end = forward_step(&w->forward, f, w->stepper.evaluations);
    w->stepper.is_finished = w->forward.status != INTEGRAL_NOT_DONE;
    return is_end && w->keep;
}

#endif
