/* The user's integrand as kernels call it, and the combination of values that the work items of a group hold.
 *
 * integrand/generator.c generates the text of the integrand.
 *
 * x: coordinates of the point, then parameters; pool: constants shared by all points; tables: see
 * integrand/operations.h.
 */
#ifndef STABLECL_QUADRATURE_INTEGRAND_KERNEL_H
#define STABLECL_QUADRATURE_INTEGRAND_KERNEL_H

#include "box_shared.h"
#ifndef SINGLE_PRECISION
#  include "integrals_shared.h"
#endif

#ifndef INPUTS                          /* for kernels compiled without an integrand */
#  define INPUTS INTEGRAL_COLUMNS
#  define AXES 2
#  define COMPONENTS 2
#endif
#ifndef POOL
#  define POOL __constant const real *
#endif
#ifndef COMPONENTS
#  define COMPONENTS 1
#endif
#define TABLES __global const real *

real integrand(const real *x, POOL pool, TABLES table);

/* Stores the values of all COMPONENTS components, of which integrand() is the sum; defined if there are several. */
void integrand_components(const real *x, POOL pool, TABLES table, real *y);

/* Combines the variables `value` of `share` neighbouring work items in pairs by combine(a, b), and stores the result in
 * `value` of each of them.  share: a power of 2; partial: local memory for one value per work item. */
#define REDUCE_GROUP(value, share, partial, combine)                                                    \
    do {                                                                                                \
        int item_ = (int) get_local_id(0), within_ = item_ % (share);                                   \
        (partial)[item_] = (value);                                                                     \
        NO_UNROLL                                                                                       \
        for (int stride_ = (share) / 2; stride_ > 0; stride_ /= 2) {                                    \
            barrier(CLK_LOCAL_MEM_FENCE);                                                               \
            if (within_ < stride_) (partial)[item_] = combine((partial)[item_], (partial)[item_ + stride_]);\
        }                                                                                               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                   \
        (value) = (partial)[item_ - within_];                                                           \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                   \
    } while (0)

#endif
