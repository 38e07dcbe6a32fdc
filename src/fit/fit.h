/* The fit of one data set, from the user's units and back. */
#ifndef STABLECL_FIT_FIT_H
#define STABLECL_FIT_FIT_H

#include "estimate.h"
#include "evaluate.h"
#include "distant_starts.h"

/* Finite values; weights, all positive, or NULL; the law to start from, or NULL for the quantile estimate. */
struct fit_data {
    const double *x, *weight, *start;
    size_t n;
    unsigned long data;                 /* number under which devices know x; 0: none */
};

/* What is wanted of every data set; laws are (alpha, beta, gamma, delta) of S0. */
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
    struct tie tie;                     /* of samples that are sorted */
    struct estimate estimate;           /* in the user's units */
    double approximate[PARAMETERS];     /* the quantile estimate */
};

/* What a thread fits with, one data set after the other. */
struct fitter {
    struct evaluator evaluator;
    double *room;                       /* the canonical sample and what sorting needs */
    size_t length;
};

int fitter_begin(struct fitter *, struct status *);
void fitter_end(struct fitter *);

/* Before and after data sets that somebody waits for; asks: on the thread that may poll. */
void fitter_serve(struct fitter *, struct watch *, int asks);
void fitter_rest(struct fitter *);

/* A data set that is ready to be fitted: its canonical sample, and where to begin. */
struct fit_course {
    struct sample sample;
    struct problem problem;
    double from[PARAMETERS];
    struct candidates far;
};

/* The sample goes to z, or (NULL) stays with the fitter.  The result says if nothing is to be fitted. */
int fit_prepare(struct fitter *, const struct fit_data *, const struct fit_preference *, double *z, struct fit_course *,
                struct fit_result *, struct status *);

/* From there to the end. */
int fit_finish(struct evaluator *, struct fit_course *, const struct fit_preference *, struct fit_result *,
               struct status *);

/* Both. */
int fit_one(struct fitter *, const struct fit_data *, const struct fit_preference *, struct fit_result *,
            struct status *);

#endif
