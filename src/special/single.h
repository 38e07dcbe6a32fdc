/* The functions of elementary.h that elementary operations of integrands use, in single precision: OpenCL's own ones.
 * Only programs for devices include this file. */
#ifndef STABLECL_SPECIAL_SINGLE_H
#define STABLECL_SPECIAL_SINGLE_H

#include "dialect.h"

#define PI         3.14159265358979323846
#define ANGLE_MOST 1e6

LANE int when(int truth) { return truth; }
LANE real pick(int mask, real a, real b) { return mask ? a : b; }
LANE real exp_any(real x) { return exp(x); }
LANE real log_any(real x) { return log(x); }

/* Returns sin(x + quarter pi/2); quarter is 0 or 1. */
LANE real sin_near(real x, int quarter) { return quarter ? cos(x) : sin(x); }

#endif
