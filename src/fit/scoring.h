/* A search for a maximum of the log-likelihood by Fisher scoring, with reverse communication.
 * * The search does not use the sample: the caller evaluates the log-likelihood at the point that scoring_next_point()
 * returns, and passes the answer to scoring_update(), so that many searches can run in lock-step.
 *
 *     scoring_begin(&s, &coordinates, total, tolerance, most_steps);
 *     while ((y = scoring_next_point(&s))) { ...; scoring_update(&s, &answer); }
 *
 * Each step maximises a quadratic model within the bounds (Fisher scoring with the sum of the outer products of the
 * scores as information matrix; Berndt, Hall, Hall and Hausman 1974).  The diagonal of the information matrix is
 * multiplied by 1 + damping (Levenberg and Marquardt): the damping increases if the log-likelihood rises by less than
 * the model predicts, and decreases to 0 if the predictions are good.  For steps below a standard error, secant updates
 * (Broyden, Fletcher, Goldfarb, Shanno; Nocedal and Wright 2006, doi:10.1007/978-0-387-40065-5, 6.1) replace new outer
 * products, which have a relative difference of order 1/sqrt(n) from the Hessian.
 */
#ifndef STABLECL_FIT_SCORING_H
#define STABLECL_FIT_SCORING_H

#include "evaluate.h"

/* SCORING_NO_PROGRESS: no step raises the log-likelihood; SCORING_NOWHERE: it is -Inf at the first point;
 * SCORING_KNOWN: the caller has recognised a maximum that is known (likelihood.c). */
enum scoring_end { SCORING_GOES_ON, SCORING_AT_MAXIMUM, SCORING_NO_PROGRESS, SCORING_TOO_LONG, SCORING_NOWHERE,
                   SCORING_KNOWN };

struct scoring {
    struct coordinates c;
    double y[PARAMETERS];               /* the best point so far */
    struct answer here;                 /* the answer there; value -Inf: not evaluated yet */
    double information[PARAMETERS][PARAMETERS];  /* minus the Hessian of the model */
    double trial[PARAMETERS];           /* the point to evaluate */
    double step[PARAMETERS], promise, damping;  /* promise: the predicted increase of the log-likelihood */
    double tolerance, total;            /* total: sum of the weights */
    int steps, most_steps, refused;     /* refused: TRUE if the last step was rejected */
    enum scoring_end end;
};

/* Starts a search at c->base.  total: sum of the weights; tolerance: the search ends when a step is predicted to raise
 * the log-likelihood by less. */
void scoring_begin(struct scoring *, const struct coordinates *, double total, double tolerance, int most_steps);

/* Returns the point to evaluate, NULL when the search has ended. */
const double *scoring_next_point(const struct scoring *);

/* Continues with the answer at that point. */
void scoring_update(struct scoring *, const struct answer *);

/* Returns the distance between two points in standard errors, given the information matrix. */
double scoring_distance(double information[PARAMETERS][PARAMETERS], const double *a, const double *b);

#endif
