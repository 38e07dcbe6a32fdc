/* Intervals of Gauss-Kronrod quadrature on the CPU, and the extrapolation next to singular points that completes their
 * integrals. */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_SINGULAR_H
#define STABLECL_QUADRATURE_ADAPTIVE_SINGULAR_H

#include "gauss_kronrod.h"
#include "refinement.h"

struct ruled {
    struct subregion subregion;
    struct part part;
    int number;                         /* number of the part of the range */
    double first, last;                 /* ends of that part */
    struct estimate own;                /* estimate without the contribution of neighbours */
};

/* interval_points() and interval_estimates() for RULES intervals. */
void gk_points(const struct part *, double *x);
void gk_estimates(const struct part *, const double *f, struct estimate *);

/* Tries to complete an integral by extrapolation (struct subdivision: complete). */
enum completion singular_complete(struct region_store *, size_t from, size_t to, const struct region_sums *,
                                  double wanted, int is_last, struct totals *result);

#endif
