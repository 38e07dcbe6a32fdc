/* Computes the values of elements that each have their own distribution, VALUE_BATCH at a time.  The searches for the
 * peaks of their integrands are vectorised over the elements (peaks.h).  The value of an element does not depend on the
 * other elements.  For C only.
 */
#ifndef STABLECL_STABLE_VALUE_BATCH_H
#define STABLECL_STABLE_VALUE_BATCH_H

#include "standard.h"

#define VALUE_BATCH NODES

struct value_batch {
    int count;
    struct standard law[VALUE_BATCH];
    struct standardised_argument at[VALUE_BATCH];
    struct stable_value v[VALUE_BATCH];
    int is_active[VALUE_BATCH];         /* the value is not computed yet */
};

/* Adds the argument z (finite) of the standard distribution of (alpha, beta), and returns its number. */
int value_batch_add(struct value_batch *, double alpha, double beta, struct argument z);

/* Computes v of all elements.  without_tail: only v.pdf, its scale and the error are valid. */
void value_batch_compute(struct value_batch *, int without_tail);

#endif
