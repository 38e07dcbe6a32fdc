/* Launches kernels that evaluate an integrand at points of a box, one launch after the other. */
#ifndef STABLECL_QUADRATURE_BOX_DEVICE_H
#define STABLECL_QUADRATURE_BOX_DEVICE_H

#include "box_jobs.h"
#include "integrals_device.h"

#ifdef STABLECL_OPENCL

/* Returns the description of the box that is passed to the kernels. */
struct device_box box_of(const struct box_job *);

/* Prepares a run in lane 0 of the device: gets the program, allocates its memory and starts copying what the kernels
 * read, that is, the box, `more_size` bytes after it, the constants and the tables.  Returns ST_OK or a failure
 * code. */
int box_begin(struct integrals *, struct gpu *, const struct box_job *, const void *more, size_t more_size,
              size_t out_size, struct integrand **, struct status *);

/* Launches a kernel with `groups` groups of `local` work items.  Its arguments are the job, the input buffer, the
 * constants, the tables and the output buffer. */
int box_start(struct integrals *, struct gpu *, cl_kernel, const void *job, size_t job_size, size_t groups,
              size_t local, struct status *);

/* The shares of a run, computed `most` at a time; run() launches the kernels for some of them and reads the results. */
struct box_parts {
    struct integrals *integrals;
    struct gpu *gpu;
    struct integrand *integrand;
    const void *order;                  /* the job of the backend interface */
    void *job;                          /* the job as the kernels read it */
    size_t shares, most;
    int (*run)(const struct box_parts *, size_t first, size_t shares, struct status *);
};

/* Returns the number of shares, of `share` points each, for a kernel launch of `points` points, or of fewer if these
 * would take too long; at least 1. */
size_t box_most(const struct gpu *, const struct integrand *, size_t points, double share);

/* Computes the shares of a slice and sets slice->done.  Returns ST_OK or a failure code. */
int box_slice(const struct box_parts *, struct slice *, struct status *);

/* Waits for the kernels and returns `size` bytes of the output buffer, from byte `from` on.  They are valid until the
 * next call.  NULL after a failure. */
const char *box_read(struct integrals *, struct gpu *, size_t from, size_t size, struct status *);

/* Compute a slice of a job on one device and set slice->done.  Return ST_OK or a failure code. */
int strata_run(struct integrals *, struct gpu *, const struct strata_job *, struct slice *, struct status *);
int lattice_run(struct integrals *, struct gpu *, const struct lattice_job *, struct slice *, struct status *);
int line_search_run(struct integrals *, struct gpu *, const struct line_search_job *, struct slice *, struct status *);
int subregions_run(struct integrals *, struct gpu *, const struct subregions_job *, struct slice *, struct status *);
int points_run(struct integrals *, struct gpu *, const struct points_job *, struct slice *, struct status *);
int product_run(struct integrals *, struct gpu *, const struct product_job *, struct slice *, struct status *);

#endif
#endif
