/* One (alpha, beta) at a time, with whatever is worth keeping
 * between evaluations of the same shape.
 *
 * A shape belongs to one thread.  Nothing here includes an R header, raises an
 * error or prints.
 */
#ifndef STABLECL_STABLE_SHAPE_H
#define STABLECL_STABLE_SHAPE_H

#include "standard.h"

struct shape;

struct shape *shape_new(void);          /* NULL when memory is short */
void shape_free(struct shape *);        /* NULL is fine */

/* Make (alpha, beta) current; cheap when it already is.
 * Domain (checked by the caller): 0 < alpha <= 2, -1 <= beta <= 1. */
void shape_set(struct shape *, double alpha, double beta);

/* Panels laid for it so far. */
long shape_built(const struct shape *);

/* The current one. */
const struct standard *shape_law(const struct shape *);

/* Density and both tails at x (finite) of the standard law. */
void shape_eval(struct shape *, struct abscissa x, struct stable_value *v);

/* d log f / d x at x (finite), for the laws without a closed form.  Absolute
 * error: some 1e-15 of the largest slope nearby. */
double shape_slope(struct shape *, struct abscissa x);

/* The quantile of probability p in (0, 1), or exp(p) if log_p, of the lower or
 * upper tail.  Returned as S0 position, or as distance from zeta if `shifted` is asked for. */
struct abscissa shape_quantile(struct shape *, double p, int lower, int log_p, int shifted);

/* Mode of the standard law (S0). */
double shape_mode(struct shape *);

/* The same as user_frame() wants it: for alpha < MODE_BY_DISTANCE its distance from zeta. */
double shape_mode_place(struct shape *);

#endif
