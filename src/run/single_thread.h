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

/* Computes the outputs of a job other than JOB_APPROXIMATE; it must not request error estimates. */
int context_run(struct context *, const struct element_job *, struct status *);

/* Computes the totals of JOB_LOGLIK or JOB_APPROXIMATE over all blocks; job->sum and job->ahead are not used. */
int context_sums(struct context *, const struct element_job *, double *sum, struct status *);

#endif
