/* Elementary functions at NODES quadrature nodes at once.  A device processes one node per thread and uses its
 * built-in functions; C code uses vectorisable functions (full_range.h).
 *
 * log1p(x) = log(u) x/(u - 1), where u is 1 + x rounded; the quotient compensates for the rounding of u (Goldberg
 * 1991, doi:10.1145/103162.103163, theorem 4).  Error: below 4 ulp.
 * Sine and cosine: x = n pi/2 + r, n = 0 or 1, where pi/2 is split into two parts.  Error: below 2 ulp.
 *
 * Domain: any x for node_exp and node_log, x > -1 for node_log1p, 0 <= x <= pi/2 (rounded up) for sine and cosine.
 */
#ifndef STABLECL_SPECIAL_VECTOR_MATH_H
#define STABLECL_SPECIAL_VECTOR_MATH_H

#include "full_range.h"

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__) || defined(STABLECL_ONE_NODE)
#define NODES 1                 /* nodes processed together */
#define OWN(type, name, from) const type *name = (from)
LANE double node_exp(double x) { return exp(x); }
LANE double node_log(double x) { return log(x); }
LANE double node_log1p(double x) { return log1p(x); }
LANE double node_sin(double x) { return sin(x); }
LANE double node_sin_cos(double x, double *cosine) { return sincos(x, cosine); }
#else
#define NODES LANES
/* A local copy tells the compiler that stores through other pointers do not change the object. */
#define OWN(type, name, from) const type name##_copy = *(from), *name = &name##_copy
LANE double node_exp(double x) { return exp_any(x); }
LANE double node_log(double x) { return log_any(x); }

LANE double node_log1p(double x)
{
    double u = 1.0 + x, less = u - 1.0;
    return pick(when(less == 0.0), x, log_any(u) * (x / less));
}

LANE double node_sin_cos(double x, double *cosine)
{
    uint64 steep = when(x > 0.25 * PI);
    double c, s = sin_cos_octant(pick(steep, (x - HALF_PI) - 0.5 * PI_LO, x), &c);
    *cosine = pick(steep, -s, c);
    return pick(steep, c, s);
}

LANE double node_sin(double x)
{
    double c;
    return node_sin_cos(x, &c);
}
#endif

#endif
