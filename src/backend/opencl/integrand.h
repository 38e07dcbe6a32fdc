/* backend/opencl/integrand.h: programs with an integrand of the user's, kept for the session.
 *
 * A program is known by the text of its integrand, which holds no numbers: it serves all parameters and constants.
 */
#ifndef STABLECL_OPENCL_INTEGRAND_H
#define STABLECL_OPENCL_INTEGRAND_H

#include "gpu.h"

#ifdef STABLECL_OPENCL

#define INTEGRANDS 32                   /* kept; the one that was used longest ago goes first */

/* What is made of an integrand, and the kernels of each. */
enum integrand_use { FOR_GK, FOR_BOX };
enum { GK_BEGIN, GK_REFINE, CUBES_SHARES = 0, LATTICE_SUMS, LATTICE_BINS, INTEGRAND_KERNELS };

struct integrand {
    char *source;                       /* NULL: a free place */
    cl_program program;
    cl_kernel kernel[INTEGRAND_KERNELS];
    size_t local;                       /* of the first one */
    unsigned long used;
    double rate;                        /* integrals per second of late; 0: not known */
};

struct integrands {
    struct integrand kept[INTEGRANDS];
    unsigned long uses;
};

/* Builds what is not there.  One text has one use.  0 or a code. */
int integrand_get(struct gpu *, struct integrands *, enum integrand_use, const char *source, struct integrand **,
                  struct status *);

int integrand_is_kept(const struct integrands *, const char *source);

void integrands_close(struct gpu *, struct integrands *);

#endif
#endif
