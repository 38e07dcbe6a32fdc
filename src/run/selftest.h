/* Tests whether a device computes the same results as the CPU. */
#ifndef STABLECL_RUN_SELFTEST_H
#define STABLECL_RUN_SELFTEST_H

#include "job.h"

/* Tests a few points for every method of evaluation, with one shape and with a shape per element, some quantiles
 * and a small sample.  Returns 0 or the code of a failure: that of the device, or ST_DEVICE if a result differs
 * by more than the sum of both errors. */
int selftest(const struct target *tested, const struct target *trusted, struct status *);

#endif
