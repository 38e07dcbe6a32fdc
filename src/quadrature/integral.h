/* What all ways to refine integrals share.
 *
 * Refinement stops when the error is no more than the larger of abs_tol and rel_tol times the value, or 100 eps times
 * the integral of |f| (size), below which rounding limits every rule.  A value or size that has overflowed allows no
 * error: otherwise an infinite error would be within an infinite tolerance.  Whether an integral that stopped has
 * converged is decided in one place (dispatch_judge()), for every method and backend.
 */
#ifndef STABLECL_QUADRATURE_INTEGRAL_H
#define STABLECL_QUADRATURE_INTEGRAL_H

#include "../special/dialect.h"

#define ROUNDING 0x1p-52
#define REST     0.25                   /* of the error wanted, for what is not halved */

#define INTEGRAL_OPTIONS 5              /* numbers that a method may take besides tolerances */

enum integral_status {
    INTEGRAL_CONVERGED,
    INTEGRAL_MAX_EVAL,                  /* the evaluations allowed are used up */
    INTEGRAL_STUCK,                     /* intervals are as narrow as numbers are */
    INTEGRAL_NOT_FINITE,                /* a NaN or an infinite value where it counts */
    INTEGRAL_NOT_DONE,                  /* never looked at, or interrupted */
    INTEGRAL_INCONSISTENT,              /* iterations differ by more than their errors */
    INTEGRAL_COARSE,                    /* the steps asked for were too long for the tolerance */
    INTEGRAL_ROUNDOFF,                  /* rounding keeps the error above the tolerance */
    INTEGRAL_DIVERGENT                  /* the integral of |f| is infinite */
};

/* The error that a caller allows for a value. */
FN double error_allowed(double rel_tol, double abs_tol, double value)
{
    return isfinite(value) ? fmax(abs_tol, rel_tol * fabs(value)) : abs_tol;
}

FN double error_wanted(double rel_tol, double abs_tol, double value, double size)
{
    double allowed = error_allowed(rel_tol, abs_tol, value);
    return isfinite(size) ? fmax(allowed, 100.0 * ROUNDING * size) : allowed;
}

#endif
