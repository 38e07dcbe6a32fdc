/* The log-likelihood of a canonical sample, its gradient, and the sum of the outer products of the scores.
 * * For alpha >= TABLES_BEGIN they are computed from the tables of interpolant/tensor_approximation.h, to about seven
 * digits for
 * each observation, which is accurate enough for the search.  For smaller alpha they are computed from exact log
 * densities and finite differences of these.
 *
 * A sample is evaluated by one thread or, if it has SHARED values or more, by the backend in force with all its
 * threads.  This choice depends on the sample only, and so do all results.
 */
#ifndef STABLECL_FIT_EVALUATE_H
#define STABLECL_FIT_EVALUATE_H

#include "problem.h"
#include "replay_log.h"
#include "../run/cpu.h"
#include "../interpolant/tensor_approximation.h"

#define TABLES_NOISE 2e-9                /* error of a log density from the tables */
#define SHARED 131072                    /* observations */

struct evaluator {
    struct context *context;
    struct stop_flag *stop;             /* shared by all threads */
    struct replay_log *replay_log;      /* NULL: sums are computed immediately */
    const struct sample *sample;
    unsigned long data;                 /* number under which a backend caches the sample; 0: none */
    int lends_data;                     /* TRUE if the number belongs to the caller */
    double *room;                       /* workspace: columns of exact log densities */
    size_t length;                      /* of a column */
    int count;                          /* evaluations since the sample was set */
};

/* The log-likelihood and its derivatives in all coordinates y; those in a fixed alpha or beta may be 0. */
struct answer {
    double value;                       /* -Inf if y is not a valid law or a density is 0 or NaN */
    double gradient[PARAMETERS], outer[PARAMETERS][PARAMETERS];
};

int evaluator_begin(struct evaluator *, struct status *);
void evaluator_end(struct evaluator *);

/* Drops the sample, and frees the workspace if it has more than `kept` values a column. */
void evaluator_release(struct evaluator *, size_t kept);

/* Sets the sample, which is not copied. */
void evaluator_set(struct evaluator *, const struct sample *);

/* TRUE if the log-likelihood at y is computed from the tables. */
static inline int uses_tables(const double *y) { return y[ALPHA] >= TABLES_BEGIN; }

/* Computes the log-likelihood and its derivatives at y. */
int evaluate_answer(struct evaluator *, const struct coordinates *, const double *y, struct answer *, struct status *);

/* Compute the log-likelihood only: as evaluate_answer() does, and exactly. */
int evaluate_value(struct evaluator *, const struct coordinates *, const double *y, double *value, struct status *);
int evaluate_exactly(struct evaluator *, const struct coordinates *, const double *y, double *value, struct status *);

/* Announces the `count` points that will be evaluated next, in this order and whatever the results, for sums or values
 * (REQUEST_...): a fit on a device requests all of them at once. */
int evaluate_ahead(struct evaluator *, const struct coordinates *, int count, double (*y)[PARAMETERS], int what,
                   struct status *);

/* Computes the exact log densities of a law of S0 or S1 (pm) at n points x. */
int evaluate_points(struct evaluator *, const struct laws *, size_t n, const double *x, double *log_f, struct status *);

#endif
