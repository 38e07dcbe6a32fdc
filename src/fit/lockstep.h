/* Fits of many data sets in step, whose sums a device computes.
 *
 * Thousands of fits are in flight.  In a round each of them goes on to its next question (replay_log.h), and a device
 * answers all of them at once (many_job in backend.h).  When few are left in flight, or the device is given up, the
 * threads of the processor see each of them to its end.
 *
 * The sums are those of the processor but for rounding; which of the two has computed a sum may depend on the other
 * data sets.
 */
#ifndef STABLECL_FIT_LOCKSTEP_H
#define STABLECL_FIT_LOCKSTEP_H

#include "fit.h"

/* May a data set fly? */
int lockstep_take(const struct fit_data *);

/* Those among `count` that may.  One fitter for each of so many threads, the first one's caller polls. */
struct lockstep_pool {
    struct fitter *fitters;
    int threads;
    struct watch *watch;
};

int lockstep_fit(const struct lockstep_pool *, const struct fit_data *, size_t count, const struct fit_preference *,
                 struct fit_result *, struct status *);

/* Where the time has gone since it was asked last, in seconds, `exact` being the device's time for exact sums; and
 * counts.  For benchmarks. */
struct lockstep_times { double prepare, search, device, exact, answer, rest, rounds, requests, on_cpu; };
struct lockstep_times lockstep_times(void);

#endif
