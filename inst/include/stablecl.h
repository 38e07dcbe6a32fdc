/* stablecl.h: alpha-stable distributions for the C and C++ code of other packages.
 *
 * In a package that calls stablecl:
 *
 *     DESCRIPTION    Imports: stablecl            LinkingTo: stablecl
 *     NAMESPACE      importFrom(stablecl, dstable)          (so that stablecl is loaded)
 *
 *     #include <stablecl.h>
 *     static const struct stablecl_api *stable;
 *
 *     void R_init_mypackage(DllInfo *dll) { stable = stablecl_get_api(); }       (NULL: too old)
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
 * Threads.  All work is done by an evaluator on the thread that calls it.  Any thread may open one,
 * and any number of threads may be at work, each with its own; one evaluator is used by one thread
 * at a time.  Nothing but stablecl_get_api() calls R, raises an R error, prints, starts threads or
 * asks for interrupts: what takes long is to be handed over in pieces.  The package's own threads and
 * devices work for its R functions only.
 *
 * An evaluator keeps what is worth keeping of the last law, so that elements of the same (alpha, beta)
 * are best given together: a density of a law takes 0.3 us on a processor of 2 to 3 GHz, that of a new
 * shape 12 us.  5000 or more of one shape in a call are read off piecewise polynomials, as in dstable().
 *
 * Values, units and accuracy are those of the R functions (?dstable, ?stable_score): x and delta in the
 * user's unit, gamma in the same, alpha and beta without.  Errors on the scale of |log v| are below 1e-12.
 * NA and NaN are passed on; parameters outside 0 < alpha <= 2, -1 <= beta <= 1, gamma >= 0 and
 * probabilities outside [0, 1] give NaN, of which nobody warns.
 *
 * Results must not overlap arguments.
 *
 * Versions.  New functions are put at the end of the table, and STABLECL_API_VERSION counts up; what is
 * there keeps its place, its arguments and its meaning.
 */
#ifndef STABLECL_H
#define STABLECL_H

#include <stddef.h>
#include <stdint.h>
#include <R_ext/Rdynload.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STABLECL_API_VERSION 1

/* What the functions of the table return.  After a failure the results are unspecified, and the
 * evaluator can be used again. */
enum stablecl_status {
    STABLECL_OK       = 0,
    STABLECL_MEMORY   = 1,              /* memory is short */
    STABLECL_ARGUMENT = 2               /* pm is not 0, 1 or 2, or a column is empty */
};

/* Values that are recycled to the length of the call; length >= 1. */
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

/* What one thread needs; opaque. */
struct stablecl;

struct stablecl_api {
    int version;                        /* of stablecl as installed: at least that of this header */

    /* NULL if memory is short. */
    struct stablecl *(*open)(void);
    void (*close)(struct stablecl *);   /* NULL is fine */

    /* What was wrong in the last call that failed, a sentence that lives as long as the evaluator. */
    const char *(*message)(const struct stablecl *);

    /* Density of law i at x[i], i < n; its logarithm if give_log. */
    int (*density)(struct stablecl *, const struct stablecl_laws *, size_t n, const double *x,
                   int give_log, double *y);

    /* P(X <= x[i]), or P(X > x[i]) unless lower_tail; its logarithm if give_log. */
    int (*distribution)(struct stablecl *, const struct stablecl_laws *, size_t n, const double *x,
                        int lower_tail, int give_log, double *y);

    /* The inverse of that. */
    int (*quantile)(struct stablecl *, const struct stablecl_laws *, size_t n, const double *p,
                    int lower_tail, int log_p, double *q);

    /* Derivatives of the log density of law i at x[i] in alpha, beta, gamma, delta and x: score[i + n k] for
     * column k.  They take 20 to 40 times as long as a density. */
    int (*score)(struct stablecl *, const struct stablecl_laws *, size_t n, const double *x, double *score);

    /* Numbers first, ..., first + n - 1 of the stream that belongs to a seed; y[i] is drawn from law i.  It is a
     * function of seed, first + i and its law: there is no state, and whoever computes a stretch gets the same. */
    int (*random)(struct stablecl *, const struct stablecl_laws *, size_t n, uint64_t seed, uint64_t first,
                  double *y);
};

/* The table; NULL if stablecl as installed is older than this header.  On R's main thread, once, from R_init_*():
 * an R error if the namespace of stablecl is not loaded. */
static inline const struct stablecl_api *stablecl_get_api(void)
{
    typedef const struct stablecl_api *(*getter)(int);
    getter get = (getter)(void (*)(void))R_GetCCallable("stablecl", "stablecl_api");
    return get(STABLECL_API_VERSION);
}

/* alpha, beta, gamma and delta, which must stay where they are. */
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
