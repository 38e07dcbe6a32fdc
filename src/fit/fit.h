/* The fit of one data set, from canonical units through estimation back to the user's units, and of many. */
#ifndef STABLECL_FIT_FIT_H
#define STABLECL_FIT_FIT_H

#include "starting_values.h"

/* --- the estimators, for a canonical sample --- */

/* Computes the quantile estimate as a final result, with standard errors.  Its covariance matrix follows from that of
 * the five quantiles by the delta method, with derivatives by central differences. */
int quantiles_fit(struct evaluator *, const struct problem *, struct estimate *, struct status *);

/* Computes the estimate from the empirical characteristic function; `from`: the law (S0) to start from.  Its end is
 * END_NO_SOLUTION if the regression has none.  For a sample standardised by the quantile estimate. */
int ecf_fit(struct evaluator *, const struct problem *, const double *from, struct estimate *, struct status *);

/* Computes the estimate of a symmetric law from logarithmic moments.  *omitted: the number of values without a finite
 * logarithm.  For a sample standardised by the quantile estimate. */
int logmoments_fit(struct evaluator *, const struct problem *, struct estimate *, size_t *omitted, struct status *);

/* Computes the maximum likelihood estimate for alpha = 2, in closed form.  Its loglik is -Inf if alpha is fixed at
 * another value. */
void gaussian_fit(const struct sample *, const struct problem *, struct estimate *);

/* Chooses between the Gaussian law and an estimate where tied values make the likelihood unbounded: the log-likelihood
 * of the estimate becomes -Inf if the Gaussian law is a maximum, otherwise that of the Gaussian law does. */
int gaussian_choose(struct evaluator *, const struct problem *, struct estimate *gaussian, struct estimate *,
                    struct status *);

/* Fits the sample of the evaluator by maximum likelihood, starting from a law (S0).  The candidates are computed when
 * they are needed, and kept for a fit that is restarted (evaluate.h). */
int likelihood_fit(struct evaluator *, const struct problem *, const double *from, struct candidates *,
                   struct estimate *, struct status *);

/* A Gaussian law is preferred to another one that is more likely by less than this. */
#define GAUSSIAN_MARGIN 1e-6

/* Fits the sample of the evaluator by maximum likelihood on contracting grids (contraction.c), starting from a law
 * (S0).  parameters: 4, or 2 for grids over the shape, with scale and location from quantiles; then the covariance is
 * not computed. */
int grid_fit(struct evaluator *, const struct problem *, const double *from, int parameters, struct estimate *,
             struct status *);

/* --- one data set --- */

/* x: finite values; weight: positive, or NULL; start: the law (S0) to start from, or NULL for the quantile estimate. */
struct fit_data {
    const double *x, *weight, *start;
    size_t n;
    unsigned long data;                 /* number under which devices cache x; 0: none */
};

/* In the order of compiled_methods (R/fit-run.R), followed by the grid over two parameters. */
enum estimator { BY_LIKELIHOOD, BY_QUANTILES, BY_GRID, BY_ECF, BY_LOG_MOMENTS, BY_GRID_OF_SHAPES };

/* A sample of n values in the user's units, of which only a part is in memory: its estimate is part.start. */
struct streamed_data {
    struct fit_data part;
    double n, mean, variance;
};

/* The options of a fit, for all data sets; laws are (alpha, beta, gamma, delta) of S0, in the user's units. */
struct fit_preference {
    const struct start_tables *tables;
    int is_fixed[PARAMETERS];
    double fixed[PARAMETERS];
    double alpha_min, tolerance;        /* as in struct problem */
    int max_steps, wants_covariance;
    enum estimator estimator;
};

enum fit_trouble { FIT_FINE, FIT_TIED, FIT_OFF_SUPPORT, FIT_NO_SOLUTION };

struct fit_result {
    enum fit_trouble trouble;
    struct tie tie;                     /* of samples that were sorted */
    struct estimate estimate;           /* in the user's units */
    double approximate[PARAMETERS];     /* the quantile estimate, in the user's units */
    size_t omitted;                     /* number of values that the estimator leaves out */
};

