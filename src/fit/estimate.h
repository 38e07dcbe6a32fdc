/* What a fit finds, in canonical units (sample.h). */
#ifndef STABLECL_FIT_ESTIMATE_H
#define STABLECL_FIT_ESTIMATE_H

#include "problem.h"

enum estimate_bound { BOUND_NONE, BOUND_LOWER, BOUND_UPPER };

/* How a fit ended; R/fit.R has the words. */
enum estimate_end {
    END_AT_MAXIMUM, END_STUCK, END_TOO_LONG,
    END_CLOSED_FORM, END_GAUSSIAN, END_NOTHING_TO_ESTIMATE
};

/* What keeps parameters from having standard errors, apart from bounds. */
enum { NOTE_FIXED_LOCATION = 1, NOTE_NOT_POSITIVE = 2, NOTE_MODE = 4 };

struct estimate {
    double theta[PARAMETERS], loglik;   /* -Inf: no law has all of the sample in its support */
    double cov[PARAMETERS][PARAMETERS]; /* NaN where not known */
    double gradient[PARAMETERS];        /* in units of standard errors; NaN where nothing moves */
    int active[PARAMETERS];             /* enum estimate_bound */
    int end, notes, steps, evaluations;
};

/* A law with no covariance, nor anything else but the bounds it is at. */
void estimate_begin(struct estimate *, const struct problem *, const double *theta);

/* Rows and columns of parameters that are not in become unknown. */
void estimate_forget(struct estimate *, const int *in);

#endif
