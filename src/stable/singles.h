/* Values of elements each of which has a distribution of its own, SINGLES at a time, with the searches for the peaks of
 * their integrands side by side (peaks.h).  The value of an element does not depend on the other ones.  For C only.
 */
#ifndef STABLECL_STABLE_SINGLES_H
#define STABLECL_STABLE_SINGLES_H

#include "standard.h"

#define SINGLES NODES

struct singles {
    int count;
    struct standard law[SINGLES];
    struct standardised_argument at[SINGLES];
    struct stable_value v[SINGLES];
    int is_open[SINGLES];               /* the value is not computed yet */
};

/* Adds the argument z (finite) of the standard distribution of (alpha, beta), and returns its number. */
int singles_add(struct singles *, double alpha, double beta, struct argument z);

/* Computes v of all elements.  without_tail: only v.pdf, its scale and the error are valid. */
void singles_compute(struct singles *, int without_tail);

#endif
