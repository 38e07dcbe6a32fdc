/* stablecl.h: alpha-stable distributions for the C and C++ code of other packages, and for programs without R.
 *
 * In a program without R, which is linked with the library that `make lib` builds:
 *
 *     #define STABLECL_WITHOUT_R
 *     #include <stablecl.h>
 *     const struct stablecl_api *stable = stablecl_api(STABLECL_API_VERSION);
 *
 * In a package that calls stablecl:
 *
 *     DESCRIPTION    Imports: stablecl            LinkingTo: stablecl
 *     NAMESPACE      importFrom(stablecl, dstable)          (so that stablecl is loaded)
 *
 *     #include <stablecl.h>
 *     static const struct stablecl_api *stable;
 *
 *     void R_init_mypackage(DllInfo *dll) { stable = stablecl_get_api(); }       (NULL: stablecl is too old)
 *
 *     double loglik(struct stablecl *s, const double *x, size_t n, const double par[4], double *room)
 *     {
 *         struct stablecl_laws law = stablecl_one_law(par, 0);
 *         double sum = 0.0;
 *         if (stable->density(s, &law, n, x, 1, room)) return NAN;
 *         for (size_t i = 0; i < n; i++) sum += room[i];
 *         return sum;
 *     }
 *
 * Threads.  An evaluator computes on the thread that calls it.  Any thread may open an evaluator, and any
 * number of threads may compute at the same time, each with its own evaluator; an evaluator must not be
 * used by two threads at a time.  Only stablecl_get_api() calls R; the other functions raise no R errors,
 * print nothing, start no threads and do not check for interrupts, so split long computations into several
 * calls.  The package's own threads and devices are used by its R functions only.
 *
 * An evaluator caches intermediate results for the last (alpha, beta), so pass elements with the same
 * (alpha, beta) together: a density takes 0.3 us on a processor of 2 to 3 GHz, the first density of a new
 * (alpha, beta) 12 us.  If a call has 5000 or more elements with the same (alpha, beta), they are evaluated
 * by piecewise polynomials, as in dstable().
 *
 * Values, units and accuracy are those of the R functions (?dstable, ?stable_score): x, gamma and delta have
 * the user's unit, alpha and beta are dimensionless.  Errors on the scale of |log v| are below 1e-12.
 * NA and NaN are propagated; parameters outside 0 < alpha <= 2, -1 <= beta <= 1, gamma >= 0 and
 * probabilities outside [0, 1] give NaN without a warning.
 *
 * Result arrays must not overlap argument arrays.
 *
 * Versions.  New functions are added at the end of the table, and STABLECL_API_VERSION is increased; existing
 * functions keep their position, arguments and meaning.
 */
#ifndef STABLECL_H
#define STABLECL_H

#include <stddef.h>
#include <stdint.h>
#ifndef STABLECL_WITHOUT_R
#  include <R_ext/Rdynload.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define STABLECL_API_VERSION 1

/* Return values of the functions in the table.  After a failure the results are unspecified, but the
 * evaluator remains usable. */
enum stablecl_status {
    STABLECL_OK       = 0,
    STABLECL_MEMORY   = 1,              /* out of memory */
    STABLECL_ARGUMENT = 2               /* pm is not 0, 1 or 2, or a column is empty */
};

/* Values that are recycled to the number of elements n of the call; length >= 1. */
struct stablecl_column {
    const double *at;
    size_t length;
};

/* pm: parametrisation, 0, 1 or 2 for Nolan's S0, S1 and S2. */
struct stablecl_laws {
    struct stablecl_column alpha, beta, gamma, delta;
    int pm;
};

/* The columns of a score. */
enum { STABLECL_ALPHA, STABLECL_BETA, STABLECL_GAMMA, STABLECL_DELTA, STABLECL_X, STABLECL_SCORES };

/* An evaluator, for one thread at a time; opaque. */
struct stablecl;

struct stablecl_api {
    int version;                        /* of the installed stablecl: at least that of this header */

    /* Returns a new evaluator; NULL if out of memory. */
    struct stablecl *(*open)(void);
    void (*close)(struct stablecl *);   /* NULL is allowed */

    /* Returns the message of the last call that failed; the pointer is valid as long as the evaluator. */
    const char *(*message)(const struct stablecl *);

    /* y[i] is the density of distribution i at x[i], i < n; its logarithm if give_log. */
    int (*density)(struct stablecl *, const struct stablecl_laws *, size_t n, const double *x,
                   int give_log, double *y);

    /* y[i] is P(X <= x[i]) if lower_tail, otherwise P(X > x[i]); its logarithm if give_log. */
    int (*distribution)(struct stablecl *, const struct stablecl_laws *, size_t n, const double *x,
                        int lower_tail, int give_log, double *y);

    /* q[i] is the quantile at p[i], the inverse of `distribution`; p[i] is a logarithm if log_p. */
    int (*quantile)(struct stablecl *, const struct stablecl_laws *, size_t n, const double *p,
                    int lower_tail, int log_p, double *q);

    /* Derivatives of the log density of distribution i at x[i] with respect to alpha, beta, gamma, delta and x:
     * score[i + n k] for column k.  They take 20 to 40 times as long as a density. */
    int (*score)(struct stablecl *, const struct stablecl_laws *, size_t n, const double *x, double *score);

    /* Random numbers first, ..., first + n - 1 of the stream of a seed; y[i] is drawn from distribution i.  It
     * depends only on seed, first + i and the parameters: there is no state, and any part of the stream can be
     * computed independently. */
    int (*random)(struct stablecl *, const struct stablecl_laws *, size_t n, uint64_t seed, uint64_t first,
                  double *y);
};

/* Returns the table; NULL if the library is older than `version`. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const struct stablecl_api *stablecl_api(int version);

#ifndef STABLECL_WITHOUT_R
/* Returns the table; NULL if the installed stablecl is older than this header.  Call it once, on R's main thread,
 * from R_init_*(); raises an R error if the namespace of stablecl is not loaded. */
static inline const struct stablecl_api *stablecl_get_api(void)
{
    typedef const struct stablecl_api *(*getter)(int);
    getter get = (getter)(void (*)(void))R_GetCCallable("stablecl", "stablecl_api");
    return get(STABLECL_API_VERSION);
}
#endif

/* Returns columns that point to alpha, beta, gamma and delta in par, which must outlive them. */
static inline struct stablecl_laws stablecl_one_law(const double par[4], int pm)
{
    struct stablecl_laws l;
    l.alpha.at = par;
    l.beta.at = par + 1;
    l.gamma.at = par + 2;
    l.delta.at = par + 3;
    l.alpha.length = l.beta.length = l.gamma.length = l.delta.length = 1;
    l.pm = pm;
    return l;
}

#ifdef __cplusplus
}
#endif

#endif
