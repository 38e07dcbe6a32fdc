/* Jobs on the calling thread alone.
 *
 * For whoever has many samples and gives each to one thread, and for threads of other packages: a solo belongs to
 * one thread, shares nothing with others, waits for nobody and allocates only where a sample is longer than those
 * before.  Its results are those of the CPU.
 */
#ifndef STABLECL_RUN_SINGLE_THREAD_H
#define STABLECL_RUN_SINGLE_THREAD_H

#include "backend.h"

struct context;

struct context *context_new(void);      /* NULL when memory is short */
void context_free(struct context *);    /* NULL is fine */

/* job->sum, job->block and job->ahead are not looked at. */
int context_quick(struct context *, const struct approximate_job *, double *sum, struct status *);
int context_loglik(struct context *, const struct loglik_job *, double *sum, struct status *);

/* Values of one law, of which the job asks for no errors. */
int context_eval(struct context *, const struct eval_job *, struct status *);

void context_quantile(struct context *, const struct quantile_job *);
void context_score(struct context *, const struct score_job *);

/* Element i of the job is number first + i of the stream. */
void context_random(struct context *, const struct random_job *, uint64 first);

#endif
