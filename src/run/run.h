/* One call: where it runs, and whether that may still change. */
#ifndef STABLECL_RUN_RUN_H
#define STABLECL_RUN_RUN_H

#include "selection.h"
#include "sessions.h"
#include "task.h"

/* An interrupt is noticed within this time (seconds). */
#define SLICE_SECONDS 0.1

/* Jobs that the CPU does in this time are its own, whatever devices there are. */
#define WORTH_SECONDS 0.05

/* To find devices, open one and build programs takes a few tenths of a second: longer
 * jobs must have come up to that. */
#define WAKE_SECONDS 0.5

struct run {
    const struct task *task;
    struct slice slice;
    struct place place, cpu;
    int is_auto, undecided;
};

int run_task(struct task, poll_function, int *nans, struct status *);

int run_move_to(struct run *, const struct selection *devices, struct status *);

/* After a failure on devices: the CPU takes over, or the call has failed. */
int run_device_failed(struct run *, const struct selection *devices, struct status *);

/* Asks at the end of a slice, and now and then where short calls come in a row. */
int run_is_interrupted(poll_function);

#endif
