/* Functions shared by the published methods on the CPU. */
#ifndef STABLECL_QUADRATURE_PUBLISHED_DRIVERS_H
#define STABLECL_QUADRATURE_PUBLISHED_DRIVERS_H

#include "continuity.h"
#include "stepper.h"
#include "../integrals.h"

/* --- steppers (steppers.c) ---
 *
 * Advances many steppers along ranges.  A stepper requests a few points at a time and decides from the values where to
 * continue.
 *
 * A thread advances as many steppers together as fill a block of points; one that has finished is replaced by the next.
 * A device advances all of them at once.
 */

struct stepping {
    size_t bytes, state;                /* size of a stepper, which begins with a struct stepper, and of that part of it
                                           which devices advance */
    int points;                         /* points that a stepper requests at a time */
    /* Stores coordinate k of requested point q in x[k][q]. */
    void (*set_points)(const void *stepper, double *const *x);
    void (*step)(const void *rule, void *stepper, const double *f);
    const void *rule;                   /* the options of all steppers */
    /* Stores the points that a stepper has recorded on a device; NULL: it records none. */
    void (*record)(void *stepper, const double *point, int count);
    enum box_use use;                   /* the kernel that advances them, and its work items for each; 0: none */
    int items;
};

/* Advances `count` steppers until all have finished.  Returns 0 or a status code. */
int advance_steppers(const struct integral_job *, const struct stepping *, void *steppers, size_t count,
                     const struct sampler *, poll_function, struct status *);

/* --- the methods of Kern and Alaghband (quadrature/published/continuity.h) --- */

struct cuts {
    const struct integral_job *job;
    const struct sampler *sampler;
    struct cut_rule rule;
    enum cut_variant variant;
};

/* Stores the results of an integral and returns 0.  Returns 1 if the integral must be repeated with the tolerance for
 * its value. */
static inline int cut_end(const struct cuts *c, size_t integral, struct cut_sum *s, double tolerance, int used_up,
                          int again)
{
    int status = cut_status(&c->rule, s, tolerance, used_up, again);
    if (status == CUT_AGAIN) return 1;
    integral_end(c->job, integral, s->value, s->error, status);
    return 0;
}

/* One thread, or all threads together, or a device, computing an integral. */
struct cut_worker {
    const struct cuts *cuts;
    struct stop_flag *stop_flag;
    struct cut_sum *sums;               /* sums of the chunks of a region; NULL: one thread computes the region */
    int thread;
};

/* Returns memory for the sums of the chunks of a region; NULL if it is short. */
struct cut_sum *cut_allocate_sums(const struct cuts *);

/* Returns the number of parts of an integral; 0 if the computation must stop.  Sets *tolerance, unless it is NULL, to
 * that for the sums of all parts, each evaluated in rule.cells intervals. */
int cut_begin(const struct cut_worker *, size_t integral, double *tolerance);

/* SCAQ and PSCAQ, and CAQ.  Each returns ST_OK or a failure code. */
int cut_scaq(const struct cuts *, poll_function, struct status *);
int cut_caq(const struct cuts *, poll_function, struct status *);

#endif
