/* The integrand, whose text integrand/generator.c writes, as kernels see it.
 *
 * x: coordinates of the point, then parameters; slot: numbers that all points share; tables as integrand/lookup.h says.
 */
#ifndef STABLECL_QUADRATURE_INTEGRAND_KERNEL_H
#define STABLECL_QUADRATURE_INTEGRAND_KERNEL_H

#include "integrals_shared.h"

#ifndef INPUTS                          /* a kernel that is compiled without one */
#  define INPUTS INTEGRAL_COLUMNS
#  define AXES 2
#endif
#ifndef SLOTS
#  define SLOTS __constant const double *
#endif
#define TABLES __global const double *

double integrand(const double *x, SLOTS slot, TABLES table);

#endif
