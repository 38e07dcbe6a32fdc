/* The table of the methods of gintegrate().  The entry points, the dispatcher and R take names, numbers of axes and
 * functions from it: a new method is one line in methods.c.
 */
#ifndef STABLECL_QUADRATURE_METHOD_H
#define STABLECL_QUADRATURE_METHOD_H

#include "quadrature.h"

typedef int (*integral_method)(const struct integral_job *, const struct sampler *, poll_function, struct status *);

struct quadrature_method {
    const char *name;                   /* as in gintegrate(method = ) */
    int has_one_axis;                   /* integrates over one axis */
    int axes_most;                      /* largest number of axes from 2 on; 0: one axis only */
    int takes_breaks;                   /* takes points at which a range over one axis is divided */
    integral_method cpu;
    enum sampling_kind sampling;        /* NO_SAMPLING unless points are spread over the whole range */
    enum integrand_use use;             /* the kernels of the method */
    int (*runs_on_devices)(const struct integral_job *);    /* NULL: always */
};

#define QUADRATURE_METHODS 9
extern const struct quadrature_method quadrature_methods[QUADRATURE_METHODS];

/* Returns the method of this name; NULL if there is none. */
const struct quadrature_method *quadrature_method_of(const char *name);

/* The names of the statuses in the result of gintegrate(). */
extern const char *const integral_status_name[INTEGRAL_STATUSES];

#endif
