/* Where values of an integrand come from: machines in threads, or R's own evaluator. */
#ifndef STABLECL_INTEGRAND_SAMPLER_H
#define STABLECL_INTEGRAND_SAMPLER_H

#include "interpreter.h"
#include "../run/job.h"

struct box_job;

/* What may take iterations or rounds, of so many points, off the threads' hands, on the main thread only.  1: done, 0:
 * it is the threads', -1: a failure, which *st tells. */
struct box_device {
    int (*run)(struct box_device *, struct box_job *, double points);
    struct status *st;
    int is_wanted;                      /* whatever it gains */
};

/* Inputs 0 to d - 1 are the coordinates in d dimensions, the parameters follow.  The caller writes `count` <= block
 * values to each input of a thread, and reads as many results, which the next run overwrites; NULL: a failure. */
struct sampler {
    void *self;
    int threads;                        /* numbered from 0; all are there */
    int block;
    double *(*input)(void *self, int thread, int k);
    const double *(*run)(void *self, int thread, int count);
    struct box_device *device;          /* NULL: none */
};

struct interpreter_pool;

/* A machine for each of some threads, the first of which is the main one: runs that take long end without a result when
 * the poll says so.  0 or a code. */
int interpreters_open(const struct program *, double *slot, int threads, poll_function, struct interpreter_pool **,
                      struct status *);
void interpreters_close(struct interpreter_pool *);

/* Runs end without a result at that time (threads_clock) at the latest. */
void interpreters_until(struct interpreter_pool *, double);
struct sampler interpreters_sampler(struct interpreter_pool *);

#endif
