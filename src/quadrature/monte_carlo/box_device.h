/* Kernels that take an integrand at points of a box, one run after the other. */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_BOX_DEVICE_H
#define STABLECL_QUADRATURE_MONTE_CARLO_BOX_DEVICE_H

#include "../integrals_device.h"

#ifdef STABLECL_OPENCL

struct device_box box_of(const struct box_job *);

/* A run's memory, in lane 0; what its kernels read is on its way there: the box and `more` bytes behind it. */
int box_begin(struct integrals *, struct gpu *, const struct box_job *, const void *more, size_t more_size,
              size_t out_size, struct integrand **, struct status *);

/* Groups of `local` work items.  Arguments: the job, what was copied in, slots, tables, what comes out. */
int box_start(struct integrals *, struct gpu *, cl_kernel, const void *job, size_t job_size, size_t groups,
              size_t local, struct status *);

/* A run's shares, `most` at a time, as far as the slice goes: part() begins and reads some of them. */
struct box_parts {
    struct integrals *integrals;
    struct gpu *gpu;
    struct integrand *integrand;
    const void *order;                  /* the job of the backend's contract */
    void *job;                          /* that of the kernels */
    size_t shares, most;
    int (*run)(const struct box_parts *, size_t first, size_t shares, struct status *);
};

/* Shares of `share` points each for a kernel's run, of `points` in all or fewer if these take too long; one at
 * least. */
size_t box_most(const struct gpu *, const struct integrand *, size_t points, double share);

int box_slice(const struct box_parts *, struct slice *, struct status *);

/* `size` bytes of what came out, from `from` on, once all is done; until the next call.  NULL: a failure. */
const char *box_read(struct integrals *, struct gpu *, size_t from, size_t size, struct status *);

#endif
#endif
