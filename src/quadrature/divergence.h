/* Screens integrals over one axis for divergence. */
#ifndef STABLECL_QUADRATURE_DIVERGENCE_H
#define STABLECL_QUADRATURE_DIVERGENCE_H

#include "../integrand/sampler.h"

/* Integrals row[0], ..., row[n - 1], numbered from 1.  Limits and parameters are recycled; breaks are increasing. */
struct screened {
    struct column lower, upper;
    const struct column *parameter;
    int parameters;
    const double *breaks;
    size_t break_count;
    const double *row;
    size_t n;
};

/* Sets is_doubtful[k] to 1 if the integrand next to a limit or break of integral row[k] does not decay fast enough to
 * ensure convergence, else to 0.  Returns 0 or a status code. */
int screen_lines(const struct screened *, const struct sampler *, poll_function, int *is_doubtful, struct status *);

#endif
