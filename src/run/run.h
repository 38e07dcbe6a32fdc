/* The execution of one call: the backend it runs on, and whether that may still change. */
#ifndef STABLECL_RUN_RUN_H
#define STABLECL_RUN_RUN_H

#include "selection.h"
#include "sessions.h"

/* Largest delay until an interrupt is noticed, in seconds. */
#define SLICE_SECONDS 0.1

/* Jobs that take less time than this on the CPU never use a device (seconds). */
#define WORTH_SECONDS 0.05

/* Finding devices, opening one and building programs takes a few tenths of a second.  Devices are considered
 * only after longer jobs have taken this time in total. */
#define WAKE_SECONDS 0.5

struct run {
    const struct element_job *job;
    struct slice slice;
    struct target place, cpu;
    int is_auto, undecided;
};

int run_job(const struct element_job *, poll_function, int *nans, struct status *);

int run_move_to(struct run *, const struct selection *devices, struct status *);

/* Handles a failure of devices: under "auto" the job continues on the CPU, otherwise the call fails. */
int run_device_failed(struct run *, const struct selection *devices, struct status *);

/* Polls for interrupts at most every half SLICE_SECONDS, so that sequences of short calls are also interruptible. */
int run_is_interrupted(poll_function);

#endif
