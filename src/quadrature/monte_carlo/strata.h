/* The cubes of an integral, and how the cells of an iteration fall to them (quadrature/monte_carlo/subcubes.h).
 *
 * Cells are computed in shares of 2^share_bits.
 */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_STRATA_H
#define STABLECL_QUADRATURE_MONTE_CARLO_STRATA_H

#include "../quadrature.h"
#include "subcubes.h"

struct strata {
    size_t count, room, shares, share_room;
    int dim, cuts[AXES_MAX];
    int even;                           /* cells are spread evenly, for want of spreads */
    int share_bits;
    struct strata_plan plan;
    float *spread;                      /* s_h^0.75 */
    uint32 *order;                      /* cubes by rank */
    float *seen;                        /* spreads of this iteration by rank, of cubes that lie within a share */
    unsigned short *key;                /* room for allotting */
    struct strata_sums *share;
};

/* Cuts for so many cells; what is known of other cubes goes to those in their places.  0: no memory. */
int strata_cut(struct strata *, int dim, double subcubes);

/* Allots so many cells, at least one to each cube, or a few less, and makes room for their shares.  0: no memory. */
int strata_allocate(struct strata *, double subcubes);

/* What the shares have seen of each cube. */
void strata_learn(struct strata *);

#endif
