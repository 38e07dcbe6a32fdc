/* Fits of many data sets, each on one thread, or in step on a device.
 *
 * A result depends on its data set only, not on the others or on the number of threads.  Where a device is used the
 * small ones fly together (lockstep.h).  Data sets of SHARED values and more (evaluate.h) come last, one after the
 * other, each with all threads.
 */
#ifndef STABLECL_FIT_BATCH_H
#define STABLECL_FIT_BATCH_H

#include "fit.h"

int batch_fit(const struct fit_data *, size_t count, const struct fit_preference *, struct fit_result *, poll_function,
              struct status *);

/* Frees what is kept from call to call. */
void batch_unload(void);

#endif
