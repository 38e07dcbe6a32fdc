/* Tolerances, statuses and options of all quadrature methods, as the host and the kernels read them; compiled as C and
 * as OpenCL C.  The table of methods (method.h) lists names, defaults and admissible values of the options.
 *
 * Refinement stops when the error is at most the largest of abs_tol, rel_tol times |value|, and 100 eps times the
 * integral of |f| (`size`), below which rounding errors limit every rule.  A term whose value or size has overflowed is
 * dropped: an infinite error would otherwise be within an infinite tolerance.  For every method and backend,
 * statuses_check() decides whether an integral that stopped has converged.
 */
#ifndef STABLECL_QUADRATURE_INTEGRAL_H
#define STABLECL_QUADRATURE_INTEGRAL_H

#include "../special/philox.h"
#include "axes.h"

#define ROUNDING 0x1p-52
#define REST     0.25                   /* share of the tolerance left to subregions that are not bisected */

enum integral_status {
    INTEGRAL_CONVERGED,
    INTEGRAL_MAX_EVAL,                  /* the limit on evaluations is reached */
    INTEGRAL_STUCK,                     /* the intervals left are as narrow as the spacing of numbers */
    INTEGRAL_NOT_FINITE,                /* a NaN or an infinite value that cannot be ignored */
    INTEGRAL_NOT_DONE,                  /* not started, interrupted, or left to the caller */
    INTEGRAL_INCONSISTENT,              /* iterations differ by more than their errors explain */
    INTEGRAL_COARSE,                    /* the given steps are too long for the tolerance */
    INTEGRAL_ROUNDOFF,                  /* rounding errors keep the error above the tolerance */
    INTEGRAL_DIVERGENT,                 /* the integral of |f| is infinite */
    INTEGRAL_STATUSES
};

/* Returns the largest error that the caller's tolerances allow for a value. */
FN double error_allowed(double rel_tol, double abs_tol, double value)
{
    return isfinite(value) ? fmax(abs_tol, rel_tol * fabs(value)) : abs_tol;
}

/* Returns the tolerance at which refinement stops; size: the integral of |f|. */
FN double refinement_tolerance(double rel_tol, double abs_tol, double value, double size)
{
    double allowed = error_allowed(rel_tol, abs_tol, value);
    return isfinite(size) ? fmax(allowed, 100.0 * ROUNDING * size) : allowed;
}

/* --- options besides the tolerances ----------------------------------------------------- */

/* Method forward: the least and the largest step; 0: a fixed share of the range.  blocks: the number of equal intervals
 * in which a finite range of the first axis is stepped through. */
struct forward_options {
    double h_min, h_max;
    int blocks, unused;
};

/* Method blockcut: the number of intervals in a region, enum expansion and enum cut_variant
 * (quadrature/published/continuity.h), and the key of random expansions. */
struct cut_options {
    double cells;
    int expansion, variant;
    struct philox_key key;
};

/* Methods that sample: whether all axes share one importance map, the rounds that adapt it (-1: as many as are useful),
 * its bins (0: MAP_BINS, of which neighbours are merged while a map is coarse), the rounds and iterations in all and
 * the mean number of samples in a stratum (0: the method chooses), the precision of devices (enum precision,
 * run/job.h), and the key of the random numbers. */
struct sampling_options {
    int symmetric, adjust, bins, iterations, samples_per_cube, precision;
    struct philox_key key;
};

/* Method fourier: the factor of the integrand. */
enum fourier_weight { FOURIER_COSINE, FOURIER_SINE };

struct fourier_options { int weight; };

union method_options {
    struct forward_options forward;
    struct cut_options cut;
    struct sampling_options sampling;
    struct fourier_options fourier;
};

#endif
