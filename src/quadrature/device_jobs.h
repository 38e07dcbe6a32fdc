/* What devices compute with an integrand: integrals, or sums over the points of a box.  The layer below (run/) selects the
 * device, opens it, and cuts a job into slices.
 */
#ifndef STABLECL_QUADRATURE_DEVICE_JOBS_H
#define STABLECL_QUADRATURE_DEVICE_JOBS_H

#include "../run/backend.h"
#include "integral.h"

/* What devices make of an integrand, each with a program of its own: integrals by a method of integrate/, or sums over
 * a box, whose jobs begin with a struct box_job: subregions_job, strata_job, lattice_job, product_job, line_search_job. */
enum integrand_use {
    FOR_GK, FOR_TANHSINH, FOR_SIMPSON, FOR_FORWARD, FOR_BCAQ, FOR_CUBATURE,
    FOR_SUBREGIONS, FOR_STRATA, FOR_LATTICE, FOR_PRODUCT, FOR_LINE_SEARCH
};

/* Values of an integrand by the processor at points of the ranges of a job, and differences from them that rounding
 * explains: a device whose program gives others fails.  Input k of point q is x[q inputs + k].  seconds: what a value
 * takes on the processor; infinite if the values took longer than REFERENCE_SECONDS, and the others are not there then.
 * compute() sets all of that, once, and returns 0 or a code: devices call it for programs that are new. */
#define REFERENCE_POINTS  32
#define REFERENCE_SECONDS 0.3
struct integrand_reference {
    int (*compute)(struct integrand_reference *, struct status *);
    int is_computed, inputs;
    double *x, *value, *tolerance, seconds;
};

/* n integrals of one integrand.  `source`: the text of integrand() (quadrature/integrand_kernel.h), after a line that
 * defines AXES.  Columns: lower limits of each axis, upper limits, parameters, each of length 1 or n.  `option`: what
 * the method takes besides.  Those that need more than `capacity` intervals or boxes are left INTEGRAL_NOT_DONE
 * (quadrature/integral.h). */
struct integrals_job {
    enum integrand_use use;
    const char *source;
    struct integrand_reference *reference;
    size_t n, first;                    /* first: the number of the first one in its call */
    int dim, columns;
    const struct column *column;
    const double *breaks, *slot, *table;
    size_t break_count, slots, table_size;
    double rel_tol, abs_tol, max_eval, option[INTEGRAL_OPTIONS];
    int capacity;
    double *value, *error, *evaluations;
    double *bound;                      /* FOR_FORWARD */
    int *status;
};

/* The beginning of the jobs over a box: an integrand of `dim` variables, summed in `shares`.  `source`: the text of
 * integrand(), after a line that defines AXES.  node: for each axis its grid (quadrature/monte_carlo/importance_map.h); NULL: none.  Values count
 * times `scale`. */
struct box_job {
    enum integrand_use use;
    size_t shares;
    const char *source;
    struct integrand_reference *reference;
    int dim, parameters;
    const double *low, *width, *node, *parameter, *slot, *table;
    size_t slots, table_size;
    double scale;
};

/* Computes the first *done integrals on the devices of `preference` (as for backend_preference(); "" for the current
 * one), if there are any.  seconds: expected duration on the CPU; under "auto" a device must be expected to save time. */
int integrals_on_device(const struct integrals_job *, const char *preference, double seconds, poll_function, size_t *done,
                        struct status *);

/* The same for all shares of a job over a box, which has so many points, or for none of them. */
int box_on_device(const struct box_job *, double points, const char *preference, double seconds, poll_function, int *done,
                  struct status *);

#endif
