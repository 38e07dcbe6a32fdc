/* The number of elements above which a device is faster than the CPU. */
#ifndef STABLECL_RUN_CROSSOVER_H
#define STABLECL_RUN_CROSSOVER_H

#include "job.h"

/* Number of kinds of jobs: values, quantiles and random numbers, each with one shape and with a shape per element. */
#define CROSSOVER_KINDS 6

/* Returns the kind of a job, or -1 if the job has no crossover. */
int crossover_kind(const struct element_job *);
const char *crossover_name(int kind);

/* Returns the number of elements above which the device is faster: NaN if it was not measured, infinite if the
 * device is never faster. */
double crossover_of(int kind);

/* Times small jobs of a kind on the device and on the CPU and keeps the result. */
int crossover_measure(int kind, const struct target *device, const struct target *cpu,
                      struct status *);

/* Discards the measurements, for example because the device has changed. */
void crossover_forget(void);

/* For tests: sets a crossover for all kinds that replaces the measurements; NaN restores the measurements. */
void crossover_force(double elements);
int crossover_is_forced(void);

#endif
