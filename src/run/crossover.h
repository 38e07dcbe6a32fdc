/* From how many elements on a device is faster than the CPU. */
#ifndef STABLECL_RUN_CROSSOVER_H
#define STABLECL_RUN_CROSSOVER_H

#include "sessions.h"
#include "task.h"

/* Jobs are of so many kinds here: eval, quantile and random, each with one shape and with a
 * shape per element. */
#define CROSSOVER_KINDS 6

/* -1 for a task that no device does. */
int crossover_kind(const struct task *);
const char *crossover_name(int kind);

/* Elements from which on the device is faster: NaN if that was not measured, infinite
 * if it never is. */
double crossover_of(int kind);

/* Times small jobs of a kind in both places and keeps the result. */
int crossover_measure(int kind, const struct place *device, const struct place *cpu,
                      struct status *);

/* Another device: measure again. */
void crossover_forget(void);

/* For the tests: a number for all kinds instead of measurements; NaN ends that. */
int crossover_is_forced(void);
void crossover_force(double elements);
int crossover_is_forced(void);

#endif
