/* A search for a maximum of the log-likelihood, as a machine that asks and is answered.
 *
 * It knows no sample: whoever drives it looks where scoring_asks() points and hands over what is there, so that many
 * searches can be driven in step.
 *
 *     scoring_begin(&s, &coordinates, tolerance, most_steps);
 *     while ((y = scoring_asks(&s))) { ...; scoring_answer(&s, &answer); }
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

enum scoring_end { SCORING_GOES_ON, SCORING_AT_MAXIMUM, SCORING_STUCK, SCORING_TOO_LONG, SCORING_NOWHERE,
                   SCORING_KNOWN };

struct scoring {
    struct coordinates c;
    double y[PARAMETERS];               /* the best place so far */
    struct answer here;                 /* what is there; value -Inf: not asked yet */
    double information[PARAMETERS][PARAMETERS];
    double trial[PARAMETERS];           /* where it asks */
    double step[PARAMETERS], promise, damping;
    double tolerance, total;            /* of the weights */
    int steps, most_steps, refused;     /* was the last step refused? */
    enum scoring_end end;
};

/* From c->base on.  A log-likelihood is a sum of weights `total`. */
void scoring_begin(struct scoring *, const struct coordinates *, double total, double tolerance, int most_steps);

/* Where to look, NULL once it has ended. */
const double *scoring_asks(const struct scoring *);
void scoring_answer(struct scoring *, const struct answer *);

/* The distance of y from another place that has this information, in standard errors. */
double scoring_distance(double information[PARAMETERS][PARAMETERS], const double *a, const double *b);

#endif
