/* Jobs that only devices compute: integrals of a translated function, and sums over many samples.  The caller computes
 * what is left on the CPU: everything if no device is selected or worth using, the rest if a device has failed under
 * "auto".
 */
#ifndef STABLECL_RUN_DEVICE_DISPATCH_H
#define STABLECL_RUN_DEVICE_DISPATCH_H

#include "job.h"

/* Determines what a preference selects (as for backend_preference(); "" for the one in force). */
enum wanted { WANTED_CPU, WANTED_AUTO, WANTED_DEVICE };
int backend_wanted(const char *preference, enum wanted *, struct status *);

/* TRUE if "auto" may gain by using a device for integrals that take about `seconds` on the CPU.  If not, no
 * driver is loaded. */
int backend_may_gain(double seconds);

/* A job of `parts` parts, computed by slice() in slices of parts; is_built() returns whether the session has its
 * program. */
struct device_work {
    const void *job;
    size_t parts;
    double size;                        /* number of elements, compared with a crossover that a test has set */
    double seconds;                     /* expected duration on the CPU */
    int (*slice)(struct session *, const void *job, struct slice *, struct status *);
    int (*is_built)(struct session *, const void *job);
};

/* Computes the first *done parts on the devices of `preference` (as for backend_preference(); "" for the current one).
 * Under "auto" a device is used only if it is expected to save time. */
int device_dispatch(const struct device_work *, const char *preference, poll_function, size_t *done, struct status *);

/* Forgets that devices were slower than the CPU. */
void device_dispatch_forget(void);

/* --- many samples --- */

/* backend_takes_many() is TRUE if many samples, which take about `seconds` on the CPU, should be evaluated on a
 * device.  backend_took_many() records how long they took. */
int backend_takes_many(double seconds);
void backend_took_many(int on_device, double expected, double seconds);

/* Returns ST_UNSUPPORTED if no device is in force, or if "auto" has given it up; the caller then uses the CPU. */
int backend_many(const struct many_job *, poll_function, struct status *);

#endif
