/* Which values an evaluation writes, and where. */
#ifndef STABLECL_RUN_OUTPUTS_H
#define STABLECL_RUN_OUTPUTS_H

#include "../stable/user_law.h"
#include "job.h"

/* Returns the wanted values as bits of `what`; the error estimate is always computed. */
static inline int outputs_wanted(const struct eval_job *job)
{
    return (job->pdf ? WANT_PDF : 0) | (job->cdf ? WANT_CDF : 0) | (job->sf ? WANT_SF : 0);
}

/* Writes element i. */
static inline void outputs_write(const struct eval_job *job, size_t i, const struct point_values *y)
{
    if (job->pdf)   job->pdf[i] = y->pdf;
    if (job->cdf)   job->cdf[i] = y->cdf;
    if (job->sf)    job->sf[i] = y->sf;
    if (job->error) job->error[i] = y->error;
}

#endif
