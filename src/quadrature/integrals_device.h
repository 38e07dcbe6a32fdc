/* Runs jobs of many integrals on a device, chunk by chunk. */
#ifndef STABLECL_QUADRATURE_INTEGRALS_DEVICE_H
#define STABLECL_QUADRATURE_INTEGRALS_DEVICE_H

#include "integrand_programs.h"

#ifdef STABLECL_OPENCL

#include "integrals_shared.h"

/* Buffers and state of the chunk that a lane of the device computes. */
struct integrals_lane {
    struct mirror in, out;
    struct scratch list, subregions;
    struct device_integrals job;
    cl_event done;                      /* NULL: no chunk in progress */
    size_t first;                       /* number of the chunk's first integral */
    double issued;                      /* time of issue (threads_clock) */
};

#define POOL_SENT 64

struct integrals {
    struct integrands integrands;
    struct integrals_lane lane[GPU_LANES];
    struct scratch pool, table;
    double pool_sent[POOL_SENT];        /* contents of `pool`, for box_device.c */
    size_t pool_sent_size;              /* their number; 0: the contents are unknown */
    double completed;                   /* time at which the last chunk was completed */
    size_t last;                        /* size of the last chunk issued */
};

/* Computes a slice of a job on one device, as the entry `integrals` of struct backend requires. */
int integrals_run(struct integrals *, struct gpu *, const struct integrals_job *, struct slice *, struct status *);

/* Copies constants or tables of the program to device memory. */
int integrals_copy(struct gpu *, struct scratch *to, const double *from, size_t count, struct status *);

/* Return the lane whose chunk is to be completed next, and a lane with no chunk in progress; -1 if there is none. */
int integrals_oldest(const struct integrals *);
int integrals_free(const struct integrals *);

/* Waits for the chunk in progress on a lane. */
int integrals_wait(struct gpu *, struct integrals_lane *, struct status *);

/* Waits for all chunks in progress and discards their results. */
void integrals_abandon(struct integrals *, struct gpu *);

void integrals_close(struct gpu *, struct integrals *);

#endif
#endif
