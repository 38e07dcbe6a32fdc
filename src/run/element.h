/* One element of a job.
 *
 * Each function returns 1 if it made a NaN from arguments that held none.
 */
#ifndef STABLECL_RUN_ELEMENT_H
#define STABLECL_RUN_ELEMENT_H

#include "../stable/variate.h"
#include "../stable/score.h"
#include "../interpolant/tensor_approximation.h"
#include "backend.h"

/* What one thread keeps between elements: the current shape, its mode, and
 * what random numbers need of it. */
struct worker {
    struct shape *shape;
    double mode_alpha, mode_beta, mode;  /* mode_alpha = 0: none yet */
    struct draw_law draw;               /* alpha = 0: none yet */
    struct scorer *scorer;              /* NULL: none yet */
    double slopes_alpha, slopes_beta;   /* slopes_alpha = 0: none yet */
    struct mode_slopes slopes;          /* of the mode */
    struct approximation approximation;  /* where a thread has laws of its own */
    struct approximate_batch *batch;    /* workspace of approximate_range(); NULL: none yet */
    double *block;                      /* TOTAL_BLOCK values of loglik_range(); NULL: none yet */
};

/* Frees all that a worker has, but not the worker itself. */
void worker_clear(struct worker *);

/* alone: no other element has the shape, as far as is known. */
int point_eval(struct worker *, const struct user_law *, double x, int what, int give_log, int alone,
               struct point_values *);
int point_quantile(struct worker *, const struct user_law *, double p, int lower, int log_p,
                   double *q);

/* Elements first, ..., first + count - 1 of the stream of a key, all of one law. */
int point_random(struct worker *, const struct user_law *, struct philox_key, uint64 first,
                 size_t count, double *y);

/* The scores in the order of stable/user_score.h, `stride` apart, or something to steer by; w->scorer must be there. */
int point_score(struct worker *, const struct user_law *, double x, int to_steer, double *score, size_t stride);
int point_mode(struct worker *, const struct user_law *, double *mode);

#endif
