/* Fits of many data sets in lock-step, with sums that a device computes.
 *
 * Thousands of fits are in progress at a time.  In each round, every fit runs to its next request (replay_log.h), and a
 * device computes the sums of all requests at once (many_job in backend.h).  When few fits are left, or the device is
 * given up, the threads of the CPU finish the remaining fits.
 *
 * The sums of the device and of the CPU agree up to rounding.  Which of the two computes a sum may depend on the other
 * data sets.
 */
#ifndef STABLECL_FIT_LOCKSTEP_H
#define STABLECL_FIT_LOCKSTEP_H

#include "fit.h"

/* TRUE if a data set can be fitted in lock-step. */
int lockstep_take(const struct fit_data *);

/* One fitter for each thread, with their stop flag attached. */
struct lockstep_pool {
    struct fitter *fitters;
    int threads;
    struct stop_flag *stop;
};

/* Fits those of `count` data sets for which lockstep_take() is TRUE.  Returns 0 or the code of a failure. */
int lockstep_fit(const struct lockstep_pool *, const struct fit_data *, size_t count, const struct fit_preference *,
                 struct fit_result *, struct status *);

/* Returns the seconds spent in each phase since the last call (`exact`: time on the device for exact sums), and the
 * numbers of rounds, of requests, and of fits finished on the CPU.  For benchmarks. */
struct lockstep_times { double prepare, search, device, exact, answer, rest, rounds, requests, on_cpu; };
struct lockstep_times lockstep_times(void);

#endif
