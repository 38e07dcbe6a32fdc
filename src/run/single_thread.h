/* Runs jobs on the calling thread alone.
 *
 * For callers that assign one sample to each thread, and for threads of other packages.  A context belongs to one
 * thread, shares no data with others and needs no synchronisation; it allocates memory only if a sample is longer
 * than all before.  The results are those of the CPU backend.
 */
#ifndef STABLECL_RUN_SINGLE_THREAD_H
#define STABLECL_RUN_SINGLE_THREAD_H

#include "job.h"

struct context;

struct context *context_new(void);      /* NULL if memory is short */
void context_free(struct context *);    /* NULL is allowed */

/* job->sum, job->block and job->ahead are not used. */
int context_quick(struct context *, const struct approximate_job *, double *sum, struct status *);
int context_loglik(struct context *, const struct loglik_job *, double *sum, struct status *);

/* Evaluates one law; the job must not request error estimates. */
int context_eval(struct context *, const struct eval_job *, struct status *);

void context_quantile(struct context *, const struct quantile_job *);
void context_score(struct context *, const struct score_job *);

/* Computes a random_job; its element i is number first + i of the stream. */
void context_random(struct context *, const struct random_job *, uint64 first);

#endif
