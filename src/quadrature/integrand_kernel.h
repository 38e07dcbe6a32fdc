/* The user's integrand as kernels call it; integrand/generator.c generates its text.
 *
 * x: coordinates of the point, then parameters; pool: constants shared by all points; tables: see
 * integrand/operations.h.
 */
#ifndef STABLECL_QUADRATURE_INTEGRAND_KERNEL_H
#define STABLECL_QUADRATURE_INTEGRAND_KERNEL_H

#include "integrals_shared.h"

#ifndef INPUTS                          /* for kernels compiled without an integrand */
#  define INPUTS INTEGRAL_COLUMNS
#  define AXES 2
#endif
#ifndef POOL
#  define POOL __constant const double *
#endif
#ifndef COMPONENTS
#  define COMPONENTS 1
#endif
#define TABLES __global const double *

double integrand(const double *x, POOL pool, TABLES table);

/* Stores the values of all COMPONENTS components, of which integrand() is the sum; defined if there are several. */
void integrand_components(const double *x, POOL pool, TABLES table, double *y);

#endif
