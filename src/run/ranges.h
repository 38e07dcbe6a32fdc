/* Elements [from, to) of each kind of job, on one thread (thread_pool.h).
 *
 * A result depends on its own arguments only, never on the range or the thread that computed
 * it.  What is read off a chart has functions of its own (interpolated.h, interpolated_quantile.h).
 */
#ifndef STABLECL_RUN_RANGES_H
#define STABLECL_RUN_RANGES_H

#include "element.h"

int eval_range(const void *eval_job, struct worker *, size_t from, size_t to);
int quantile_range(const void *quantile_job, struct worker *, size_t from, size_t to);
int random_range(const void *random_job, struct worker *, size_t from, size_t to);
int mode_range(const void *mode_job, struct worker *, size_t from, size_t to);
int score_range(const void *score_job, struct worker *, size_t from, size_t to);

/* A random_range() whose element i is number first + i of the stream. */
int random_stretch(const struct random_job *, struct worker *, uint64 first, size_t from, size_t to);

/* Gives a worker what score_range() or loglik_range() needs beside the shape, if it has none; 0: memory is short. */
int score_prepare(struct worker *);
int loglik_prepare(struct worker *);

/* Blocks [from, to) of a loglik_job, which is that of a interpolated_job (interpolated.h) with or without chart. */
int loglik_range(const void *interpolated_job, struct worker *, size_t from, size_t to);

#endif
