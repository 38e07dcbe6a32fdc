/* Jobs of integrals, chunk by chunk. */
#ifndef STABLECL_QUADRATURE_INTEGRALS_DEVICE_H
#define STABLECL_QUADRATURE_INTEGRALS_DEVICE_H

#include "integrand_programs.h"

#ifdef STABLECL_OPENCL

#include "integrals_shared.h"

/* Beside the queue of a lane of the device. */
struct integrals_lane {
    struct mirror in, out;
    struct scratch list, subregions;
    struct device_integrals job;
    cl_event done;                      /* NULL: nothing in flight */
    size_t first, count;                /* of cubes.c: shares */
    double issued;                      /* when (threads_clock) */
};

#define SLOTS_SENT 64

struct integrals {
    struct integrands integrands;
    struct integrals_lane lane[GPU_LANES];
    struct scratch slot, table;
    double slot_sent[SLOTS_SENT];       /* what lies in `slot`, for box_device.c */
    size_t slots_sent;                  /* 0: that is not known */
    double completed;                   /* when the last chunk came back */
    size_t last;                        /* size of the last chunk issued */
};

/* The entry of the backend's contract, on one device. */
int integrals_run(struct integrals *, struct gpu *, const struct integrals_job *, struct slice *, struct status *);

/* Numbers of the program (slots, tables) to the device's own memory. */
int integrals_copy(struct gpu *, struct scratch *to, const double *from, size_t count, struct status *);

/* The lane whose turn it is to be settled, and one with nothing in flight; -1 if there is none. */
int integrals_oldest(const struct integrals *);
int integrals_free(const struct integrals *);

/* For what is in flight on the lane. */
int integrals_wait(struct gpu *, struct integrals_lane *, struct status *);

/* What is in flight comes to nothing. */
void integrals_abandon(struct integrals *, struct gpu *);

void integrals_close(struct gpu *, struct integrals *);

#endif
#endif