/* The workspace of a thread, which fits one data set after another. */
struct fitter {
    struct evaluator evaluator;
    double *workspace;                       /* the canonical sample, its weights, and workspace for sorting */
    size_t length;                      /* values for which there is memory */
};

int fitter_begin(struct fitter *, struct status *);
void fitter_end(struct fitter *);

/* fitter_attach() prepares a fitter for a call.  fitter_release() drops the sample after the call, and frees large
 * workspaces. */
void fitter_attach(struct fitter *, struct stop_flag *);
void fitter_release(struct fitter *);

/* A data set that is ready to be fitted: its canonical sample, its estimation problem, and the starting values. */
struct prepared_fit {
    struct sample sample;
    struct problem problem;
    double from[PARAMETERS];            /* the law to start from, in canonical units */
    struct candidates far;              /* computed when they are needed (likelihood.c) */
};

/* Computes the canonical sample, in z or, if z is NULL, in the fitter's workspace, and the starting values.  If the
 * sample cannot be fitted, sets result->trouble. */
int fit_prepare(struct fitter *, const struct fit_data *, const struct fit_preference *, double *z,
                struct prepared_fit *, struct fit_result *, struct status *);

/* Makes the part of a sample that is not in memory the canonical sample.  If it cannot be fitted, sets
 * result->trouble. */
int fit_prepare_streamed(struct fitter *, const struct streamed_data *, const struct fit_preference *,
                         struct prepared_fit *, struct fit_result *, struct status *);

/* Fits a prepared data set. */
int fit_finish(struct evaluator *, struct prepared_fit *, const struct fit_preference *, struct fit_result *,
               struct status *);

/* Prepares and fits a data set. */
int fit_one(struct fitter *, const struct fit_data *, const struct fit_preference *, struct fit_result *,
            struct status *);

/* --- samples that are not in memory (streamed.c) --- */

/* Sums over the whole sample that a fit requests; `what`: their kind (evaluate.h). */
#define MAX_STREAMED  64
struct streamed_requests {
    int count, what;
    struct many_request request[MAX_STREAMED];
};

/* Fits the sample with the sums given for the first `answers` requests, in their order.  If it needs more, sets
 * `requests`, whose count is otherwise 0. */
int fit_streamed(const struct streamed_data *, const struct fit_preference *, size_t answers,
                 double (*answer)[APPROXIMATE_SUMS], struct streamed_requests *, struct fit_result *, poll_function,
                 struct status *);

/* --- fits of many data sets (batch.c) --- */

/* Fits `count` data sets; result[i] belongs to data set i.  Returns 0 or the code of a failure. */
int batch_fit(const struct fit_data *, size_t count, const struct fit_preference *, struct fit_result *, poll_function,
              struct status *);

/* Frees the fitters that are kept between calls. */
void batch_unload(void);

/* --- fits of many data sets in lock-step, with sums that a device computes (lockstep.c) --- */

/* TRUE if a data set can be fitted in lock-step. */
int lockstep_can_fit(const struct fit_preference *, const struct fit_data *);

/* One fitter for each thread, with their stop flag attached. */
struct lockstep_pool {
    struct fitter *fitters;
    int threads;
    struct stop_flag *stop;
    size_t min_active;                   /* fits in progress; the CPU finishes fewer than these */
};

/* Fits those of `count` data sets for which lockstep_can_fit() is TRUE.  Returns 0 or the code of a failure. */
int lockstep_fit(const struct lockstep_pool *, const struct fit_data *, size_t count, const struct fit_preference *,
                 struct fit_result *, struct status *);

/* Returns the seconds spent in each phase since the last call (`exact`: time on the device for exact sums), and the
 * numbers of rounds, of requests, and of fits finished on the CPU.  For benchmarks. */
struct lockstep_times { double prepare, search, device, exact, answer, rest, rounds, requests, on_cpu; };
struct lockstep_times lockstep_times(void);

#endif
