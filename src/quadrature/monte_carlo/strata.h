/* The strata of an integral, and the allocation of the subcubes of an iteration to them
 * (quadrature/monte_carlo/subcubes.h).
 *
 * Subcubes are computed in shares of 2^share_bits.
 */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_STRATA_H
#define STABLECL_QUADRATURE_MONTE_CARLO_STRATA_H

#include "../quadrature.h"
#include "subcubes.h"

struct strata {
    size_t count, room, shares, share_room;
    int dim, cuts[AXES_MAX];
    int even;                           /* subcubes are allocated evenly, because spreads are unknown */
    int share_bits;
    struct strata_plan plan;
    float *spread;                      /* s_h^0.75 for each stratum, averaged over iterations (strata.c) */
    uint32 *order;                      /* numbers of the strata, by rank */
    float *seen;                        /* s_h^0.75 of this iteration, by rank; first only of strata within a share */
    unsigned short *key;                /* workspace of strata_allocate() */
    struct strata_sums *share;
};

/* Chooses the strata for this number of subcubes and iteration.  A new stratum takes the spread of the previous stratum that contains
 * its centre.  Returns 0 if memory is short. */
int strata_cut(struct strata *, int dim, double subcubes, uint32 round);

/* Allocates this number of subcubes, or slightly fewer, at least one to each stratum, and memory for their shares.
 * Returns 0 if memory is short. */
int strata_allocate(struct strata *, double subcubes);

/* Updates the spreads of the strata by the shares of an iteration. */
void strata_learn(struct strata *);

#endif
