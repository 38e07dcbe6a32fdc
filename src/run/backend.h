/* What the R side asks for, and what a backend must do.
 *
 * A job describes n results of one kind.  Its inputs are columns, each recycled
 * to length n, so that parameters may vary from element to element.
 */
#ifndef STABLECL_RUN_BACKEND_H
#define STABLECL_RUN_BACKEND_H

#include <stddef.h>
#include "../base/column.h"
#include "../base/status.h"
#include "../interpolant/approximation.h"
#include "../special/compensated_sum.h"
#include "../special/philox.h"

/* The user's laws.  pm is 0, 1 or 2 for S0, S1, S2; the values are unchecked:
 * NaN and anything outside the domain are the backend's to answer. */
struct laws {
    struct column alpha, beta, gamma, delta;
    int pm;
};

/* Any of the outputs may be NULL: not wanted. */
struct eval_job {
    size_t n;
    struct column x;
    struct laws laws;
    int give_log;                       /* of pdf, cdf and sf */
    double *pdf, *cdf, *sf, *error;
};

struct quantile_job {
    size_t n;
    struct column p;
    struct laws laws;
    int lower, log_p;
    double *q;
};

/* Element i depends on (key, i) and the parameters of element i only. */
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

/* A sum of log f(x_i) for one law, in blocks (special/compensated_sum.h), each with a sum of its own.  Slices
 * begin at a block and end with one. */
struct loglik_job {
    size_t n;
    size_t ahead;                       /* log densities of this shape that are wanted by and by, at least n */
    struct column x;                    /* n of them */
    struct column weight;               /* recycled; length 0: 1 each */
    struct laws laws;                   /* one law */
    unsigned long data;                 /* the x that a device may keep under this number; 0: do not */
    struct double_double *block;        /* blocks_of(n) (columns.h) */
};

/* d log f in alpha, beta, gamma, delta and x, n of each, one after the other. */
struct score_job {
    size_t n;
    struct column x;
    struct laws laws;
    double *score;
};

/* log f of one law and its derivatives in alpha, beta, gamma and delta to about 1e-9 each, for what looks for a
 * law: n of each, one after the other, in `row`; and in `sum`, for each block (special/compensated_sum.h), the weighted sums
 * of these and of the products of the derivatives (aa, ba, bb, ga, gb, gg, da, db, dg, dd).  Either may be NULL.
 * Where only sums are wanted, derivatives that no sketch holds are good to some six digits. */
struct approximate_job {
    size_t n;
    struct column x;                    /* n of them */
    struct column weight;               /* recycled; length 0: 1 each */
    struct laws laws;                   /* one law */
    int only_value;                     /* derivatives are not wanted: what they hold is unspecified */
    double *row, *sum;
    unsigned long data;                 /* the x that a device may keep under this number; 0: do not */
    struct left *left;                  /* for elements that a device leaves to the CPU; NULL: none may be */
};

/* Numbers of elements, in any order. */
struct left { size_t *at, count, room; };

/* A part of a job: from `first` on, as much as fits into about `seconds`, but
 * at least one element.  The backend sets `done`, and `nans` if it made a NaN
 * from arguments that held none. */
struct slice {
    size_t first;
    double seconds;
    size_t done;
    int nans;
};

/* The sums of log f(x_i) for n laws, to about 1e-9 for each x_i where there is a sketch of the shape. */
struct logliks_job {
    size_t n;
    struct column x;
    struct laws laws;
    double *sum;                        /* n of them */
};

/* A sample, x[first] and the n - 1 after it in increasing order, and a law (S0 or S1) for it. */
struct many_request {
    double alpha, beta, gamma, delta;
    int pm;
    size_t first, n;
    int only_value;
};

/* The sums of approximate_job for each of n requests; or, if `exactly`, the sum of loglik_job.  A device leaves elements
 * that no sketch holds to the caller: left[0] of MANY_LEFT + 1 for each request is their number, and their places in
 * the sample follow, in any order, as many as there is room for; -1: nothing was done. */
struct many_job {
    size_t n;
    const struct many_request *request;
    struct column x;                    /* of all samples */
    unsigned long data;                 /* number under which devices keep x */
    int exactly;
    double *sum;                        /* APPROXIMATE_SUMS for each, or one */
    int *left;                          /* not looked at if `exactly` */
};

struct session;

/* Devices by their index in devices_list(); the CPU has none. */
#define SELECTION_MAX 16
struct selection {
    int count;
    int device[SELECTION_MAX];
};

