/* The thread count of this package, independent of other packages.
 *
 * It is set by stable_threads(n), else by the option stablecl.threads, else by the environment variable
 * STABLECL_THREADS; the default is half the number of logical processors.  OMP_THREAD_LIMIT, and 2 under R CMD
 * check, are upper limits in all cases; OMP_NUM_THREADS is one unless stable_threads(n) was called.
 *
 * A forked child inherits the data structures of the parent's OpenMP thread pool but none of its threads, and would
 * hang in a parallel region.  It therefore does not use OpenMP.
 *
 * Starting a parallel region costs about 10 us on an idle machine, but a time slice of the scheduler, 15 ms or
 * more, if other programs keep the processors busy: all threads wait for the one that waits for a processor.  For a
 * job of 8 ms on one thread, forgoing a second thread on an idle machine costs as much as using one on a busy
 * machine, a factor of 2.  Each thread therefore gets at least 4 ms of work.
 */
#include <limits.h>
#include <stdlib.h>
#include <time.h>
#ifdef _OPENMP
#  include <omp.h>
#  ifndef _WIN32
#    include <pthread.h>
#  endif
#endif
#include "threads.h"
#include "process.h"

#define SHARE         4e-3              /* smallest amount of work per thread, in seconds */
#define CHECK_THREADS 2

#ifdef _OPENMP
static int preference_by_call, preference_by_option, preference_by_environment;
static int hard_limit = 1, soft_limit = INT_MAX;
static int forked;

/* Returns a positive integer from the environment, or `otherwise`. */
static int from_environment(const char *name, int otherwise)
{
    const char *text = getenv(name);
    char *end;
    long value = text ? strtol(text, &end, 10) : 0;

    if (!text || end == text || value < 1) return otherwise;
    return value > INT_MAX ? INT_MAX : (int)value;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

#ifndef _WIN32
static void after_fork_in_child(void)
{
    forked = 1;
}
#endif

void threads_preference(int call_preference, int option_preference)
{
    if (call_preference >= 0) preference_by_call = call_preference;
    if (option_preference >= 0) preference_by_option = option_preference;
}

void threads_load(void)
{
    hard_limit = from_environment("OMP_THREAD_LIMIT", INT_MAX);
    if (process_is_checked()) hard_limit = smaller(hard_limit, CHECK_THREADS);
    soft_limit = from_environment("OMP_NUM_THREADS", INT_MAX);
    preference_by_environment = from_environment("STABLECL_THREADS", 0);
    threads_preference(0, 0);
#ifndef _WIN32
    static int is_registered;           /* stays valid: the code remains in memory when the package is unloaded */
    if (!is_registered) is_registered = !pthread_atfork(NULL, NULL, after_fork_in_child);
#endif
}

static int default_threads(void)
{
    int half = omp_get_num_procs() / 2;
    return half < 1 ? 1 : half;
}

int threads_limit(void)
{
    if (forked) return 1;
    if (preference_by_call > 0) return smaller(preference_by_call, hard_limit);
    int preference = preference_by_option > 0 ? preference_by_option
             : preference_by_environment > 0 ? preference_by_environment : default_threads();
    return smaller(smaller(preference, soft_limit), hard_limit);
}

double threads_clock(void)
{
    return omp_get_wtime();
}

#else

void threads_load(void) { }
void threads_preference(int call_preference, int option_preference) { (void)call_preference; (void)option_preference; }
int threads_limit(void) { return 1; }
double threads_clock(void) { return (double)clock() / CLOCKS_PER_SEC; }

#endif

int threads_for(double seconds)
{
    int limit = threads_limit();
    if (seconds >= limit * SHARE) return limit;
    return seconds < 2 * SHARE ? 1 : (int)(seconds / SHARE);
}
