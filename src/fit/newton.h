/* Newton steps at the end of a search for a maximum, and the information matrix there.  Called in the same way as a
 * search (scoring.h).
 *
 * The Hessian is computed by central differences of the gradient with steps of HESSIAN_STEP standard errors: the
 * truncation error is of relative order h^2/n.  For many observations, and for alpha below the tables, where an
 * evaluation is expensive, one-sided differences with shorter steps are sufficient: relative order h/sqrt(n).  Newton
 * steps end when they are below a millionth of a standard error; the error after such a step is smaller by another
 * factor of about ten thousand.
 */
#ifndef STABLECL_FIT_NEWTON_H
#define STABLECL_FIT_NEWTON_H

#include "scoring.h"

struct newton {
    struct coordinates c;
    double y[PARAMETERS];               /* the present point */
    struct answer here;                 /* the answer there */
    double slack;                       /* error of a log-likelihood from the tables */
    double sd[PARAMETERS];              /* approximate standard errors, the units of steps */
    double information[PARAMETERS][PARAMETERS];  /* minus the Hessian, over the free parameters */
    int one_sided;                      /* TRUE if differences are one-sided */
    double from[PARAMETERS];            /* the point at which the Hessian was computed */
    /* The point to evaluate, the Newton step, and the distance between the two points of a difference. */
    double trial[PARAMETERS], step[PARAMETERS], width;
    /* phase: HESSIAN or NEWTON (newton.c); axis: column of the Hessian; side: 0 for the point below, 1 above;
     * shortened, rounds, hessians: numbers of halvings of the step, of steps with this Hessian, of Hessians. */
    int phase, axis, side, shortened, rounds, hessians, is_done;
};

/* Starts at y, with the answer `here` of a search there.  total: sum of the weights. */
void newton_begin(struct newton *, const struct coordinates *, const double *y, const struct answer *here,
                  double total);
/* Returns the point to evaluate, NULL when the steps have ended. */
const double *newton_next_point(const struct newton *);

/* Continues with the answer at that point. */
void newton_update(struct newton *, const struct answer *);

/* Sets y to the points that are evaluated next whatever the answers; returns their number, at most MOST_AHEAD. */
#define MOST_AHEAD (2 * PARAMETERS)
int newton_ahead(const struct newton *, double y[MOST_AHEAD][PARAMETERS]);

#endif
