/* The source of an integrand's values: interpreters in threads, or R's own evaluator. */
#ifndef STABLECL_INTEGRAND_SAMPLER_H
#define STABLECL_INTEGRAND_SAMPLER_H

#include "program.h"
#include "../base/parallel.h"
#include "../run/job.h"

struct box_job;

#define ALL_THREADS (-1)                /* in place of the number of a thread */

/* A device that may compute an iteration or a round with this number of points in place of the threads.  run() is
 * called on the main thread only, and returns 1 if the device has done the job, 0 if the threads must do it, and -1
 * after a failure, which *st describes. */
struct box_device {
    int (*run)(struct box_device *, struct box_job *, double points);
    struct status *st;
    int is_wanted;                      /* the device is used even if it gains nothing */
};

/* Inputs 0 to d - 1 are the coordinates in d dimensions; the parameters follow.  The caller writes count <= block
 * values to each input of a thread; run() returns as many results, which the next run overwrites, or NULL after a
 * failure.  An integrand with several components has that of component c at point q at [c * block + q]. */
struct sampler {
    void *self;
    int threads;                        /* number of threads, numbered from 0 */
    int block;                          /* largest number of points of one run */
    double *(*input)(void *self, int thread, int k);
    const double *(*run)(void *self, int thread, int count);
    struct box_device *device;          /* NULL: none */
    int components;
    double seconds;                     /* expected time of one evaluation on one thread */
};

#define EVALUATION_TIME 1e-8            /* least value of `seconds` */
#define OPERATION_TIME  1e-9            /* approximate time of one operation of a program */
#define SLOW_EVALUATION 3e-7

/* Returns the number of threads for a job that takes about `seconds` on one thread. */
static inline int sampler_threads(const struct sampler *s, double seconds)
{
    int threads = threads_for(seconds);
    return threads < s->threads ? threads : s->threads;
}

/* TRUE if a few evaluations take so long that dividing them equally among the threads saves time. */
static inline int sampler_is_slow(const struct sampler *s)
{
    return s->seconds > SLOW_EVALUATION;
}

/* Returns the number of threads for `points` evaluations, one of many loops that follow each other. */
static inline int sampler_threads_again(const struct sampler *s, double points)
{
    int threads = threads_for_repeated(points * s->seconds);
    return threads < s->threads ? threads : s->threads;
}

struct interpreter_pool;

/* Creates an interpreter for each thread; thread 0 is the main thread.  Long runs end without a result if the poll
 * reports an interrupt.  Returns ST_OK or a failure code; the pool must be closed in either case. */
int interpreters_open(const struct program *, double *pool, int threads, poll_function, struct interpreter_pool **,
                      struct status *);
void interpreters_close(struct interpreter_pool *);

/* Sets the time (threads_clock()) after which runs end without a result. */
void interpreters_until(struct interpreter_pool *, double);
struct sampler interpreters_sampler(struct interpreter_pool *);

#endif
