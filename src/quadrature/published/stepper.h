/* The first member of every stepper, which advances along a range (quadrature/published/drivers.h); shared text.
 *
 * The structs of steppers consist of members of 8 bytes and of even numbers of members of 4 bytes in succession, so
 * that the host and the kernels store them alike.
 */
#ifndef STABLECL_QUADRATURE_PUBLISHED_STEPPER_H
#define STABLECL_QUADRATURE_PUBLISHED_STEPPER_H

#include "../../special/dialect.h"

/* integral: its number in the call; is_finished: whether the stepper needs no more values; recorded: the number of
 * points that a launch on a device has recorded. */
struct stepper {
    uint64 integral;
    double evaluations;
    int is_finished, recorded;
};

#endif
