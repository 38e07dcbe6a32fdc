/* The CPU backend, which is always available. */
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
int cpu_cache_list(struct session *, struct cache_entry *, int room);

#endif
