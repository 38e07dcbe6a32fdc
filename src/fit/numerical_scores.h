/* Gradient and outer products of the scores from exact log densities. */
#ifndef STABLECL_FIT_NUMERICAL_SCORES_H
#define STABLECL_FIT_NUMERICAL_SCORES_H

#include "evaluate.h"

/* All but the value of an answer. */
int scores_by_differences(struct evaluator *, const struct coordinates *, const double *y, struct answer *,
                          struct status *);

#endif
