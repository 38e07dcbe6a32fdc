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
#  include <pthread.h>
#endif
#include "parallel.h"
#include "process.h"

#define SHARE         4e-3              /* smallest amount of work per thread, in seconds, */
#define SHARE_REPEATED 1e-4             /* and if the threads are awake */
#define CHECK_THREADS 2

#ifdef _OPENMP
static int preference_by_call, preference_by_option, preference_by_environment;
static int hard_limit = 1, soft_limit = INT_MAX;
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
}

static int default_threads(void)
{
    int half = omp_get_num_procs() / 2;
    return half < 1 ? 1 : half;
}

int threads_limit(void)
{
    if (process_is_child()) return 1;
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

/* Returns the number of threads that each have at least `share` seconds of work.  A small job does not query the limit,
 * which may need a system call. */
static int threads_with_share(double seconds, double share)
{
    if (seconds < 2 * share) return 1;
    int limit = threads_limit();
    return seconds >= limit * share ? limit : (int)(seconds / share);
}

int threads_for(double seconds)
{
    return threads_with_share(seconds, SHARE);
}

int threads_for_repeated(double seconds)
{
    return threads_with_share(seconds, SHARE_REPEATED);
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

static int is_main_thread(void)
{
#ifdef _OPENMP
    return omp_get_thread_num() == 0;
#else
    return 1;
#endif
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
/* Bodies of parallel_each(), and their loops.
 *
 * OpenMP libraries create the threads of a team within a team each time, and all those that a smaller team has not
 * needed: some 10 ms for 16 threads on a busy machine, longer than most loops take.  All bodies therefore run in one
 * team of the usual number of threads, and its other threads wait for loops of the bodies and help with them. */
struct open_loop {
    struct loop *loop;
    int begun, maximum;                    /* threads that have begun the loop, and that may */
    int helpers;                        /* threads in the loop, without the one that has opened it */
    struct open_loop *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER, left = PTHREAD_COND_INITIALIZER;
static struct open_loop *open_loops;    /* guarded by the mutex, as are their members */
static int bodies;                      /* those of parallel_each(); 0: none */
static int bodies_left;                 /* those that have not ended; guarded by the mutex */
static int is_in_loop;                  /* this thread computes a part of an open loop */
#pragma omp threadprivate(is_in_loop)

/* Returns the number of threads, at most `threads`, that a loop may use here: bodies of parallel_each() have equal
 * shares. */
static int threads_allowed(int threads)
{
    if (process_is_child() || is_in_loop) return 1;
    if (!omp_in_parallel()) return threads;
    return bodies > 1 ? smaller(threads, threads_limit() / bodies) : 1;
}

static void run_open_chunks(struct loop *l, int thread)
{
    is_in_loop = 1;
    run_chunks(l, thread);
    is_in_loop = 0;
}

/* Runs a loop of a body, with the help of other threads of the team. */
static void run_with_helpers(struct loop *l, int threads)
{
    struct open_loop loop = { l, 1, threads, 0, NULL }, **at = &open_loops;

    pthread_mutex_lock(&mutex);
    loop.next = open_loops;
    open_loops = &loop;
    for (int k = 1; k < threads; k++) pthread_cond_signal(&opened);
    pthread_mutex_unlock(&mutex);
    run_open_chunks(l, 0);
    pthread_mutex_lock(&mutex);
    while (*at != &loop) at = &(*at)->next;
    *at = loop.next;
    while (loop.helpers > 0) pthread_cond_wait(&left, &mutex);
    pthread_mutex_unlock(&mutex);
}

/* Helps with open loops until all bodies have ended. */
static void run_open_loops(void)
{
    pthread_mutex_lock(&mutex);
    while (bodies_left > 0) {
        struct open_loop *o = open_loops;
        while (o && o->begun == o->maximum) o = o->next;
        if (!o) {
            pthread_cond_wait(&opened, &mutex);
            continue;
        }
        int thread = o->begun++;
        o->helpers++;
        pthread_mutex_unlock(&mutex);
        run_open_chunks(o->loop, thread);
        pthread_mutex_lock(&mutex);
        o->helpers--;
        pthread_cond_broadcast(&left);
    }
    pthread_mutex_unlock(&mutex);
}

static void end_body(void)
{
    pthread_mutex_lock(&mutex);
    if (--bodies_left == 0) pthread_cond_broadcast(&opened);
    pthread_mutex_unlock(&mutex);
}
#endif

size_t parallel_for(size_t n, size_t chunk, int threads, loop_body *body, void *context, struct stop_flag *stop)
{
    size_t each = chunk ? chunk : (n + (size_t)threads - 1) / (size_t)threads;
    struct loop l = { n, each, 0, body, context, stop };
#ifdef _OPENMP
    int allowed = threads > 1 && n > each ? threads_allowed(threads) : 1;
    if (allowed > 1 && omp_in_parallel()) run_with_helpers(&l, allowed);
    else if (allowed > 1) {
#pragma omp parallel num_threads(allowed)
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
    if (n > 1 && !process_is_child() && !omp_in_parallel()) {
        int limit = threads_limit();
        bodies = bodies_left = n;
#pragma omp parallel num_threads(limit > n ? limit : n)
        {
            int is_body = omp_get_thread_num() < n;
            for (int k; is_body && (k = ATOMIC_ADD(&next, 1)) <= n; end_body()) body(context, k - 1);
            run_open_loops();
        }
        bodies = 0;
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
