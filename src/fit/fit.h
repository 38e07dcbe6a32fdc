/* The fit of one data set: to canonical units, estimation, and back to the user's units. */
#ifndef STABLECL_FIT_FIT_H
#define STABLECL_FIT_FIT_H

#include "estimate.h"
#include "evaluate.h"
#include "distant_starts.h"

/* x: finite values; weight: positive, or NULL; start: the law (S0) to start from, or NULL for the quantile estimate. */
struct fit_data {
    const double *x, *weight, *start;
    size_t n;
    unsigned long data;                 /* number under which devices cache x; 0: none */
};

/* The options of a fit, for all data sets; laws are (alpha, beta, gamma, delta) of S0, in the user's units. */
struct fit_preference {
    const struct start_tables *tables;
    int is_fixed[PARAMETERS];
    double fixed[PARAMETERS];
    double alpha_min, tolerance;        /* as in struct problem */
    int most_steps, wants_covariance, by_quantiles;
};

enum fit_trouble { FIT_FINE, FIT_TIED, FIT_OFF_SUPPORT };

struct fit_result {
    enum fit_trouble trouble;
    struct tie tie;                     /* of samples that were sorted */
    struct estimate estimate;           /* in the user's units */
    double approximate[PARAMETERS];     /* the quantile estimate */
};

/* The workspace of a thread, which fits one data set after another. */
struct fitter {
    struct evaluator evaluator;
    double *room;                       /* the canonical sample, its weights, and workspace for sorting */
    size_t length;                      /* values for which there is room */
};

int fitter_begin(struct fitter *, struct status *);
void fitter_end(struct fitter *);

/* fitter_attach() prepares a fitter for a call.  fitter_release() drops the sample after the call, and frees large
 * workspaces. */
void fitter_attach(struct fitter *, struct stop_flag *);
void fitter_release(struct fitter *);

/* A data set that is ready to be fitted: its canonical sample, its estimation problem, and the starting values. */
struct fit_course {
    struct sample sample;
    struct problem problem;
    double from[PARAMETERS];            /* the law to start from, in canonical units */
    struct candidates far;              /* computed when they are needed (likelihood.h) */
};

/* Computes the canonical sample, in z or, if z is NULL, in the fitter's workspace, and the starting values.  If the
 * sample cannot be fitted, sets result->trouble. */
int fit_prepare(struct fitter *, const struct fit_data *, const struct fit_preference *, double *z, struct fit_course *,
                struct fit_result *, struct status *);

/* Fits a prepared data set. */
int fit_finish(struct evaluator *, struct fit_course *, const struct fit_preference *, struct fit_result *,
               struct status *);

/* Prepares and fits a data set. */
int fit_one(struct fitter *, const struct fit_data *, const struct fit_preference *, struct fit_result *,
            struct status *);

#endif
