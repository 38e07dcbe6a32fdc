/* Ranges of integrals, the storage of their results, their statuses, the loop of the methods that compute one integral
 * after the other, and the screening for divergence. */
#ifndef STABLECL_QUADRATURE_INTEGRALS_H
#define STABLECL_QUADRATURE_INTEGRALS_H

#include "quadrature.h"
#include "parts.h"

/* Sets *low <= *high to the limits of integral i along axis k.  Returns the sign of the integral: -1 if the limits were
 * reversed, else 1. */
double range_of(const struct integral_job *, size_t i, int k, double *low, double *high);

/* Returns the parts of integral i along the first axis. */
struct parts parts_of(const struct integral_job *, size_t i);

/* TRUE if the limits or parameters of integral i determine its result: NaN if any is missing, 0 if the range is empty.
 * The result is then stored. */
int integral_is_trivial(const struct integral_job *, size_t i);

/* Stores the result of integral i, computed for limits in increasing order, with the sign of the given limits. */
void integral_end(const struct integral_job *, size_t i, double value, double error, int status);

/* --- the values of one integral, by all threads or a device ---------------------------- */

/* Evaluates the integrand of integral i at `count` points on a device: x has coordinate k of point q at [k * count +
 * q], value its component c at [c * count + q].  `points` is the number of points of the round.  Returns the result of
 * the device's run(), 0 if memory is short. */
int points_on_device(const struct integral_job *, struct box_device *, size_t i, const double *x, size_t count,
                     double *value, double points);

/* Evaluates an integrand of one variable and one component at `count` points x of integral i, on a device if the
 * sampler has one that takes the job, otherwise in all threads.  Returns 0 if the computation must stop. */
int values_in_threads(const struct integral_job *, const struct sampler *, size_t i, const double *x, size_t count,
                      double *value, struct stop_flag *);

/* --- one integral after the other ------------------------------------------------------- */

/* The evaluation of an integrand of one variable by one thread or all threads, at most `capacity` points x at a time.
 * node: memory for the data of the method at each point. */
struct evaluator {
    const struct integral_job *job;
    const struct sampler *sampler;
    struct stop_flag *stop_flag;
    int thread, capacity;                   /* thread: its number, or ALL_THREADS */
    double *x, *value;
    void *node;
};

/* Returns the values at the first `count` points x of integral i; NULL if the computation must stop. */
const double *evaluator_values(const struct evaluator *, size_t i, int count);

/* Returns `count` values of the integrand of integral i, at most BLOCK, at the points stored as input 0 of a thread;
 * NULL if the sampler failed. */
const double *each_integral_values(const struct integral_job *, const struct sampler *, int thread, size_t i,
                                   int count);

/* Computes integral i and stores its result.  Returns 0 if the computation must stop. */
typedef int one_integral(const struct evaluator *, size_t i);

/* Computes the integrals with status INTEGRAL_NOT_DONE, each of which takes about this number of evaluations, with
 * node_size bytes for each point.  Returns 0 or a status code. */
int integrate_each(const struct integral_job *, const struct sampler *, one_integral *, size_t node_size,
                   double evaluations, poll_function, struct status *);

/* --- components ----------------------------------------------------------------------- */

/* The integrals of one component, whose results are those of a job with several.  The number of evaluations is shared
 * by all components. */
struct component {
    struct integral_job job;
    const struct sampler *of;           /* returns the values of all components */
    int number;
};

void component_open(struct component *, const struct integral_job *, const struct sampler *, int number);

/* Returns a sampler of one component, which is never computed on a device. */
struct sampler component_sampler(struct component *);

/* --- statuses ------------------------------------------------------------------------- */

/* Sets all statuses to INTEGRAL_NOT_DONE. */
void statuses_begin(int *status, size_t n);

/* Adds 1 to all statuses, because R numbers the levels of a factor from 1. */
void statuses_to_factor(int *status, size_t n);

/* Enforces the definition of "converged" for all methods and backends: a finite value with a finite error within the
 * tolerance.  Integrals with status INTEGRAL_CONVERGED that do not meet it become roundoff-limited or not finite.
 * Returns the number of integrals to be examined for divergence; 0 if some have not been computed. */
struct tolerance { double relative, absolute; };
size_t statuses_check(int *status, const double *value, const double *error, const double *evaluations, size_t n,
                      struct tolerance, double examined_above);

/* TRUE if an integral is to be examined for divergence.  A converged integral is examined if it took more than
 * `examined_above` evaluations; one that is not done, or is coarse, is not examined. */
int status_is_examined(int status, double evaluations, double examined_above);

/* Sets count[k] to the number of integrals with status k. */
void statuses_count(const int *status, size_t n, double *count);

/* --- screening of integrals over one axis for divergence (divergence.c) --------------- */

/* Integrals 0, ..., n - 1 with their results.  Limits and parameters are recycled; breaks are increasing. */
struct screened {
    struct column lower, upper;
    const struct column *parameter;
    int parameters;
    const double *breaks;
    size_t break_count;
    const int *status;
    const double *value, *error, *evaluations;
    double examined_above;                      /* evaluations (status_is_examined()) */
    double resolved, rounded;           /* a value that is limited by rounding is screened if it took at most `resolved`
                                           evaluations and its relative error is at most `rounded` */
    size_t n;
};

/* Sets is_examined[i] to 1 if integral i is to be examined for divergence (status_is_examined()), unless it has a value
 * and the integrand next to each limit and break decays fast enough to ensure convergence; else to 0.  Returns 0 or a
 * status code. */
int screen_lines(const struct screened *, const struct sampler *, poll_function, unsigned char *is_examined,
                 struct status *);

#endif
