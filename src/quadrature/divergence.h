/* Which integrals over one axis may diverge. */
#ifndef STABLECL_QUADRATURE_DIVERGENCE_H
#define STABLECL_QUADRATURE_DIVERGENCE_H

#include "../integrand/sampler.h"

/* Integrals row[0 .. n - 1], numbered from 1 on.  Limits and parameters are recycled; breaks are increasing. */
struct screened {
    struct column lower, upper;
    const struct column *parameter;
    int parameters;
    const double *breaks;
    size_t break_count;
    const double *row;
    size_t n;
};

/* Sets is_doubtful[k] to 1 if the values of the integrand next to a limit or break of integral row[k] do not fall fast
 * enough for convergence to be beyond doubt, else to 0.  0 or a code. */
int screen_lines(const struct screened *, const struct sampler *, poll_function, int *is_doubtful, struct status *);

#endif
