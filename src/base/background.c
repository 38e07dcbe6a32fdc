#ifndef _GNU_SOURCE
#  define _GNU_SOURCE 1                 /* for clock_gettime() and pthread_sigmask() */
#endif
#include "background.h"
#ifdef STABLECL_OPENCL
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include "memory.h"
#include "process.h"

#define STEP_SECONDS  0.02              /* between two polls for interrupts */
#define REPORT_STEPS  100               /* steps after which a computation is reported */
#define BRIEF_STEPS   2                 /* steps that the main thread waits if it is not patient */
#define STACK_BYTES   8388608

struct background {
    struct background *next;            /* in the list of all */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t end;
    int has_ended;                      /* guarded by the lock */
    void (*body)(void *);
    void *context;
};

static poll_function poll_user;
static int (*report_user)(const char *);
static pthread_t main_thread;
static int is_loaded, waits_briefly;
static struct background *all;          /* main thread only */

void background_load(poll_function poll, int (*report)(const char *))
{
    poll_user = poll;
    report_user = report;
    main_thread = pthread_self();
    is_loaded = 1;
}

void background_set_waiting(int waits_to_end)
{
    waits_briefly = !waits_to_end;
}

int background_is_main(void)
{
    return is_loaded && pthread_equal(pthread_self(), main_thread) && !process_is_child();
}

/* The threads exist only in the process that started them. */
static void wait_for_all(void)
{
    for (struct background *b = process_is_child() ? NULL : all; b; b = b->next) pthread_join(b->thread, NULL);
}

/* The handler runs before those of the libraries that were loaded earlier. */
static void register_exit(void)
{
    static int is_registered;
    if (!is_registered) atexit(wait_for_all);
    is_registered = 1;
}

static void *run(void *data)
{
    struct background *b = data;

    b->body(b->context);
    pthread_mutex_lock(&b->lock);
    b->has_ended = 1;
    pthread_cond_signal(&b->end);
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

/* Compilers recurse deeply; the default of some systems is 512 kB or less. */
static int create_thread(struct background *b)
{
    pthread_attr_t attributes;

    if (pthread_attr_init(&attributes)) return 1;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int error = pthread_create(&b->thread, &attributes, run, b);
    pthread_attr_destroy(&attributes);
    return error;
}

/* The new thread inherits a mask that blocks all signals, so that the main thread receives them. */
static int start_thread(struct background *b)
{
#ifdef _WIN32
    return create_thread(b);
#else
    sigset_t every, before;

    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    int error = create_thread(b);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
#endif
}

static void destroy(struct background *b)
{
    pthread_cond_destroy(&b->end);
    pthread_mutex_destroy(&b->lock);
    memory_release(b);
}

struct background *background_start(void (*body)(void *), void *context)
{
    struct background *b = background_is_main() ? memory_zeroed(1, sizeof *b) : NULL;

    if (!b) return NULL;
    b->body = body;
    b->context = context;
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->end, NULL);
    register_exit();
    if (start_thread(b)) {
        destroy(b);
        return NULL;
    }
    b->next = all;
    all = b;
    return b;
}

/* Waits for the end, but at most for one step. */
static int step(struct background *b)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(1e9 * STEP_SECONDS);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&b->lock);
    while (!b->has_ended && pthread_cond_timedwait(&b->end, &b->lock, &until) != ETIMEDOUT) { }
    int has_ended = b->has_ended;
    pthread_mutex_unlock(&b->lock);
    return has_ended;
}

int background_wait(struct background *b, const char *what, struct status *st)
{
    for (int k = 1; !step(b); k++) {
        process_refresh_handlers();
        if (waits_briefly && k >= BRIEF_STEPS) return fail(st, ST_BUSY, "%s", what);
        if ((poll_user && poll_user()) || (k == REPORT_STEPS && report_user && report_user(what)))
            return fail(st, ST_INTERRUPTED, "interrupted");
    }
    return ST_OK;
}

int background_has_ended(struct background *b)
{
    pthread_mutex_lock(&b->lock);
    int has_ended = b->has_ended;
    pthread_mutex_unlock(&b->lock);
    return has_ended;
}

int background_is_busy(void)
{
    for (struct background *b = all; b; b = b->next) if (!background_has_ended(b)) return 1;
    return 0;
}

void background_end(struct background *b)
{
    if (!b) return;
    struct background **at = &all;
    while (*at != b) at = &(*at)->next;
    *at = b->next;
    pthread_join(b->thread, NULL);
    destroy(b);
}

#else

void background_load(poll_function poll, int (*report)(const char *))
{
    (void)poll;
    (void)report;
}

void background_set_waiting(int waits_to_end)
{
    (void)waits_to_end;
}

int background_is_busy(void)
{
    return 0;
}

#endif
