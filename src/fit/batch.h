/* Fits of many data sets, each on one thread, or in lock-step on a device.
 *
 * A result depends on its data set only, not on the other data sets or on the number of threads (on a device: up to
 * rounding).  If a device is used, the small data sets are fitted together (lockstep.h).  Data sets of SHARED values or
 * more (evaluate.h) come last, one after another, each with all threads.
 */
#ifndef STABLECL_FIT_BATCH_H
#define STABLECL_FIT_BATCH_H

#include "fit.h"

/* Fits `count` data sets; result[i] belongs to data set i.  Returns 0 or the code of a failure. */
int batch_fit(const struct fit_data *, size_t count, const struct fit_preference *, struct fit_result *, poll_function,
              struct status *);

/* Frees the fitters that are kept between calls. */
void batch_unload(void);

#endif
