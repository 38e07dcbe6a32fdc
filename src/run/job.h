/* Jobs and backends: what the layers above request, and what a backend implements.
 *
 * A job describes n results of one quantity.  Its inputs are columns, each recycled to length n, so that parameters may
 * vary between elements.
 */
#ifndef STABLECL_RUN_JOB_H
#define STABLECL_RUN_JOB_H

#include <stddef.h>
#include "../base/column.h"
#include "../base/parallel.h"
#include "../interpolant/approximation.h"
#include "../special/double_double.h"
#include "../special/philox.h"

/* The user's distributions.  pm is 0, 1 or 2 for S0, S1, S2.  The values are not checked: the backend handles
 * NaN and values outside the domain. */
struct laws {
    struct column alpha, beta, gamma, delta;
    int pm;
};

/* The quantities that a job can compute:
 *
 *     VALUES       density, lower tail, upper tail and error estimate at x, each in its own output
 *     QUANTILES    quantiles of the probabilities x
 *     VARIATES     random variates; element i depends only on the key, its number first + i, and its law
 *     MODES        modes
 *     SCORES       derivatives of log f(x) with respect to alpha, beta, gamma, delta and x: five outputs
 *     LOGLIK       sums of log f(x_i) for one law
 *     APPROXIMATE  log f of one law and its derivatives with respect to alpha, beta, gamma and delta, to about 1e-9
 *                  each, for optimisers: as five outputs, or as sums of these and of the products of the derivatives
 *                  (aa, ba, bb, ga, gb, gg, da, db, dg, dd); if only sums are wanted, derivatives outside the tensor
 *                  approximation have about six correct digits
 *     LOGLIKS      for each of n laws the sum of log f(x_i) over all x, to about 1e-9 for each x_i if the shape has a
 *                  tensor approximation
 *     APPROXIMATE_EACH
 *                  like APPROXIMATE, as five outputs, with a law for each element
 */
enum quantity {
    JOB_VALUES, JOB_QUANTILES, JOB_VARIATES, JOB_MODES, JOB_SCORES, JOB_LOGLIK, JOB_APPROXIMATE, JOB_LOGLIKS,
    JOB_APPROXIMATE_EACH, QUANTITIES
};

/* The precision in which devices compute a job. */
enum precision { PRECISION_DOUBLE, PRECISION_SINGLE };

/* Numbers of the outputs of JOB_VALUES; other quantities use the first ones. */
enum { OUT_PDF, OUT_CDF, OUT_SF, OUT_ERROR, OUTPUTS = 5 };

/* Members that a quantity does not use are 0.  Sums are computed in blocks (special/double_double.h), each of which
 * has its own sums; slices of such jobs begin and end at block boundaries. */
struct element_job {
    enum quantity quantity;
    size_t n;
    struct column x;                    /* for sums: of length n, or the sample of LOGLIKS */
    struct laws laws;
    int lower, give_log;                /* probabilities are lower tails; values or probabilities are logarithms */
    struct philox_key key;
    uint64 first;                       /* number of element 0 in the stream of the key; not 0 on the CPU only */
    double *out[OUTPUTS];               /* columns of length n; NULL: not wanted */

    struct column weight;               /* recycled; length 0: all weights are 1 */
    size_t ahead;                       /* log densities of this shape expected in total; n if it is less */
    unsigned long data;                 /* number under which a device may keep x; 0: do not keep it */
    int only_value;                     /* derivatives are not wanted; their outputs are unspecified */
    int on_cpu;                         /* the CPU computes the job, whatever is selected */
    enum precision precision;           /* of devices; the CPU computes in double precision */
    double *sum;                        /* sums_of_block() for each block (columns.h); NULL: not wanted */
    struct deferred *deferred;          /* receives the elements that a device leaves to the CPU; NULL: it must
                                           leave none */
};

/* Indices of the elements that a device leaves to the CPU, in any order. */
struct deferred { size_t *at, count, capacity; };

/* A part of a job that begins at element `first` and contains at least one element and as many as take about
 * `seconds`.  The backend sets `done`, and `nans` if it returned a NaN for arguments that contain none. */
struct slice {
    size_t first;
    double seconds;
    size_t done;
    int nans;
};

/* A sample, which is x[first], ..., x[first + n - 1] in increasing order, and a law (S0 or S1) to evaluate it
 * with. */
struct many_request {
    double alpha, beta, gamma, delta;
    int pm;
    size_t first, n;
    int only_value;
};

/* The sums of JOB_APPROXIMATE for each of n requests, or the sum of JOB_LOGLIK if `exactly` is set.  A device
 * leaves elements outside the tensor approximation to the caller: `deferred` has MANY_DEFERRED + 1 entries for each
 * request, namely the number of these elements and then their indices in the sample, in any order, as many as
 * fit.  The number is MANY_NOT_COMPUTED for a shape without an approximation.  If only values are wanted, a device
 * leaves none of more than MANY_DEFERRED elements. */
struct many_job {
    size_t n;
    const struct many_request *request;
    struct column x;                    /* all samples */
    unsigned long data;                 /* number under which devices keep x */
    int exactly;
    double *sum;                        /* APPROXIMATE_SUMS per request, or one if `exactly` */
    int *deferred;                      /* not used if `exactly` */
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

    int (*run)(struct session *, const struct element_job *, struct slice *, struct status *);
    int (*many)(struct session *, const struct many_job *, struct slice *, struct status *);

    /* Discards the data kept under this number. */
    void (*forget)(struct session *, unsigned long data);
};

extern const struct backend opencl_backend;     /* device/session.c; that of the CPU is in cpu.h */

/* A backend and a session on it. */
struct target {
    const struct backend *backend;
    struct session *session;            /* NULL: none */
};

#endif