/* All entries run on the main thread with host memory, never call R, and
 * return 0 or the code of a failure described in *st: ST_UNSUPPORTED for a job
 * that this backend does not do.  What a failed call had written to the outputs
 * from slice.first on is unspecified; a session that has failed is only closed. */
struct backend {
    const char *name;

    /* NULL on failure. */
    struct session *(*open)(const struct selection *, struct status *st);
    /* Frees everything that open and the calls since have acquired. */
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

    /* Data that were kept under this number are not needed any more. */
    void (*forget)(struct session *, unsigned long data);
};

/* Asked between slices, on the main thread; nonzero ends the job with
 * ST_INTERRUPTED.  It must return, not jump. */
typedef int (*poll_function)(void);

/* What the R side calls.  Each returns 0 or a status code, and sets *nans. */
int backend_eval(const struct eval_job *, poll_function, int *nans, struct status *);
int backend_quantile(const struct quantile_job *, poll_function, int *nans, struct status *);
int backend_random(const struct random_job *, poll_function, int *nans, struct status *);
int backend_mode(const struct mode_job *, poll_function, int *nans, struct status *);
int backend_score(const struct score_job *, poll_function, int *nans, struct status *);

/* The sum itself, whose blocks are the backend's own affair: job->block is not looked at. */
int backend_loglik(const struct loglik_job *, poll_function, double *sum, struct status *);

int backend_logliks(const struct logliks_job *, poll_function, struct status *);

/* Is a device to be used for many samples?  They take the CPU about so many seconds.  And what they took. */
int backend_takes_many(double seconds);
void backend_took_many(int on_device, double expected, double seconds);

/* ST_UNSUPPORTED where no device is in force, or "auto" has given it up: the caller then does without. */
int backend_many(const struct many_job *, poll_function, struct status *);

/* With `sum` not NULL, all sums over the blocks go there: job->sum and job->left are not looked at. */
int backend_approximate(const struct approximate_job *, poll_function, double *sum, int *nans, struct status *);

/* What a wish (as for backend_preference(); "" for what is in force) asks for. */
enum wanted { WANTED_CPU, WANTED_AUTO, WANTED_DEVICE };
int backend_wanted(const char *preference, enum wanted *, struct status *);

/* Can "auto" gain by a device for integrals that keep the CPU busy for some `seconds`?  If not, no driver is woken. */
int backend_may_gain(double seconds);

/* A number for data that later jobs will ask for again, and its end. */
unsigned long backend_data(void);
void backend_forget(unsigned long data);

/* Where a wish for a backend comes from; the first that is there counts. */
enum preference_source { PREFERENCE_CALL, PREFERENCE_OPTION, PREFERENCE_ENVIRONMENT, PREFERENCE_SOURCES };

/* What users may ask for: "auto", "cpu", "opencl", "opencl:N", "opencl:all" or part of
 * the name of a device; "" for no wish.  A wish by call must be one that can be met, and
 * gives a device that was given up another chance; the others are looked at when a job
 * comes. */
int backend_preference(enum preference_source, const char *text, struct status *);
const char *backend_preferred(enum preference_source);

/* Why a device was given up during the last call, once; NULL if none was. */
const char *backend_notice(void);

/* Why "auto" does without devices, or "". */
const char *backend_given_up(void);

/* What jobs get at the moment. */
struct backend_state {
    const char *preference;             /* in force */
    enum preference_source source;      /* PREFERENCE_SOURCES if nobody has wished */
    struct selection devices;           /* for large jobs under "auto"; count 0: CPU only */
    int is_auto, is_open, is_child;
    const char *given_up;               /* why, or "" */
    struct status wrong;                /* why the wish cannot be met */
};

void backend_describe(struct backend_state *);

/* Threads in use for large jobs.  A wish of 0 means the default. */
int  backend_threads(void);
void backend_preference_threads(int call_preference, int option_preference);

/* A law for which the CPU keeps something that makes large jobs fast. */
struct cache_entry {
    double alpha, beta, bytes;
    int quantiles;                      /* for quantiles, too */
};

/* The limit in bytes before the call, and a new one if `limit` is not negative. */
int backend_cache_limit(double limit, double *before, struct status *);

/* The `room` most recently used; the number of entries set, or -1 on failure. */
int backend_cache_list(struct cache_entry *, int room, struct status *);

void backend_load(void);                /* once, when the package is loaded */
void backend_unload(void);

#endif
