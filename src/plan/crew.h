/* plan/crew.h: the exact path of one law on two threads, one for each side of a chart.
 *
 * A chart whose exact values hardly share panels, as for alpha -> 1 and beta -> 0, takes tens of
 * milliseconds.  More threads would have to meet at every binade, and where other programs keep the
 * processors busy each meeting costs a time slice.
 */
#ifndef STABLECL_CREW_H
#define STABLECL_CREW_H

#include "shape.h"

#define CREW 2

struct crew {
    struct shape *shape[CREW];          /* each thread has one, with panels of its own; NULL: not hired yet */
    int count;                          /* threads that may be used */
};

/* Use no more threads than that, and one if memory is short.  0 if it is too short for that.  The
 * struct begins as zeros. */
int crew_hire(struct crew *, int threads);
void crew_free(struct crew *);

/* Make a law current. */
void crew_set(struct crew *, double alpha, double beta);

#endif
