/* The derivatives of log f of the standard law in x, alpha and beta. */
#ifndef STABLECL_STABLE_SCORE_H
#define STABLECL_STABLE_SCORE_H

#include "user_score.h"
#include "shape.h"

struct scorer;                          /* belongs to one thread, as a shape does */

struct scorer *scorer_new(void);        /* NULL when memory is short */
void scorer_free(struct scorer *);      /* NULL is fine */

/* Make (alpha, beta) current; domain as in shape_set(). */
void scorer_set(struct scorer *, double alpha, double beta);

/* The scores at x (finite), in alpha and beta at fixed x if fixed_x, otherwise at a fixed distance from
 * zeta (alpha != 1).  Where there is no density, or a derivative was not found, its error is infinite. */
void scorer_eval(struct scorer *, struct abscissa x, int fixed_x, struct scores *);

/* The same to some six digits, of which no error is known, for a tenth of the work: to steer by. */
void scorer_steer(struct scorer *, struct abscissa x, int fixed_x, struct scores *);

/* The mode of the standard law and its derivatives. */
void scorer_mode(struct scorer *, struct mode_slopes *);

#endif
