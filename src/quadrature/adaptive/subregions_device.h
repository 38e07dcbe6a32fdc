/* Rules for pieces of a box on a device. */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_SUBREGIONS_DEVICE_H
#define STABLECL_QUADRATURE_ADAPTIVE_SUBREGIONS_DEVICE_H

#include "../device_jobs.h"
#include "genz_malik.h"

/* The rule of Genz and Malik (quadrature/adaptive/genz_malik.h) for pieces of the box, each a share.  place: for each the centre along
 * every axis, then the reaches; what the box says of places and values besides is not looked at. */
struct subregions_job {
    struct box_job box;
    int is_half;                        /* each is half of another piece */
    const double *place;
    struct genz_malik_found *found;
};

#ifdef STABLECL_OPENCL

struct gpu;
struct integrals;

/* The entry of the backend's contract, on one device; a slice is of pieces. */
int subregions_run(struct integrals *, struct gpu *, const struct subregions_job *, struct slice *, struct status *);

#endif
#endif
