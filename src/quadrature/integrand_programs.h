/* Device programs that contain a user's integrand, cached for the session.
 *
 * A program is identified by its kernels and the text of its integrand.  The text contains no numbers, so that one
 * program serves all parameters and constants.
 */
#ifndef STABLECL_QUADRATURE_INTEGRAND_PROGRAMS_H
#define STABLECL_QUADRATURE_INTEGRAND_PROGRAMS_H

#include "integrand_jobs.h"
#include "../run/device/gpu.h"

#ifdef STABLECL_OPENCL

#define INTEGRANDS 64                   /* cached programs; the least recently used one is replaced first */

/* The kernels of jobs over a box, by enum box_use. */
extern const struct integrand_kernels box_kernels[];

struct integrand {
    char *source;                       /* NULL: an unused entry */
    const struct integrand_kernels *kernels;
    cl_program program, later;          /* later: NULL until it is needed */
    cl_kernel kernel[INTEGRAND_KERNELS];
    cl_kernel values;                   /* integrand_values() of values.cl, or NULL */
    int is_verified;                    /* its values have been compared with the CPU's */
    int is_partial;                     /* it computes values of distributions by interpolants only */
    int is_insufficient;                /* a kernel needed other values: integrand_get() builds the whole program */
    double seconds;                     /* approximate seconds of one value by a work item */
    size_t local;                       /* work-group size of the first of its kernels */
    unsigned long used;                 /* value of `uses` at the last use */
    double rate;                        /* recent integrals per second; 0: unknown */
    double usual;                       /* evaluations sufficient for nearly all of these integrals; 0: unknown */
    int capacity;                       /* subregions that their groups can store */
};

struct integrands {
    struct integrand cached[INTEGRANDS];
    unsigned long uses;
};

/* The constants of an integrand on a device.  flag: bytes of the tables before their last double, the flag that kernels
 * of partial programs set. */
struct integrand_constants { cl_mem pool, table; size_t flag; };

/* Distributions within an integrand.  Most integrals need no values of distributions other than those of interpolants,
 * and without the others a program takes 0.5 s to build instead of 4.6 s (dstable, H200, driver 580).  The first
 * program of an integrand is therefore partial: a kernel that needs another value sets a flag
 * (integrand/laws_interpolated.cl).  A function that reads results of a partial program reads the flag, too.  If it is
 * set, is_insufficient is set, the results are discarded, and the slice is computed again, beginning with
 * integrand_get(), which replaces the program. */

/* Returns the program, and builds it if it is not cached or is insufficient.  The result is 0 or a status code:
 * ST_UNSUPPORTED if a value takes too long for a device, whose kernels cannot be interrupted. */
int integrand_get(struct gpu *, struct integrands *, const struct integrand_kernels *, const char *source,
                  struct integrand_reference *, struct integrand **, struct status *);

/* TRUE if the second kernel is a program that has not been built. */
static inline int integrand_needs_kernel(const struct integrand *one)
{
    return one->kernels->later && !one->later;
}

/* Builds the second kernel and compares its program's values with the CPU's.  Returns 0 or a status code. */
int integrand_complete(struct gpu *, struct integrand *, struct integrand_reference *,
                       const struct integrand_constants *, struct status *);

/* Compares the values of a new program with the CPU's; its constants and tables are on the device.  Returns 0 or a
 * status code: ST_DEVICE if values differ. */
int integrand_verify(struct gpu *, struct integrand *, struct integrand_reference *,
                     const struct integrand_constants *, struct status *);

/* Reads the flag of a partial program after the commands in the queue; 0 for other programs.  Unless it waits, *flag is
 * valid when the queue's next commands have ended.  Returns 0 or a status code. */
int integrand_read_flag(struct gpu *, const struct integrand *, cl_command_queue, const struct integrand_constants *,
                        int waits, cl_int *flag, struct status *);

/* Waits for the commands in the first queue, and sets is_insufficient if the flag is set. */
int integrand_check_flag(struct gpu *, struct integrand *, const struct integrand_constants *, struct status *);

/* Returns the approximate number of evaluations of the device in LAUNCH_SECONDS with this number of work items. */
double integrand_evaluations(const struct gpu *, const struct integrand *, double items);

/* TRUE if the program is cached and not insufficient. */
int integrand_is_cached(const struct integrands *, const struct integrand_kernels *, const char *source);

/* Rounds `count` numbers to single precision and stores them as floats in the same memory. */
void numbers_to_single(double *, size_t count);

/* TRUE if the program of a device is insufficient.  Then all partial programs are marked, because all devices need the
 * same values. */
int integrands_insufficient(struct integrand *const *program, int devices);

void integrands_close(struct gpu *, struct integrands *);

#endif
#endif
