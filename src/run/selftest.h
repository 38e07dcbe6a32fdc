/* Does a device compute what the CPU computes? */
#ifndef STABLECL_RUN_SELFTEST_H
#define STABLECL_RUN_SELFTEST_H

#include "sessions.h"

/* A few points for every method of evaluation, with one shape throughout and with a shape
 * per element, some quantiles and a small sample.  0, or the code of a failure: that of the
 * device, or ST_DEVICE for a result that is off by more than the sum of two errors. */
int selftest(const struct place *tested, const struct place *trusted, struct status *);

#endif
