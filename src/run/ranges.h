/* Computes the elements [from, to) of each kind of job on one thread (workers.h).
 *
 * A result depends only on its own arguments, not on the range or the thread.  Evaluation by interpolants has its
 * own functions (interpolated.h, interpolated.h).
 */
#ifndef STABLECL_RUN_RANGES_H
#define STABLECL_RUN_RANGES_H

#include "element.h"

int eval_range(const void *eval_job, struct worker *, size_t from, size_t to);
int quantile_range(const void *quantile_job, struct worker *, size_t from, size_t to);
int random_range(const void *random_job, struct worker *, size_t from, size_t to);
int mode_range(const void *mode_job, struct worker *, size_t from, size_t to);
int score_range(const void *score_job, struct worker *, size_t from, size_t to);

/* Like random_range(), but element i is number first + i of the stream. */
int random_stretch(const struct random_job *, struct worker *, uint64 first, size_t from, size_t to);

/* Allocate what score_range() or loglik_range() needs in a worker besides the shape, unless present; return 0 if
 * memory is short. */
int score_prepare(struct worker *);
int loglik_prepare(struct worker *);

/* Computes blocks [from, to) of the loglik_job in an interpolated_job (interpolated.h), with or without an
 * interpolant. */
int loglik_range(const void *interpolated_job, struct worker *, size_t from, size_t to);

#endif
