/* The table of quantities: how the CPU computes the elements [from, to) of a job on one thread (thread_pool.h).
 *
 * A result depends only on its own arguments, not on the range or the thread.
 */
#ifndef STABLECL_RUN_RANGES_H
#define STABLECL_RUN_RANGES_H

#include "thread_pool.h"

/* Approximate seconds per element (measured at 2 to 3 GHz): with one shape for all elements, and with a shape
 * that changes between elements. */
struct cost { double same, varying; };

struct quantity_method {
    const char *name;                   /* by which R requests it */
    int columns;                        /* number of outputs that R receives; 1: a vector */
    range_function range;               /* of a struct evaluation; for sums of blocks, from and to are blocks */
    int (*prepare)(struct worker *);    /* allocates what range() needs besides the shape, unless present; returns 0
                                           if memory is short; NULL: it needs nothing else */
    struct cost cost;                   /* by the formulas */
};

extern const struct quantity_method quantity_methods[QUANTITIES];

/* The range function of JOB_VALUES. */
int values_range(const void *evaluation, struct worker *, size_t from, size_t to);

#endif
