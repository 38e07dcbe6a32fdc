/* The last steps to a maximum, and the information there; asks and is answered as a search does.
 *
 * The Hessian comes from central differences of the gradient with steps of HESSIAN_STEP standard errors: the
 * truncation error is of relative order h^2/n.  For many observations, and where no tables serve and
 * an evaluation is expensive, differences to one side do, of steps that are shorter: relative order
 * h/sqrt(n).  Newton steps go on until they are a millionth of a standard error;
 * the error that such a step leaves is smaller by another factor of ten thousand or so.
 */
#ifndef STABLECL_FIT_NEWTON_H
#define STABLECL_FIT_NEWTON_H

#include "scoring.h"

struct newton {
    struct coordinates c;
    double y[PARAMETERS];
    struct answer here;
    double slack;
    double sd[PARAMETERS];              /* rough standard errors, the units of steps */
    double information[PARAMETERS][PARAMETERS];  /* minus the Hessian, of those that move */
    int one_sided;
    double from[PARAMETERS];            /* where the Hessian is from */
    double trial[PARAMETERS], step[PARAMETERS], width;
    int phase, axis, side, shortened, lockstep, hessians, is_done;
};

/* At y, where a search has found `here`. */
void newton_begin(struct newton *, const struct coordinates *, const double *y, const struct answer *here,
                  double total);
const double *newton_asks(const struct newton *);
void newton_answer(struct newton *, const struct answer *);

/* What it asks from now on, whatever the answers: returns how many places, MOST_AHEAD at most. */
#define MOST_AHEAD (2 * PARAMETERS)
int newton_ahead(const struct newton *, double y[MOST_AHEAD][PARAMETERS]);

#endif
