/* The log-likelihood of a canonical sample, its gradient, and the sum of the outer products of the scores.
 *
 * For alpha >= TABLES_BEGIN they are computed from the tables of interpolant/tensor_approximation.h, to about seven
 * digits for each observation, which is accurate enough for the search.  For smaller alpha they are computed from log
 * densities and finite differences of these (differences.c).
 *
 * A sample is evaluated by one thread or, if it has `shared` values or more, by the backend in force with all its
 * threads.  This choice depends on the sample and on whether a device is selected by name (batch.c); all results are
 * the same up to rounding.
 */
#ifndef STABLECL_FIT_EVALUATE_H
#define STABLECL_FIT_EVALUATE_H

#include "problem.h"
#include "../run/backend.h"
#include "../run/cpu.h"
#include "../interpolant/tensor_approximation.h"

#define TABLES_NOISE 2e-9                /* error of a log density from the tables */
#define SHARED 131072                    /* observations; default of `shared` */

/* --- the replay log (replay_log.c) ------------------------------------------------ */

/* The replay log holds the sums that a fit has requested so far.
 *
 * A fit is written as if every sum were available at once.  When many fits are in progress (lockstep.c), a fit is
 * restarted after its last request has been answered: it reads the sums from the log, in the same order, up to the
 * first request that is new, which ends it with ST_AWAITED.  Its own steps take a microsecond each, a sum about fifty.
 * A fit that is alone has its requests answered at once instead.
 */

/* Kinds of requests: all sums of JOB_APPROXIMATE; only the first of them; the exact log-likelihood; or, for
 * REQUEST_HOST, the fit can continue on the CPU only, where all sums are computed immediately. */
enum { REQUEST_SUMS, REQUEST_VALUE, REQUEST_EXACTLY, REQUEST_HOST };

struct replay_log {
    double *sum;                        /* the answers, one after another, each after the number of its sums */
    size_t count, capacity, at;             /* numbers in them, largest number of them, those read */
    struct many_request *replay_entry;  /* the new requests, without their samples */
    size_t requests_so_far, request_capacity;   /* their number, and the largest number */
    int what;                           /* their kind */
    int is_on_cpu;                      /* TRUE if the fit computes the sums that are not in the log */
    /* Answers all requests of a fit that is alone; ST_UNSUPPORTED: the CPU is to continue.  NULL: requests wait. */
    int (*answer)(void *answer_context, struct status *);
    void *answer_context;
};

/* Restarts reading at the first answer, and removes all requests. */
void replay_begin(struct replay_log *);

/* TRUE if an answer has not been read yet. */
int replay_has_answer(const struct replay_log *);

/* Reads the next answer.  Returns 0 if there is none. */
int replay_read(struct replay_log *, int what, double *sum);

/* Adds a request.  Returns ST_AWAITED, or the code of a failure. */
int replay_request(struct replay_log *, const struct laws *, int what, struct status *);

/* Adds the answer to the next request. */
int replay_add_answer(struct replay_log *, const double *sum, struct status *);

/* Has the requests of a fit that is alone answered, or sets is_on_cpu if they cannot be. */
int replay_answer(struct replay_log *, struct status *);

void replay_free(struct replay_log *);

/* --- the evaluator ---------------------------------------------------------------- */

struct evaluator {
    struct context *context;
    struct stop_flag *stop;             /* shared by all threads */
    struct replay_log *replay_log;      /* NULL: sums are computed immediately */
    const struct sample *sample;
    size_t shared;                      /* number of observations from which the backend in force evaluates a sample */
    unsigned long data;                 /* number under which a backend caches the sample; 0: none */
    int is_data_borrowed;               /* TRUE if the number belongs to the caller */
    double *workspace;                       /* workspace: columns of exact log densities */
    size_t length;                      /* of a column */
    int count;                          /* evaluations since the sample was set */
    int is_rough;                       /* TRUE if one-sided differences are accurate enough (differences.c) */
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

/* Computes the exact log-likelihood of a law theta of S0. */
int evaluate_law(struct evaluator *, const double *theta, double *value, struct status *);

/* Announces the `count` points that will be evaluated next, in this order and regardless of the results, for sums or
 * values (REQUEST_...): a fit on a device requests all of them at once. */
int evaluate_ahead(struct evaluator *, const struct coordinates *, int count, double (*y)[PARAMETERS], int what,
                   struct status *);

/* Compute the log-likelihoods at `count` points as one job, exactly for those outside the tables; and at points that
 * differ in their locations only, outside the tables to 1e-7 for each observation. */
#define MAX_AT_ONCE  81
int evaluate_values(struct evaluator *, const struct coordinates *, int count, double (*y)[PARAMETERS], double *value,
                    struct status *);
int evaluate_locations(struct evaluator *, const struct coordinates *, int count, double (*y)[PARAMETERS],
                       double *value, struct status *);

/* --- without the tables (differences.c, locations.c) --- */

/* Compute the log-likelihood, and its derivatives, at a point y whose law is valid, from log densities and their
 * differences. */
int differences_answer(struct evaluator *, const struct coordinates *, const double *y, struct answer *,
                       struct status *);
int differences_value(struct evaluator *, const struct coordinates *, const double *y, double *value, struct status *);

/* Computes the log-likelihoods at `count` points that differ in their locations only (evaluate_locations). */
int differences_locations(struct evaluator *, const struct coordinates *, int count, double (*y)[PARAMETERS],
                          double *value, struct status *);

/* Computes the exact log densities of a law of S0 or S1 (pm) at n points x. */
int evaluate_points(struct evaluator *, const struct laws *, size_t n, const double *x, double *log_f, struct status *);

#endif
