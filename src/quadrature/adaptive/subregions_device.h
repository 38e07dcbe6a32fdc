/* Applies a rule to subregions of a box on a device. */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_SUBREGIONS_DEVICE_H
#define STABLECL_QUADRATURE_ADAPTIVE_SUBREGIONS_DEVICE_H

#include "../integrand_jobs.h"
#include "genz_malik.h"

/* The Genz-Malik rule (quadrature/adaptive/genz_malik.h) on subregions of the box, one per share.  place: for
 * each subregion its centre and then its half-widths, by axis.  The other members of `box` that describe points
 * and values are not used. */
struct subregions_job {
    struct box_job box;
    int is_half;                        /* each subregion is one half of another */
    const double *place;
    struct genz_malik_found *found;
};

#ifdef STABLECL_OPENCL

struct gpu;
struct integrals;

/* Computes a slice of a job on one device; a slice consists of subregions. */
int subregions_run(struct integrals *, struct gpu *, const struct subregions_job *, struct slice *, struct status *);

#endif
#endif
