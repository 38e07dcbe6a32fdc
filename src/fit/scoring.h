/* fit/scoring.h: a search for a maximum of the log-likelihood, as a machine that asks and is answered.
 *
 * It knows no sample: whoever drives it looks where search_asks() points and hands over what is there, so that many
 * searches can be driven in step.
 *
 *     search_begin(&s, &coordinates, tolerance, most_steps);
 *     while ((y = search_asks(&s))) { ...; search_answer(&s, &answer); }
 *
 * Each step maximises a quadratic model within the bounds (Fisher scoring: the scores' outer products stand for the
 * information; Berndt, Hall, Hall and Hausman 1974), its curvature multiplied by 1 + damping on the diagonal
 * (Levenberg and Marquardt): damping grows where the log-likelihood rises by less than promised and
 * vanishes where it keeps its promises.  Where steps are below a standard error, secant corrections
 * (Broyden, Fletcher, Goldfarb, Shanno; Nocedal and Wright 2006, doi:10.1007/978-0-387-40065-5, 6.1) take over from
 * new outer products, which differ from the Hessian by a part of 1/sqrt(n).
 */
#ifndef STABLECL_FIT_SCORING_H
#define STABLECL_FIT_SCORING_H

#include "evaluate.h"

enum search_end { SEARCH_GOES_ON, SEARCH_AT_TOP, SEARCH_STUCK, SEARCH_TOO_LONG, SEARCH_NOWHERE, SEARCH_KNOWN };

struct search {
    struct coordinates c;
    double y[PARAMETERS];               /* the best place so far */
    struct answer here;                 /* what is there; value -Inf: not asked yet */
    double information[PARAMETERS][PARAMETERS];
    double trial[PARAMETERS];           /* where it asks */
    double step[PARAMETERS], promise, damping;
    double tolerance, total;            /* of the weights */
    int steps, most_steps, refused;     /* was the last step refused? */
    enum search_end end;
};

/* From c->base on.  A log-likelihood is a sum of weights `total`. */
void search_begin(struct search *, const struct coordinates *, double total, double tolerance, int most_steps);

/* Where to look, NULL once it has ended. */
const double *search_asks(const struct search *);
void search_answer(struct search *, const struct answer *);

/* The distance of y from another place that has this information, in standard errors. */
double search_distance(double information[PARAMETERS][PARAMETERS], const double *a, const double *b);

#endif
