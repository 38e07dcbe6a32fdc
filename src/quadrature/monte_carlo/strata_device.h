/* Computes iterations of stratified sampling on a device. */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_STRATA_DEVICE_H
#define STABLECL_QUADRATURE_MONTE_CARLO_STRATA_DEVICE_H

#include "../integrand_jobs.h"
#include "subcubes.h"

/* An iteration of stratified sampling.  order: the strata by rank.  Outputs: share: sums over shares of
 * 2^share_bits subcubes; spread: by rank, the spread of each stratum with fewer subcubes. */
struct strata_job {
    struct box_job box;
    int share_bits;
    const int *cuts;
    size_t strata;
    struct philox_key key;
    uint32 round, integral;
    struct strata_plan plan;
    const uint32 *order;
    struct strata_sums *share;
    float *spread;
};

#ifdef STABLECL_OPENCL

struct gpu;
struct integrals;

/* Computes a slice of a job on one device; a slice consists of shares. */
int strata_run(struct integrals *, struct gpu *, const struct strata_job *, struct slice *, struct status *);

#endif
#endif
