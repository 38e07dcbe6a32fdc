/* Compares results of devices with those of the CPU.
 *
 * A device may compute wrong results although it passed its self-test.  The CPU recomputes a few elements of each
 * slice of values, quantiles and random numbers, and one block or sample of each slice of sums; a difference that
 * rounding does not explain is a failure of the device.  The first slice of every kind of job in a session is
 * always compared, later ones as long as the comparisons of this kind take a small fraction of the device's time.
 */
#ifndef STABLECL_RUN_VERIFY_H
#define STABLECL_RUN_VERIFY_H

#include "job.h"

/* Compares a slice of a job, which took `seconds` on the device; returns ST_DEVICE if its results are wrong.
 * In that case the elements of this slice that the device left to the CPU are removed from their list. */
int verify_slice(const struct element_job *, const struct slice *, double seconds, struct status *);

/* Likewise for requests number `first` to `last` - 1. */
int verify_many(const struct many_job *, size_t first, size_t last, double seconds, struct status *);

/* Resets the timings when a session on devices begins. */
void verify_begin(void);

/* Frees the memory kept between calls. */
void verify_unload(void);

/* --- the self-test (selftest.c) --- */

/* Parts of the test, for jobs whose programs differ: values of one shape, and of a shape for each element; quantiles
 * likewise; random numbers; what only large jobs and sums use; and single precision, which is not part of TEST_ALL
 * because a device may lack the double precision of the others. */
enum {
    TEST_ONE = 1, TEST_EACH = 2, TEST_QUANTILES_ONE = 4, TEST_QUANTILES_EACH = 8, TEST_RANDOM = 16, TEST_LARGE = 32,
    TEST_ALL = 63, TEST_SINGLE = 64
};

/* Returns the parts that concern a job. */
unsigned selftest_parts(const struct element_job *);

/* Tests a few points for every method of evaluation, with one shape and with a shape per element, some quantiles
 * and a small sample, as far as they belong to `parts`.  Returns 0 or the code of a failure: that of the device, or
 * ST_DEVICE if a result differs by more than the sum of both errors. */
int selftest(const struct target *tested, const struct target *trusted, unsigned parts, struct status *);

#endif
