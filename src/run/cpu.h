/* The backend that is always there. */
#ifndef STABLECL_RUN_CPU_H
#define STABLECL_RUN_CPU_H

#include "backend.h"

extern const struct backend cpu_backend;

/* The charts that a session keeps; how many bytes they may take, before a new limit is set
 * (negative: none); and the most recently used of them. */
struct interpolants *cpu_interpolants(struct session *);
double cpu_cache_limit(struct session *, double limit);
int cpu_cache_list(struct session *, struct cache_entry *, int room);

#endif
