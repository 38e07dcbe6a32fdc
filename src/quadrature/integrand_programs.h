/* Programs with an integrand of the user's, kept for the session.
 *
 * A program is known by its use and the text of its integrand, which holds no numbers: it serves all parameters and
 * constants.
 */
#ifndef STABLECL_QUADRATURE_INTEGRAND_PROGRAMS_H
#define STABLECL_QUADRATURE_INTEGRAND_PROGRAMS_H

#include "integrand_jobs.h"
#include "../run/device/gpu.h"

#ifdef STABLECL_OPENCL

#define INTEGRANDS 64                   /* kept; the one that was used longest ago goes first */

/* The kernels of a use: those of integrals, one of which is missing in most; the one that goes over a box, or two. */
enum { EACH_INTEGRAL, GROUP_INTEGRAL, OVER_BOX = 0, LATTICE_BINS, INTEGRAND_KERNELS };

struct integrand {
    char *source;                       /* NULL: a free place */
    enum integrand_use use;
    cl_program program;
    cl_kernel kernel[INTEGRAND_KERNELS];
    cl_kernel values;                   /* values.cl */
    int is_verified;                    /* its values were compared with the processor's */
    double seconds;                     /* that a value takes a work item, about */
    size_t local;                       /* of the first one that is there */
    unsigned long used;
    double rate;                        /* integrals per second of late; 0: not known */
    double usual;                       /* evaluations that were enough for nearly all of these; 0: not known */
    int capacity;                       /* of their groups */
};

struct integrands {
    struct integrand kept[INTEGRANDS];
    unsigned long uses;
};

/* Builds what is not there.  0 or a code: ST_UNSUPPORTED where a value takes too long for a device, whose kernels
 * nothing can interrupt. */
int integrand_get(struct gpu *, struct integrands *, enum integrand_use, const char *source,
                  struct integrand_reference *, struct integrand **, struct status *);

/* Compares the values of a new program with the processor's, its numbers being on the device.  0 or a code: ST_DEVICE
 * where they differ. */
int integrand_verify(struct gpu *, struct integrand *, struct integrand_reference *, cl_mem slot, cl_mem table,
                     struct status *);

/* Evaluations that the device does in LAUNCH_SECONDS, about, on so many work items. */
double integrand_evaluations(const struct gpu *, const struct integrand *, double items);

int integrand_is_kept(const struct integrands *, enum integrand_use, const char *source);

void integrands_close(struct gpu *, struct integrands *);

#endif
#endif
