/* The gradient and the outer products of the scores, by finite differences of exact log densities. */
#ifndef STABLECL_FIT_NUMERICAL_SCORES_H
#define STABLECL_FIT_NUMERICAL_SCORES_H

#include "evaluate.h"

/* Computes all members of an answer but its value.  Returns 0 or the code of a failure. */
int scores_by_differences(struct evaluator *, const struct coordinates *, const double *y, struct answer *,
                          struct status *);

#endif
