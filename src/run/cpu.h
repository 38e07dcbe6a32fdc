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

/* cpu_interpolants() returns the interpolants that a session keeps.  cpu_cache_limit() returns the previous
 * limit of their size in bytes and sets a new one unless `limit` is negative.  cpu_cache_list() lists the most
 * recently used ones. */
struct interpolants *cpu_interpolants(struct session *);
double cpu_cache_limit(struct session *, double limit);
int cpu_cache_list(struct session *, struct cache_entry *, int room);

#endif
