/* Evaluates one element of a job.
 *
 * Each function returns 1 if it returned a NaN for arguments that contain none.
 */
#ifndef STABLECL_RUN_ELEMENT_H
#define STABLECL_RUN_ELEMENT_H

#include "../stable/random.h"
#include "../stable/score.h"
#include "../interpolant/tensor_approximation.h"
#include "job.h"

/* The data that a thread keeps between elements: the current shape, its mode, and quantities for random numbers
 * and scores. */
struct worker {
    struct shape *shape;
    double mode_alpha, mode_beta, mode;  /* mode_alpha = 0: not set */
    struct draw_law draw;               /* alpha = 0: not set */
    struct scorer *scorer;              /* NULL: not allocated */
    double slopes_alpha, slopes_beta;   /* slopes_alpha = 0: not set */
    struct mode_slopes slopes;          /* derivatives of the mode */
    struct approximation approximation;  /* for jobs in which each thread has its own law */
    struct approximate_batch *batch;    /* workspace of approximate_range(); NULL: not allocated */
    double *block;                      /* TOTAL_BLOCK values for loglik_range(); NULL: not allocated */
};

/* A job as the CPU computes it: with the law of element 0, and with what replaces the formulas of this law, if all
 * elements have it; NULL: nothing does. */
struct evaluation {
    const struct element_job *job;
    struct user_law law;
    const struct interpolant *interpolant;
    struct approximation *approximation;  /* of (alpha, |beta|); with all pieces built if several threads use it */
};

/* Frees everything that a worker owns, but not the worker itself. */
void worker_clear(struct worker *);

/* alone: no neighbouring element has the same shape, so that no node set is built for it. */
int point_eval(struct worker *, const struct user_law *, double x, int what, int give_log, int alone,
               struct point_values *);
int point_quantile(struct worker *, const struct user_law *, double p, int lower, int log_p,
                   double *q);

/* Computes elements first, ..., first + count - 1 of the stream of a key, all for one law. */
int point_random(struct worker *, const struct user_law *, struct philox_key, uint64 first,
                 size_t count, double *y);

/* Allocates w->scorer, which point_score() needs, unless present; returns 0 if memory is short. */
int score_prepare(struct worker *w);

/* Computes the scores y[SCORE_COLUMNS] in the order of stable/score.h; with is_approximate only to the accuracy
 * that optimisers need. */
int point_score(struct worker *w, const struct user_law *, double x, int is_approximate, double *y);
int point_mode(struct worker *, const struct user_law *, double *mode);

#endif
