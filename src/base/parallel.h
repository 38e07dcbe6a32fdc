/* Loops on several threads, for which only parallel.c uses OpenMP, and access to variables that the threads share.
 *
 * A loop over 0, ..., n - 1 is handed out in chunks of consecutive indices, in increasing order, to whichever thread is
 * free.  A body writes results by index, and sums are added by the caller in the order of the indices, so that results
 * do not depend on the number of threads.  The calling thread is thread 0.  Only it calls R: it alone polls for
 * interrupts.
 */
#ifndef STABLECL_BASE_PARALLEL_H
#define STABLECL_BASE_PARALLEL_H

#include <stddef.h>
#include "status.h"

/* --- variables that several threads read and write ------------------------------------------- */

/* C99 has no atomic types; these macros use the builtin functions of GCC and clang.  The memory order is relaxed:
 * different variables are not ordered, and results become visible to other threads at the end of a parallel loop.
 * ATOMIC_RELEASE() writes a flag after data, and a thread that has read this value of the flag by ATOMIC_ACQUIRE() can
 * read the data.  For other compilers the macros are plain reads and writes, which are correct without threads. */
#if defined(__GNUC__) || defined(__clang__)
#  define ATOMIC_READ(at)         __atomic_load_n(at, __ATOMIC_RELAXED)
#  define ATOMIC_WRITE(at, value) __atomic_store_n(at, value, __ATOMIC_RELAXED)
#  define ATOMIC_ADD(at, value)   __atomic_add_fetch(at, value, __ATOMIC_RELAXED)     /* returns the sum */
#  define ATOMIC_RELEASE(at, value) __atomic_store_n(at, value, __ATOMIC_RELEASE)
#  define ATOMIC_ACQUIRE(at)         __atomic_load_n(at, __ATOMIC_ACQUIRE)
#else
#  define ATOMIC_READ(at)         (*(at))
#  define ATOMIC_WRITE(at, value) ((void)(*(at) = (value)))
#  define ATOMIC_ADD(at, value)   (*(at) += (value))
#  define ATOMIC_RELEASE(at, value) ATOMIC_WRITE(at, value)
#  define ATOMIC_ACQUIRE(at)         ATOMIC_READ(at)
#endif

/* --- the number of threads ------------------------------------------------------------------ */

/* Reads the environment and registers the fork handlers; called once, when the package is loaded. */
void threads_load(void);

/* Sets the user's preferences, by stable_threads() and by option: 0 for none, negative to leave one unchanged. */
void threads_preference(int call_preference, int option_preference);

/* Returns the number in force; 1 without OpenMP and in a forked child. */
int threads_limit(void);

/* Returns the number of threads for a job that takes about `seconds` on one thread; more threads are not
 * useful if each would have too little work. */
int threads_for(double seconds);

/* Returns the number of threads for loops that follow each other so quickly that the threads are still spinning, for
 * which a smaller amount of work suffices. */
int threads_for_repeated(double seconds);

/* Returns the number of logical processors; 0 without OpenMP. */
int threads_processors(void);

/* Returns the version of OpenMP as the date yyyymm; 0 without OpenMP. */
int threads_openmp(void);

/* Returns the seconds since a fixed moment; inexpensive. */
double threads_clock(void);

/* --- early ends ------------------------------------------------------------------------------ */

/* Returns TRUE if the user has interrupted the computation.  It must return and not jump. */
typedef int (*poll_function)(void);

/* Tells all threads to stop: after a failure, an interrupt, or a deadline.  Members that are 0 are not used. */
struct stop_flag {
    poll_function poll;
    struct status *st;                  /* receives the first failure; also an interrupt */
    double until;                       /* deadline (threads_clock()), which is not a failure */
    int stops;                          /* number of calls of stop_all(); atomic */
};

/* Sets the flag.  The first failure is recorded, later ones are ignored. */
void stop_all(struct stop_flag *, enum status_code, const char *message);

/* Sets the flag with the failure ST_INTERRUPTED. */
void stop_interrupted(struct stop_flag *);

/* TRUE if the flag is set. */
static inline int stop_is_set(const struct stop_flag *s)
{
    return ATOMIC_READ(&s->stops) > 0;
}

/* TRUE if the threads must stop: the flag is set, the deadline has passed, or, on the main thread, the poll reports an
 * interrupt. */
int is_stop_requested(struct stop_flag *);

/* --- loops ------------------------------------------------------------------------------------- */

/* Computes the indices from, ..., to - 1 of a loop on thread number `thread`, less than the number of threads of the
 * loop. */
typedef void loop_body(void *context, int thread, size_t from, size_t to);

/* Runs the body for all indices below n, in chunks of `chunk` indices, on at most `threads` threads; chunk = 0 divides
 * the indices equally.  Returns n or, if `stop` (NULL: none) ended the loop, a number below which all indices have been
 * given to the body; the first chunk always is.  A loop of one chunk, a loop inside another loop, and a loop in a
 * forked child run on the calling thread, as thread 0. */
size_t parallel_for(size_t n, size_t chunk, int threads, loop_body *, void *context, struct stop_flag *stop);

/* Runs body(context, k) for k = 0, ..., n - 1, each on a thread of its own if possible: bodies that wait most of the
 * time, such as those that each control a device.  The loops that they run have equal shares of threads_limit().  The
 * bodies must not depend on each other's progress.  The calling thread is one of the threads. */
typedef void each_body(void *context, int k);
void parallel_each(int n, each_body *, void *context);

/* Enters and leaves the part of a body that only one thread at a time may run. */
void parallel_lock(void);
void parallel_unlock(void);

#endif
