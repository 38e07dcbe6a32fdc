/* Densities and probabilities of one law, read off its chart. */
#ifndef STABLECL_RUN_INTERPOLATED_H
#define STABLECL_RUN_INTERPOLATED_H

#include "../interpolant/build.h"
#include "element.h"

/* A chart (interpolant/build.h) is laid for a job of so many elements, from which on two shapes of three
 * gain by it: it takes 1.5 ms, mostly, and the exact path 0.3 us an element and 30 us a
 * panel.  One that is there serves smaller jobs, too. */
#define BUILD_INTERPOLANT 5000

/* A job for a chart (run/interpolable.h), all of whose laws are `law`. */
struct interpolated_job {
    const void *job;
    struct user_law law;
    const struct interpolant *interpolant;  /* NULL: none, where that is allowed */
};

/* Elements [from, to) of an eval_job that asks for no errors.  What the chart does not hold goes to
 * point_eval().  Returns whether NaNs were made. */
int interpolated_range(const void *interpolated_job, struct worker *, size_t from, size_t to);

#endif
