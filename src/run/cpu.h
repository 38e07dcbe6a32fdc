/* Computes jobs on the CPU: the backend, which is always available and uses several threads, and contexts, each on the
 * calling thread alone. */
#ifndef STABLECL_RUN_CPU_H
#define STABLECL_RUN_CPU_H

#include "job.h"

/* A distribution for which the CPU keeps an interpolant. */
struct cache_entry {
    double alpha, beta, bytes;
    int quantiles;                      /* includes the quantile interpolant */
};

extern const struct backend cpu_backend;

/* cpu_cache_limit() returns the previous limit of the size in bytes of the interpolants that a session keeps, and sets
 * a new one unless `limit` is negative.  cpu_cache_list() lists the most recently used ones. */
double cpu_cache_limit(struct session *, double limit);
int cpu_cache_list(struct session *, struct cache_entry *, int capacity);

/* --- contexts ------------------------------------------------------------------------------------
 *
 * For callers that assign one sample to each thread, and for threads of other packages.  A context belongs to one
 * thread, shares no data with others and needs no synchronisation; it allocates memory only if a sample is longer
 * than all before.  The results are those of the CPU backend.
 */
struct context;

struct context *context_new(void);      /* NULL if memory is short */
void context_free(struct context *);    /* NULL is allowed */

/* Computes the outputs of a job other than JOB_APPROXIMATE; it must not request error estimates. */
int context_run(struct context *, const struct element_job *, struct status *);

/* Computes the totals of JOB_LOGLIK or JOB_APPROXIMATE over all blocks; job->sum and job->ahead are not used. */
int context_sums(struct context *, const struct element_job *, double *sum, struct status *);

/* Adds to the sums of request i of a job those over the elements that a device has left, in the order of the sample;
 * computes all of the sums if the device has computed nothing, or has left more elements than it has listed. */
int context_add_deferred(struct context *, const struct many_job *, size_t i, double *sum, struct status *);

#endif
