/* The interface of the backends: the functions that the R interface calls, and those that a backend implements.
 *
 * A job describes n results of one kind.  Its inputs are columns, each recycled to length n, so that parameters may
 * vary between elements.
 */
#ifndef STABLECL_RUN_JOB_H
#define STABLECL_RUN_JOB_H

#include <stddef.h>
#include "../base/column.h"
#include "../base/parallel.h"
#include "../interpolant/approximation.h"
#include "../special/compensated_sum.h"
#include "../special/philox.h"

/* The user's distributions.  pm is 0, 1 or 2 for S0, S1, S2.  The values are not checked: the backend handles
 * NaN and values outside the domain. */
struct laws {
    struct column alpha, beta, gamma, delta;
    int pm;
};

/* Outputs that are not wanted are NULL. */
struct eval_job {
    size_t n;
    struct column x;
    struct laws laws;
    int give_log;                       /* return logarithms of pdf, cdf and sf */
    double *pdf, *cdf, *sf, *error;
};

struct quantile_job {
    size_t n;
    struct column p;
    struct laws laws;
    int lower, log_p;
    double *q;
};

/* Element i depends only on (key, i) and the parameters of element i. */
struct random_job {
    size_t n;
    struct laws laws;
    struct philox_key key;
    double *y;
};

struct mode_job {
    size_t n;
    struct laws laws;
    double *mode;
};

/* A sum of log f(x_i) for one law, computed in blocks (special/compensated_sum.h), each of which has its own
 * sum.  Slices begin and end at block boundaries. */
struct loglik_job {
    size_t n;
    size_t ahead;                       /* log densities of this shape expected in total, at least n */
    struct column x;                    /* of length n */
    struct column weight;               /* recycled; length 0: all weights are 1 */
    struct laws laws;                   /* one law */
    unsigned long data;                 /* number under which a device may keep x; 0: do not keep it */
    struct double_double *block;        /* sums of the blocks; length blocks_of(n) (columns.h) */
};

/* Derivatives of log f with respect to alpha, beta, gamma, delta and x: five columns of length n. */
struct score_job {
    size_t n;
    struct column x;
    struct laws laws;
    double *score;
};

/* log f of one law and its derivatives with respect to alpha, beta, gamma and delta, to about 1e-9 each, for use
 * by optimisers.  `row` receives columns of length n; `sum` receives, for each block
 * (special/compensated_sum.h), the weighted sums of these and of the products of the derivatives (aa, ba, bb,
 * ga, gb, gg, da, db, dg, dd).  Either may be NULL.  If only sums are wanted, derivatives outside the tensor
 * approximation have about six correct digits. */
struct approximate_job {
    size_t n;
    struct column x;                    /* of length n */
    struct column weight;               /* recycled; length 0: all weights are 1 */
    struct laws laws;                   /* one law */
    int only_value;                     /* derivatives are not wanted; their outputs are unspecified */
    double *row, *sum;
    unsigned long data;                 /* number under which a device may keep x; 0: do not keep it */
    struct left *left;                  /* receives the elements that a device leaves to the CPU; NULL: it must
                                           leave none */
};

/* Indices of elements, in any order. */
struct left { size_t *at, count, room; };

/* A part of a job that begins at element `first` and contains at least one element and as many as take about
 * `seconds`.  The backend sets `done`, and `nans` if it returned a NaN for arguments that contain none. */
struct slice {
    size_t first;
    double seconds;
    size_t done;
    int nans;
};

/* The sums of log f(x_i) for n laws, to about 1e-9 for each x_i if the shape has a tensor approximation. */
struct logliks_job {
    size_t n;
    struct column x;
    struct laws laws;
    double *sum;                        /* of length n */
};

/* A sample, which is x[first], ..., x[first + n - 1] in increasing order, and a law (S0 or S1) to evaluate it
 * with. */
struct many_request {
    double alpha, beta, gamma, delta;
    int pm;
    size_t first, n;
    int only_value;
};

/* The sums of approximate_job for each of n requests, or the sum of loglik_job if `exactly` is set.  A device
 * leaves elements outside the tensor approximation to the caller: `left` has MANY_LEFT + 1 entries for each
 * request, namely the number of these elements and then their indices in the sample, in any order, as many as
 * fit; the number is -1 if nothing was computed. */
struct many_job {
    size_t n;
    const struct many_request *request;
    struct column x;                    /* all samples */
    unsigned long data;                 /* number under which devices keep x */
    int exactly;
    double *sum;                        /* APPROXIMATE_SUMS per request, or one if `exactly` */
    int *left;                          /* not used if `exactly` */
};

struct session;

/* Devices by their index in devices_list(); empty for the CPU. */
#define SELECTION_MAX 16
struct selection {
    int count;
    int device[SELECTION_MAX];
};

/* All entries run on the main thread, use host memory, and never call R.  They return 0 or the code of a failure
 * that is described in *st, ST_UNSUPPORTED if the backend does not support the job.  After a failure the outputs
 * from slice.first on are unspecified, and the session can only be closed. */
struct backend {
    const char *name;

    /* NULL on failure. */
    struct session *(*open)(const struct selection *, struct status *st);
    /* Frees everything that open() and later calls acquired. */
    void (*close)(struct session *);

    int (*eval)(struct session *, const struct eval_job *, struct slice *, struct status *);
    int (*quantile)(struct session *, const struct quantile_job *, struct slice *, struct status *);
    int (*random)(struct session *, const struct random_job *, struct slice *, struct status *);
    int (*mode)(struct session *, const struct mode_job *, struct slice *, struct status *);
    int (*score)(struct session *, const struct score_job *, struct slice *, struct status *);
    int (*loglik)(struct session *, const struct loglik_job *, struct slice *, struct status *);
    int (*approximate)(struct session *, const struct approximate_job *, struct slice *, struct status *);
    int (*logliks)(struct session *, const struct logliks_job *, struct slice *, struct status *);
    int (*many)(struct session *, const struct many_job *, struct slice *, struct status *);

    /* Discards the data kept under this number. */
    void (*forget)(struct session *, unsigned long data);
};

/* A backend and a session on it. */
struct target {
    const struct backend *backend;
    struct session *session;            /* NULL: none */
};

#endif
