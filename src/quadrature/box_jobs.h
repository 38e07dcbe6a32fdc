/* The jobs over the points of a box that devices compute, one kind for each method of sampling.  A slice of a job
 * consists of shares. */
#ifndef STABLECL_QUADRATURE_BOX_JOBS_H
#define STABLECL_QUADRATURE_BOX_JOBS_H

#include "integrand_jobs.h"
#include "adaptive/genz_malik.h"
#include "monte_carlo/lattice_points.h"
#include "monte_carlo/subcubes.h"
#include "tensor/product_rules.h"

#define BOX_INPUTS 64                   /* largest number of parameters of a job */

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

/* Points of `shifts` lattices in each part (quadrature/monte_carlo/lattice_points.h).  shift: AXES_MAX words
 * for each lattice.  Outputs: share: the sums over each share of 2^share_bits points, ordered by lattice and
 * then by part; histogram, if not NULL: the sum of v^2 over all points of one lattice, in each bin of the first
 * `binned` axes. */
struct lattice_job {
    struct box_job box;
    int parts, shifts, share_bits;
    struct lattice_part part[LATTICE_PARTS];
    const uint32 *shift;
    struct lattice_sums *share;
    double *histogram;
    int binned;
};

/* Line searches (quadrature/monte_carlo/importance_map.h), one per share.  from: for each its starting point and
 * |f| there; found: LINE_SEARCH_DOUBLES for each. */
struct line_search_job {
    struct box_job box;
    const double *from;
    double *found;
};

/* Product rules (quadrature/tensor/product_rules.h).  Output: the sums of shares first, ..., first + shares -
 * 1, each of 2^share_bits points or the remaining points of a part.  rule: for each part the rules of its axes. */
struct product_job {
    struct box_job box;
    int parts, share_bits;
    struct product_part part[PRODUCT_PARTS];
    const struct product_rule *rule;
    size_t first;
    struct product_sums *share;
};

/* The values of an integrand with several components at points, one per share.  coordinates: of all points along each
 * axis; value: of all points for each component.  The other members of `box` that describe points and values are not
 * used. */
struct points_job {
    struct box_job box;
    int components;
    const double *coordinates;
    double *value;
};

/* Steppers along ranges (quadrature/published/drivers.h), one per share, each of which is advanced until it has
 * finished or a launch has taken long enough.  stepper: `bytes` for each, where its new state is stored, too;
 * parameter: parameter k of stepper v at [k * shares + v], after the steppers in memory; points: values that a stepper
 * requests at a time, by as many of `items` work items; record: memory for `capacity` points that each of them records.
 * The other members of `box` that describe points and values are not used. */
struct steppers_job {
    struct box_job box;
    union method_options option;
    int parameters, points, items, capacity;
    size_t bytes;
    char *stepper;
    double *record;
};

/* The Genz-Malik rule (quadrature/adaptive/genz_malik.h) on subregions of the box, one per share.  coordinates:
 * for each subregion its centre and then its half-widths, by axis.  The other members of `box` that describe points
 * and values are not used. */
struct subregions_job {
    struct box_job box;
    int is_half;                        /* each subregion is one half of another */
    const double *coordinates;
    struct genz_malik_result *found;
};

#endif
