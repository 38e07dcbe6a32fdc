/* integrate/interval.h: the rule of Gauss and Kronrod on an interval, with the error estimate of QUADPACK.  With K
 * and G the two rules, m = K/(b - a) and
 *
 *     A = rule K for |f|,    B = rule K for |f - m|,
 *     error = B min(1, (200 |K - G|/B)^1.5),  and at least 50 eps A where that is no underflow
 *
 * (Piessens, de Doncker-Kapenga, Ueberhuber and Kahaner 1983, QUADPACK, doi:10.1007/978-3-642-61786-7, section 2.2).
 *
 * An interval with values that are not finite has an infinite error, and the value NaN if none is finite.  There is
 * one exception, on a half-line: where they begin beyond the last value of 0 they count as 0, for they are 0 times
 * infinity.
 */
#ifndef STABLECL_INTERVAL_H
#define STABLECL_INTERVAL_H

#include "../core/gauss_kronrod.h"
#include "parts.h"
#include "piece.h"

struct interval {
    struct piece piece;                 /* size: A */
    struct part part;
};

/* The GK_POINTS abscissas. */
void interval_points(const struct interval *, double *x);

/* Value, error and size from the values there. */
void interval_sum(struct interval *, const double *f);

/* The t of the last finite value on the way out, if it is 0: what is not finite beyond counts as 0.  Else -Inf. */
double interval_lost_below(const struct part *, const double *t, const double *f, int count);

/* The two halves, so far without values. */
void interval_halve(const struct interval *, struct interval *left, struct interval *right);

/* Too narrow to be split? */
int interval_is_stuck(const struct interval *);

#endif
