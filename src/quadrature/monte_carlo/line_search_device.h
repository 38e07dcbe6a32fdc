/* Runs line searches in a box on a device. */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_LINE_SEARCH_DEVICE_H
#define STABLECL_QUADRATURE_MONTE_CARLO_LINE_SEARCH_DEVICE_H

#include "../integrand_jobs.h"
#include "line_search.h"

/* Line searches (quadrature/monte_carlo/line_search.h), one per share.  from: for each its starting point and
 * |f| there; found: LINE_SEARCH_DOUBLES for each. */
struct line_search_job {
    struct box_job box;
    const double *from;
    double *found;
};

#ifdef STABLECL_OPENCL

struct gpu;
struct integrals;

/* Computes a slice of a job on one device; a slice consists of shares. */
int line_search_run(struct integrals *, struct gpu *, const struct line_search_job *, struct slice *, struct status *);

#endif
#endif
