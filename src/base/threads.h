/* How many threads a job may have. */
#ifndef STABLECL_BASE_THREADS_H
#define STABLECL_BASE_THREADS_H

#include <stddef.h>

/* Reads the environment and registers the fork handlers; once, at load. */
void threads_load(void);

/* Wishes of the user, 0 for none: by stable_threads(), and by option. */
void threads_preference(int call_preference, int option_preference);

/* The number in force; 1 without OpenMP and in a forked child. */
int threads_limit(void);

/* The number for a job that keeps one thread busy for some `seconds`: waking a
 * team for less than each member's share is worth nothing. */
int threads_for(double seconds);

/* Seconds since some fixed moment; cheap. */
double threads_clock(void);

#endif
