/* The scores of one distribution at a time, for use by a single thread, like struct shape. */
#ifndef STABLECL_STABLE_SCORER_H
#define STABLECL_STABLE_SCORER_H

#include "score.h"

struct scorer;

struct scorer *scorer_new(void);        /* NULL if memory is short */
void scorer_free(struct scorer *);      /* NULL is allowed */

/* Makes (alpha, beta) current; the domain is that of shape_set(). */
void scorer_set(struct scorer *, double alpha, double beta);

/* Computes the scores at x (score_at() of score_rule.h). */
void scorer_eval(struct scorer *, struct argument x, int fixed_x, struct scores *);

/* Computes the scores to about six digits, without error estimates, at a tenth of the cost, for choosing the steps of
 * iterations. */
void scorer_approximate(struct scorer *, struct argument x, int fixed_x, struct scores *);

/* Computes the derivatives of the mode of the standard distribution. */
void scorer_mode(struct scorer *, struct mode_slopes *);

#endif
