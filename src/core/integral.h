/* core/integral.h: what all ways to refine integrals share.
 *
 * An error is good enough if it is no more than the larger of abs_tol and rel_tol times the value, or 100 eps times
 * the integral of |f| (size): below that, rounding rules.
 */
#ifndef STABLECL_INTEGRAL_H
#define STABLECL_INTEGRAL_H

#include "dialect.h"

#define ROUNDING 0x1p-52
#define REST     0.25                   /* of the error wanted, for what is not halved */

#define INTEGRAL_OPTIONS 5              /* numbers that a method may take besides tolerances */

enum integral_status {
    INTEGRAL_CONVERGED,
    INTEGRAL_MAX_EVAL,          /* the evaluations allowed are used up */
    INTEGRAL_STUCK,             /* intervals are as narrow as numbers are */
    INTEGRAL_NOT_FINITE,        /* a NaN or an infinite value where it counts */
    INTEGRAL_NOT_DONE,          /* never looked at, or interrupted */
    INTEGRAL_INCONSISTENT,      /* iterations differ by more than their errors */
    INTEGRAL_COARSE             /* the steps asked for were too long for the tolerance */
};

FN double error_wanted(double rel_tol, double abs_tol, double value, double size)
{
    return fmax(fmax(abs_tol, rel_tol * fabs(value)), 100.0 * ROUNDING * size);
}

#endif
