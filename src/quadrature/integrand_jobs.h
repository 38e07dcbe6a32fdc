/* The jobs of devices with an integrand: integrals, or sums over the points of a box.  The layer run/ selects and
 * opens the device, and divides a job into slices.
 */
#ifndef STABLECL_QUADRATURE_INTEGRAND_JOBS_H
#define STABLECL_QUADRATURE_INTEGRAND_JOBS_H

#include "../run/backend.h"
#include "integral.h"

/* Kernels that devices build for an integrand: those of integrals, of which most methods have only one; or one or two
 * for points in a box. */
enum { EACH_INTEGRAL, GROUP_INTEGRAL, OVER_BOX = 0, LATTICE_BINS, INTEGRAND_KERNELS };

/* file: FILE.cl; later: the file of the second kernel if that is a program of its own, which is built when an integral
 * needs it; otherwise NULL; is_single: the program contains no doubles (special/dialect.h); returns_values: the kernels
 * also evaluate the integrand at the reference points (ranges_kernel.h), which the other programs do by a kernel of
 * values.cl; has_state: results are the input of the next launch, so that a launch cannot be repeated. */
struct integrand_kernels {
    const char *file, *name[INTEGRAND_KERNELS], *later;
    int is_single, returns_values, has_state;
};

/* How devices compute few integrals: as they compute many, one work group each; by evaluating the subregions that the
 * CPU bisects; or, for long integrands, by evaluating the points that the CPU chooses. */
enum few_integrals { FEW_BY_GROUPS, FEW_BY_SUBREGIONS, FEW_BY_POINTS };

/* How devices compute integrals by a method. */
struct device_method {
    struct integrand_kernels kernels;
    int is_short;                       /* few integrals need more than a few hundred points */
    int unit;                           /* points per unit of the count returned */
    int first_subregions;               /* largest number of first subregions of a part */
    size_t subregion_size, axis_size;   /* bytes stored for each subregion, and in addition for each axis */
    double (*points)(int dim);          /* evaluations for one more subregion; NULL: MIN_POINTS (dispatch.c) */
    enum few_integrals few;
};

/* Computations over a box: subregions_job, strata_job, lattice_job, product_job, line_search_job, points_job,
 * steppers_job. */
enum box_use { FOR_SUBREGIONS, FOR_STRATA, FOR_LATTICE, FOR_PRODUCT, FOR_LINE_SEARCH, FOR_POINTS, FOR_SCAQ,
               FOR_FORWARD, FOR_LATTICE_SINGLE, FOR_STRATA_SINGLE };

/* TRUE for those that evaluate the integrand in single precision. */
static inline int is_single_use(enum box_use use)
{
    return use == FOR_LATTICE_SINGLE || use == FOR_STRATA_SINGLE;
}

/* Reference values of an integrand, computed on the CPU at points within the ranges of a job, and the
 * differences from them that rounding explains: a device program that returns other values fails.  Input k of
 * point q is x[q * inputs + k].  seconds: the time per value on the CPU; infinite if the values took longer than
 * REFERENCE_SECONDS, in which case the remaining ones are missing.  compute() sets all members once and returns
 * 0 or the code of a failure; devices call it when a program is new. */
#define REFERENCE_POINTS  32
#define REFERENCE_SECONDS 0.3
struct integrand_reference {
    int (*compute)(struct integrand_reference *, struct status *);
    int is_computed, inputs;
    double *x, *value, *tolerance, *tolerance_single, seconds;
};

/* n integrals of one integrand.  `source`: the text of integrand() (quadrature/integrand_kernel.h), preceded by a line
 * that defines AXES.  Columns: the lower limits of each axis, the upper limits, the parameters and, for Fourier
 * integrals, the frequencies, each of length 1 or n.  Integrals that need more than `capacity` subintervals or
 * subregions are returned as INTEGRAL_NOT_DONE (quadrature/integral.h). */
struct integrals_job {
    const struct device_method *method;
    const char *source;
    struct integrand_reference *reference;
    size_t n, first;                    /* first: index of the first integral in its call */
    int dim, columns;
    const struct column *column;
    const double *breaks, *pool, *table;
    size_t break_count, pool_size, table_size;
    double rel_tol, abs_tol, max_eval;
    union method_options option;
    int capacity;
    double *value, *error, *evaluations;
    double *bound;                      /* NULL unless the method returns bounds */
    int *status;
};

/* The common part of the jobs over a box: an integrand of `dim` variables, summed in `shares`.  `source`: the
 * text of integrand(), preceded by a line that defines AXES.  node: the importance map of each axis
 * (quadrature/monte_carlo/importance_map.h), or NULL.  Values are multiplied by `scale`. */
struct box_job {
    enum box_use use;
    size_t shares;
    const char *source;
    struct integrand_reference *reference;
    int dim, parameters;
    const double *low, *width, *node, *parameter, *pool, *table;
    size_t pool_size, table_size;
    double scale;
};

/* --- running them on the selected devices (device_work.c) --- */

/* Integrals, or a computation over a box; the other pointer is NULL. */
struct integrand_job {
    const struct integrals_job *integrals;
    const struct box_job *box;
};

/* Returns the work of a job for device_dispatch() (run/backend.h): its parts are integrals, or the shares of a box.
 * size: the number of integrals or points.  seconds: expected duration on the CPU; under "auto" a device must be
 * expected to save time. */
struct device_work device_work_of(const struct integrand_job *, double size, double seconds);

#endif
