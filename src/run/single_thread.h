/* run/single_thread.h: jobs on the calling thread alone.
 *
 * For whoever has many samples and gives each to one thread, and for threads of other packages: a solo belongs to
 * one thread, shares nothing with others, waits for nobody and allocates only where a sample is longer than those
 * before.  Its results are those of the CPU.
 */
#ifndef STABLECL_RUN_SINGLE_THREAD_H
#define STABLECL_RUN_SINGLE_THREAD_H

#include "backend.h"

struct solo;

struct solo *solo_new(void);            /* NULL when memory is short */
void solo_free(struct solo *);          /* NULL is fine */

/* job->sum, job->block and job->ahead are not looked at. */
int solo_quick(struct solo *, const struct quick_job *, double *sum, struct status *);
int solo_loglik(struct solo *, const struct loglik_job *, double *sum, struct status *);

/* Values of one law, of which the job asks for no errors. */
int solo_eval(struct solo *, const struct eval_job *, struct status *);

void solo_quantile(struct solo *, const struct quantile_job *);
void solo_score(struct solo *, const struct score_job *);

/* Element i of the job is number first + i of the stream. */
void solo_random(struct solo *, const struct random_job *, uint64 first);

#endif
