/* Maximum likelihood with alpha = 2, in closed form. */
#ifndef STABLECL_FIT_GAUSSIAN_H
#define STABLECL_FIT_GAUSSIAN_H

#include "estimate.h"

/* Computes the estimate.  Its loglik is -Inf if alpha is fixed at another value. */
void gaussian_fit(const struct sample *, const struct problem *, struct estimate *);

#endif
