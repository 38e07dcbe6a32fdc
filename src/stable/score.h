/* The derivatives of log f of the standard distribution in x, alpha and beta. */
#ifndef STABLECL_STABLE_SCORE_H
#define STABLECL_STABLE_SCORE_H

#include "user_score.h"
#include "shape.h"

struct scorer;                          /* for use by a single thread, like struct shape */

struct scorer *scorer_new(void);        /* NULL if memory is short */
void scorer_free(struct scorer *);      /* NULL is allowed */

/* Makes (alpha, beta) current; the domain is that of shape_set(). */
void scorer_set(struct scorer *, double alpha, double beta);

/* Computes the scores at x (finite), in alpha and beta at fixed x if fixed_x, otherwise at a fixed distance from zeta
 * (alpha != 1).  Where the density is 0, or a derivative was not found, its error is infinite. */
void scorer_eval(struct scorer *, struct abscissa x, int fixed_x, struct scores *);

/* The same to about six digits, without error estimates, at a tenth of the cost: for choosing steps of iterations. */
void scorer_approximate(struct scorer *, struct abscissa x, int fixed_x, struct scores *);

/* Computes the derivatives of the mode of the standard distribution. */
void scorer_mode(struct scorer *, struct mode_slopes *);

#endif
