/* The maximisation of the log-likelihood: Fisher scoring (scoring.c), Newton steps at the end (newton.c), and the
 * estimate (finish.c). */
#ifndef STABLECL_FIT_MAXIMISE_H
#define STABLECL_FIT_MAXIMISE_H

#include "evaluate.h"

/* A search for a maximum of the log-likelihood by Fisher scoring, with reverse communication.
 *
 * The search does not use the sample: the caller evaluates the log-likelihood at the point that scoring_next_point()
 * returns, and passes the answer to scoring_update(), so that many searches can run in lock-step.
 *
 *     scoring_begin(&s, &coordinates, total, tolerance, max_steps);
 *     while ((y = scoring_next_point(&s))) { ...; scoring_update(&s, &answer); }
 *
 * Each step maximises a quadratic model within the bounds (Fisher scoring with the sum of the outer products of the
 * scores as information matrix; Berndt, Hall, Hall and Hausman 1974).  The diagonal of the information matrix is
 * multiplied by 1 + damping (Levenberg and Marquardt): the damping increases if the log-likelihood rises by less than
 * the model predicts, and decreases to 0 if the predictions are good.  For steps below a standard error, secant updates
 * (Broyden, Fletcher, Goldfarb, Shanno; Nocedal and Wright 2006, doi:10.1007/978-0-387-40065-5, 6.1) replace new outer
 * products, which have a relative difference of order 1/sqrt(n) from the Hessian.
 */

/* SCORING_NO_PROGRESS: no step raises the log-likelihood; SCORING_OFF_SUPPORT: it is -Inf at the first point;
 * SCORING_KNOWN: the caller has recognised a maximum that is known (likelihood.c); SCORING_AT_RANGE_END: the search is
 * at an end of the coordinates' range. */
enum scoring_end { SCORING_RUNNING, SCORING_AT_MAXIMUM, SCORING_NO_PROGRESS, SCORING_TOO_LONG, SCORING_OFF_SUPPORT,
                   SCORING_KNOWN, SCORING_AT_RANGE_END };

struct scoring {
    struct coordinates c;
    double y[PARAMETERS];               /* the best point so far */
    struct answer here;                 /* the answer there; value -Inf: not evaluated yet */
    double information[PARAMETERS][PARAMETERS];  /* minus the Hessian of the model */
    double trial[PARAMETERS];           /* the point to evaluate */
    double step[PARAMETERS], predicted, damping; /* predicted: increase of the log-likelihood */
    double tolerance, total;            /* total: sum of the weights */
    int steps, max_steps, is_rejected; /* is_rejected: the last step */
    enum scoring_end end;
};

/* Starts a search at c->base.  total: sum of the weights; tolerance: the search ends when a step is predicted to raise
 * the log-likelihood by less. */
void scoring_begin(struct scoring *, const struct coordinates *, double total, double tolerance, int max_steps);

/* Returns the point to evaluate, NULL when the search has ended. */
const double *scoring_next_point(const struct scoring *);

/* Continues with the answer at that point. */
void scoring_update(struct scoring *, const struct answer *);

/* Returns the distance between two points in standard errors, given the information matrix. */
double scoring_distance(double information[PARAMETERS][PARAMETERS], const double *a, const double *b);

/* Returns the distance of coordinate j from a value in its standard error at the best point so far; 0 if unknown. */
double scoring_errors_to(const struct scoring *, int j, double value);

/* Newton steps at the end of a search for a maximum, and the information matrix there.  Called in the same way as a
 * search by Fisher scoring.
 *
 * The Hessian is computed by central differences of the gradient with steps of HESSIAN_STEP standard errors: the
 * truncation error is of relative order h^2/n.  For many observations, and for alpha below the tables, where an
 * evaluation is expensive, one-sided differences with shorter steps are sufficient: relative order h/sqrt(n).  Newton
 * steps end when they are below a millionth of a standard error; the error after such a step is smaller by another
 * factor of about ten thousand.
 */
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

/* Sets y to the points that are evaluated next regardless of the answers; returns their number, at most MAX_AHEAD. */
#define MAX_AHEAD  (2 * PARAMETERS)
int newton_ahead(const struct newton *, double y[MAX_AHEAD][PARAMETERS]);

/* Smaller log-likelihood gains do not justify another point. */
#define HIGHER 1e-7

/* Computes the estimate from the best point of all searches, which is moved onto bounds next to it. */
int likelihood_finish(struct evaluator *, const struct problem *, struct scoring *best, struct estimate *,
                      struct status *);

#endif
