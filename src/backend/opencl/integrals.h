/* backend/opencl/integrals.h: jobs of integrals, chunk by chunk. */
#ifndef STABLECL_OPENCL_INTEGRALS_H
#define STABLECL_OPENCL_INTEGRALS_H

#include "integrand.h"

#ifdef STABLECL_OPENCL

#include "kernels/integrals.h"

/* Beside the queue of a lane of the device. */
struct integrals_lane {
    struct mirror in, out;
    struct scratch list, pieces;
    struct device_integrals job;
    cl_event done;                      /* NULL: nothing in flight */
    size_t first;
    double issued;                      /* when (threads_clock) */
};

struct integrals {
    struct integrands integrands;
    struct integrals_lane lane[GPU_LANES];
    struct scratch slot, table;
    double settled;                     /* when the last chunk came back */
    size_t last;                        /* size of the last chunk issued */
};

/* The entry of the backend's contract, on one device. */
int integrals_run(struct integrals *, struct gpu *, const struct integrals_job *, struct slice *, struct status *);

void integrals_close(struct gpu *, struct integrals *);

#endif
#endif
