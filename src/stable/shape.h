/* Direct evaluation of one shape (alpha, beta) at a time, with a store of data for repeated evaluations.
 *
 * A shape is used by a single thread.  These functions use no R headers, raise no R errors and print nothing.
 */
#ifndef STABLECL_STABLE_SHAPE_H
#define STABLECL_STABLE_SHAPE_H

#include "standard.h"

struct shape;

struct shape *shape_new(void);          /* NULL if memory is short */
void shape_free(struct shape *);        /* NULL is allowed */

/* Returns n shapes in one block, number k at shapes_at(all, k); NULL if memory is short.  The system provides pages of
 * the block when they are first used. */
struct shape *shapes_new(int n);
struct shape *shapes_at(struct shape *all, int k);
void shapes_free(struct shape *all, int n);

/* Makes (alpha, beta) current; cheap if it already is.  without_tail: only densities, slopes and the mode will be
 * computed, for which fewer nodes suffice if alpha < 1/2.
 * Domain (checked by the caller): 0 < alpha <= 2, -1 <= beta <= 1. */
void shape_set(struct shape *, double alpha, double beta, int without_tail);

/* Returns the number of node sets built so far for the current shape. */
long shape_built(const struct shape *);

/* Returns the current standard distribution. */
const struct standard *shape_law(const struct shape *);

/* Computes the density and, unless set up without, both tails of the standard distribution at x (finite). */
void shape_eval(struct shape *, struct argument x, struct stable_value *v);

/* Returns d log f / d x at x (finite), for distributions without a closed form.  Absolute error: about 1e-15 of the
 * largest slope nearby. */
double shape_slope(struct shape *, struct argument x);

/* Returns the quantile of probability p in (0, 1), or exp(p) if log_p, of the lower or upper tail, as S0 argument, or
 * as distance from zeta if `shifted`.  without_store: no other quantile of this distribution follows, so that no node
 * set is stored for it. */
struct argument shape_quantile(struct shape *, double p, int lower, int log_p, int without_store, int shifted);

/* Returns the mode of the standard distribution (S0). */
double shape_mode(struct shape *);

/* Returns the mode as user_frame() requires it: for alpha < MODE_BY_DISTANCE, its distance from zeta. */
double shape_frame_mode(struct shape *);

/* Direct evaluation of one distribution on several threads, for building an interpolant.
 *
 * An interpolant whose values share few node sets, as for alpha -> 1 and beta -> 0, takes tens of milliseconds to
 * build.  Its binades are independent, so that the threads synchronise only once, at the end: on busy processors, each
 * synchronisation costs a time slice.
 */

#define SHAPE_POOL_MAX 16

struct shape_pool {
    struct shape *shape[SHAPE_POOL_MAX];  /* one for each thread, with its own node sets; NULL: not allocated */
    int count;                          /* number of threads that may be used */
};

/* Allocates shapes for at most `threads` threads, fewer if memory is short.  Returns 0 if memory is too short for one.
 * The struct must be zero-initialised. */
int shape_pool_reserve(struct shape_pool *, int threads);
void shape_pool_free(struct shape_pool *);

/* Makes a distribution current in all shapes. */
void shape_pool_set(struct shape_pool *, double alpha, double beta);

/* Runs the tasks from..to - 1, started in this order, on all threads if together, otherwise on the calling thread. */
typedef void shape_pool_task(void *job, struct shape *, int k);
void shape_pool_run(struct shape_pool *, shape_pool_task *, void *job, int from, int to, int in_parallel);

#endif
