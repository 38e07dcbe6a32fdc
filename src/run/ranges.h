/* The table of quantities: how the CPU computes the elements [from, to) of a job on one thread (workers.h).
 *
 * A result depends only on its own arguments, not on the range or the thread.
 */
#ifndef STABLECL_RUN_RANGES_H
#define STABLECL_RUN_RANGES_H

#include "workers.h"
#include "../interpolant/build.h"

/* Approximate seconds per element (measured at 2 to 3 GHz): with one shape for all elements, and with a shape
 * that changes between elements. */
struct cost { double same, varying; };

struct quantity_method {
    const char *name;                   /* by which R requests it; "": it has an entry point of its own */
    int columns;                        /* number of outputs; if several, R receives a matrix */
    range_function range;               /* of a struct evaluation; for sums of blocks, from and to are blocks */
    int (*prepare)(struct worker *);    /* allocates what range() needs besides the shape, unless present; returns 0
                                           if memory is short; NULL: it needs nothing else */
    struct cost cost;                   /* by the formulas */
};

extern const struct quantity_method quantity_methods[QUANTITIES];

/* The range function of JOB_VALUES. */
int values_range(const void *evaluation, struct worker *, size_t from, size_t to);

/* --- interpolants (interpolated.c) --- */

/* Smallest number of elements for which an interpolant (interpolant/build.h) is built; from this number on two
 * of three shapes gain by it.  Building mostly takes 1.5 ms; exact evaluation takes 0.3 us per element and 30 us
 * per node set.  Existing interpolants are also used for smaller jobs. */
#define BUILD_INTERPOLANT 5000

/* Compute elements [from, to) of JOB_VALUES without error estimates, or of JOB_QUANTILES if the interpolant has a
 * quantile interpolant.  Elements outside the interpolant are evaluated by point_eval() or point_quantile().  Return
 * whether NaNs were produced. */
int interpolated_values(const struct evaluation *, struct worker *, size_t from, size_t to);
int interpolated_quantiles(const struct evaluation *, struct worker *, size_t from, size_t to);

#endif
