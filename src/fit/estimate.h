/* The result of a fit, in canonical units (sample.h). */
#ifndef STABLECL_FIT_ESTIMATE_H
#define STABLECL_FIT_ESTIMATE_H

#include "problem.h"

enum estimate_bound { BOUND_NONE, BOUND_LOWER, BOUND_UPPER };

/* How a fit ended; R/fit.R has the messages. */
enum estimate_end {
    END_AT_MAXIMUM, END_NO_PROGRESS, END_TOO_LONG,
    END_CLOSED_FORM, END_GAUSSIAN, END_NOTHING_TO_ESTIMATE
};

/* Reasons, apart from bounds, for which parameters have no standard errors. */
enum { NOTE_FIXED_LOCATION = 1, NOTE_NOT_POSITIVE = 2, NOTE_MODE = 4 };

struct estimate {
    double theta[PARAMETERS], loglik;   /* -Inf: no law has the whole sample in its support */
    double cov[PARAMETERS][PARAMETERS]; /* NaN where unknown */
    double gradient[PARAMETERS];        /* multiplied by the standard errors; NaN for parameters that are not free */
    int active[PARAMETERS];             /* enum estimate_bound: the bound at which the parameter is */
    int end, notes, steps, evaluations;
};

/* Sets the law and the bounds at which its parameters are; the covariance and the gradient are unknown. */
void estimate_begin(struct estimate *, const struct problem *, const double *theta);

/* Makes the rows and columns of the covariance unknown for parameters j with in[j] == 0. */
void estimate_forget(struct estimate *, const int *in);

#endif
