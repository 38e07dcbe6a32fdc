/* The number of threads for a job. */
#ifndef STABLECL_BASE_THREADS_H
#define STABLECL_BASE_THREADS_H

#include <stddef.h>

/* Reads the environment and registers the fork handlers; called once, when the package is loaded. */
void threads_load(void);

/* Sets the user's preferences, by stable_threads() and by option: 0 for none, negative to leave one unchanged. */
void threads_preference(int call_preference, int option_preference);

/* Returns the number in force; 1 without OpenMP and in a forked child. */
int threads_limit(void);

/* Returns the number of threads for a job that takes about `seconds` on one thread; more threads do not pay if
 * each would have too little work. */
int threads_for(double seconds);

/* Returns the seconds since a fixed moment; inexpensive. */
double threads_clock(void);

#endif
