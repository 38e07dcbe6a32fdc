/* The number of threads, independent of other packages, and loops on several threads.
 *
 * The number is set by stable_threads(n), else by the option stablecl.threads, else by the environment variable
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
#include "parallel.h"
#include "process.h"

#define SHARE         4e-3              /* smallest amount of work per thread, in seconds, */
#define SHARE_AGAIN   1e-4              /* and if the threads are awake */
#define CHECK_THREADS 2

#ifdef _OPENMP
static int preference_by_call, preference_by_option, preference_by_environment;
static int hard_limit = 1, soft_limit = INT_MAX;
static int forked;
static omp_lock_t lock;

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
    omp_init_lock(&lock);
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

int threads_processors(void)
{
    return omp_get_num_procs();
}

int threads_openmp(void)
{
    return _OPENMP;
}

double threads_clock(void)
{
    return omp_get_wtime();
}

#else

void threads_load(void) { }
void threads_preference(int call_preference, int option_preference) { (void)call_preference; (void)option_preference; }
int threads_limit(void) { return 1; }
int threads_processors(void) { return 0; }
int threads_openmp(void) { return 0; }
double threads_clock(void) { return (double)clock() / CLOCKS_PER_SEC; }

#endif

static int threads_with_share(double seconds, double share)
{
    int limit = threads_limit();
    if (seconds >= limit * share) return limit;
    return seconds < 2 * share ? 1 : (int)(seconds / share);
}

int threads_for(double seconds)
{
    return threads_with_share(seconds, SHARE);
}

int threads_for_again(double seconds)
{
    return threads_with_share(seconds, SHARE_AGAIN);
}

/* --- early ends ------------------------------------------------------------------------------ */

void stop_all(struct stop_flag *s, enum status_code code, const char *message)
{
    if (ATOMIC_ADD(&s->stops, 1) == 1 && s->st) fail(s->st, code, "%s", message);
}

void stop_interrupted(struct stop_flag *s)
{
    stop_all(s, ST_INTERRUPTED, "interrupted");
}

/* In a loop inside parallel_each(), the calling thread is number 0 on both levels. */
static int is_main_thread(void)
{
#ifdef _OPENMP
    for (int level = omp_get_level(); level > 0; level--)
        if (omp_get_ancestor_thread_num(level) != 0) return 0;
#endif
    return 1;
}

int is_stop_requested(struct stop_flag *s)
{
    if (stop_is_set(s) || (s->until > 0.0 && threads_clock() > s->until)) return 1;
    if (s->poll && is_main_thread() && s->poll()) stop_interrupted(s);
    return stop_is_set(s);
}

/* --- loops ------------------------------------------------------------------------------------- */

struct loop {
    size_t n, chunk, next;              /* next: the first index of the next chunk, or a number above n; atomic */
    loop_body *body;
    void *context;
    struct stop_flag *stop;
};

/* Runs chunks until none is left or the loop ends early.  All threads of a loop call this. */
static void run_chunks(struct loop *l, int thread)
{
    size_t from = ATOMIC_READ(&l->next);
    while (from < l->n && !(from > 0 && l->stop && is_stop_requested(l->stop))) {
        from = ATOMIC_ADD(&l->next, l->chunk) - l->chunk;
        if (from >= l->n) return;
        l->body(l->context, thread, from, l->n - from < l->chunk ? l->n : from + l->chunk);
        from = ATOMIC_READ(&l->next);
    }
}

#ifdef _OPENMP
static int bodies;                      /* those that parallel_each() runs at a time; 0: none */

/* Returns the number of threads, at most `threads`, that a loop may use here: bodies of parallel_each() have equal
 * shares. */
static int threads_here(int threads)
{
    int level = omp_get_active_level(), each = bodies > 1 ? threads_limit() / bodies : 0;
    if (forked || level > 1 || (level == 1 && each < 2)) return 1;
    return level == 1 ? smaller(threads, each) : threads;
}
#endif

size_t parallel_for(size_t n, size_t chunk, int threads, loop_body *body, void *context, struct stop_flag *stop)
{
    size_t each = chunk ? chunk : (n + (size_t)threads - 1) / (size_t)threads;
    struct loop l = { n, each, 0, body, context, stop };
#ifdef _OPENMP
    int here = threads > 1 && n > each ? threads_here(threads) : 1;
    if (here > 1) {
#pragma omp parallel num_threads(here)
        run_chunks(&l, omp_get_thread_num());
    } else
#endif
        run_chunks(&l, 0);
    return l.next < n ? l.next : n;
}

void parallel_each(int n, each_body *body, void *context)
{
    int next = 0;
#ifdef _OPENMP
    if (n > 1 && !forked && !omp_in_parallel()) {
        int levels = omp_get_max_active_levels();
        omp_set_max_active_levels(2);
        bodies = n;
#pragma omp parallel num_threads(n)
        for (int k; (k = ATOMIC_ADD(&next, 1)) <= n;) body(context, k - 1);
        bodies = 0;
        omp_set_max_active_levels(levels);
        return;
    }
#endif
    while (next < n) body(context, next++);
}

void parallel_lock(void)
{
#ifdef _OPENMP
    omp_set_lock(&lock);
#endif
}

void parallel_unlock(void)
{
#ifdef _OPENMP
    omp_unset_lock(&lock);
#endif
}
