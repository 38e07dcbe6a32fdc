/* backend/cpu/logliks.h: log-likelihoods of many laws, one thread to a law. */
#ifndef STABLECL_LOGLIKS_H
#define STABLECL_LOGLIKS_H

#include "point.h"

/* Laws [from, to) of a logliks_job. */
int logliks_range(const void *logliks_job, struct worker *, size_t from, size_t to);

#endif
