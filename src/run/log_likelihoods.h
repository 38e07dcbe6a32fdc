/* Log-likelihoods of many laws, one thread to a law. */
#ifndef STABLECL_RUN_LOG_LIKELIHOODS_H
#define STABLECL_RUN_LOG_LIKELIHOODS_H

#include "element.h"

/* Laws [from, to) of a logliks_job. */
int logliks_range(const void *logliks_job, struct worker *, size_t from, size_t to);

#endif
