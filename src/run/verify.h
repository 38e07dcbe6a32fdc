/* Compares results of devices with those of the CPU.
 *
 * A device may compute wrongly although its self-test went well.  The CPU recomputes some elements of each slice of
 * values, quantiles and random numbers, and one block or sample of each slice of sums; a difference that rounding does
 * not explain is a failure of the device.  The first slice of every kind of job in a session is always compared; later
 * ones as long as the comparisons of this kind take a small share of the time that the device takes.
 */
#ifndef STABLECL_RUN_VERIFY_H
#define STABLECL_RUN_VERIFY_H

#include "task.h"

/* Compares a slice of a task, which took the device so many seconds; ST_DEVICE if its results are wrong.  Elements of
 * this slice that the device had left to the CPU are then no longer in the list of those. */
int verify_slice(const struct task *, const struct slice *, double seconds, struct status *);

/* The same for requests number `first` to `last` - 1. */
int verify_many(const struct many_job *, size_t first, size_t last, double seconds, struct status *);

/* A session on devices begins. */
void verify_begin(void);

/* Frees what is kept from call to call. */
void verify_unload(void);

#endif
