/* backend/solo.h: sums over a sample on the calling thread alone.
 *
 * For whoever has many samples and gives each to one thread: a solo belongs to one thread, shares nothing
 * with others, waits for nobody and allocates only where a sample is longer than those before.  Its sums are
 * those of backend_quick() and backend_loglik() on the CPU.
 */
#ifndef STABLECL_SOLO_H
#define STABLECL_SOLO_H

#include "backend.h"

struct solo;

struct solo *solo_new(void);            /* NULL when memory is short */
void solo_free(struct solo *);          /* NULL is fine */

/* job->sum, job->block and job->ahead are not looked at. */
int solo_quick(struct solo *, const struct quick_job *, double *sum, struct status *);
int solo_loglik(struct solo *, const struct loglik_job *, double *sum, struct status *);

/* Values of one law, of which the job asks for no errors. */
int solo_eval(struct solo *, const struct eval_job *, struct status *);

#endif
