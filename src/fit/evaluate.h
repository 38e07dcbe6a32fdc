/* The log-likelihood of a canonical sample, its gradient and the scores' outer products.
 *
 * For alpha >= TABLES_BEGIN they come from the tables of interpolant/tensor_tables.h, to about seven digits for each observation:
 * good to steer by.  Below, from exact log densities and their differences.
 *
 * A sample is evaluated by one thread alone, or, if it has SHARED values and more, by the backend in force,
 * with all its threads.  Which of the two it is depends on the sample only, and so do all results.
 */
#ifndef STABLECL_FIT_EVALUATE_H
#define STABLECL_FIT_EVALUATE_H

#include "coordinates.h"
#include "replay_log.h"
#include "../run/single_thread.h"
#include "../interpolant/tensor_tables.h"

#define TABLES_NOISE 2e-9                /* error of a log density from them */
#define SHARED 131072

/* Whether the user wants to stop.  Only the thread that `asks` polls; others look at what it has found. */
struct watch {
    poll_function poll;
    double last;                        /* when it polled (threads_clock) */
    int stopped;
};

struct evaluator {
    struct context *context;
    struct watch *watch;
    int asks;
    struct replay_log *replay_log;      /* NULL: sums are computed here and now */
    const struct sample *sample;
    unsigned long data;                 /* its number with a backend, 0: none */
    int lends_data;                     /* the number is somebody else's */
    double *room;                       /* columns of exact log densities */
    size_t length;
    int count;                          /* evaluations since the sample was set */
};

/* In coordinates y, of parameters that do not move, too. */
struct answer {
    double value;                       /* -Inf where there is no density */
    double gradient[PARAMETERS], outer[PARAMETERS][PARAMETERS];
};

int evaluator_begin(struct evaluator *, struct status *);
void evaluator_end(struct evaluator *);

/* Lets go of the sample, and of room for more than `kept` values. */
void evaluator_rest(struct evaluator *, size_t kept);

/* Another sample, which stays where it is. */
void evaluator_set(struct evaluator *, const struct sample *);

/* Is the log-likelihood here one to steer by? */
static inline int is_steered(const double *y) { return y[ALPHA] >= TABLES_BEGIN; }

int evaluate_answer(struct evaluator *, const struct coordinates *, const double *y, struct answer *, struct status *);

/* The value alone: that of the answer, and the exact one. */
int evaluate_value(struct evaluator *, const struct coordinates *, const double *y, double *value, struct status *);
int evaluate_exactly(struct evaluator *, const struct coordinates *, const double *y, double *value, struct status *);

/* So many places are to be looked at next, one after the other, for sums or values (ASKS_...), whatever is found: a
 * fit in flight asks for all of them at once. */
int evaluate_ahead(struct evaluator *, const struct coordinates *, int count, double (*y)[PARAMETERS], int what,
                   struct status *);

/* Exact log densities of a law of S0 or S1 (pm) at n places. */
int evaluate_points(struct evaluator *, const struct laws *, size_t n, const double *x, double *log_f, struct status *);

#endif
