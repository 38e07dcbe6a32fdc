/* Log-likelihoods of many laws; each law is evaluated by one thread. */
#ifndef STABLECL_RUN_LOG_LIKELIHOODS_H
#define STABLECL_RUN_LOG_LIKELIHOODS_H

#include "element.h"

/* Computes laws [from, to) of a logliks_job. */
int logliks_range(const void *logliks_job, struct worker *, size_t from, size_t to);

#endif
