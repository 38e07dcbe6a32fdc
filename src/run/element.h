/* How the CPU computes one element of a job (element.c), and a range of elements on one thread (ranges.c,
 * interpolated.c, sums.c).
 *
 * A result depends only on its own arguments, not on the range or the thread.  Each function, unless stated otherwise,
 * returns 1 if it produced a NaN for arguments that contain none.
 */
#ifndef STABLECL_RUN_ELEMENT_H
#define STABLECL_RUN_ELEMENT_H

#include "job.h"
#include "../interpolant/build.h"
#include "../interpolant/encoding.h"
#include "../interpolant/tensor_approximation.h"
#include "../stable/random.h"
#include "../stable/scorer.h"
#include "../stable/shape.h"

/* The data that a thread keeps between elements: the current shape, its mode, and quantities for random numbers
 * and scores. */
struct worker {
    struct shape *shape;
    double mode_alpha, mode_beta, mode;  /* mode_alpha = 0: not set */
    struct draw_law draw;               /* alpha = 0: not set */
    struct scorer *scorer;              /* NULL: not allocated */
    double slopes_alpha, slopes_beta;   /* slopes_alpha = 0: not set */
    struct mode_slopes slopes;          /* derivatives of the mode */
    struct approximation approximation;  /* for jobs in which each thread has its own law */
    struct approximate_batch *batch;    /* workspace of approximate_range(); NULL: not allocated */
    double *block;                      /* SUM_BLOCK values for loglik_range(); NULL: not allocated */
};

/* A job as the CPU computes it: with the law of element 0 and, if all elements have this law, the interpolant or tensor
 * approximation that is used instead of exact evaluation; NULL: none. */
struct evaluation {
    const struct element_job *job;
    struct user_law law;
    const struct interpolant *interpolant;
    struct approximation *approximation;  /* of (alpha, |beta|); with all pieces built if several threads use it */
};

/* Frees everything that a worker owns, but not the worker itself. */
void worker_clear(struct worker *);

/* --- one element ------------------------------------------------------------------------------- */

/* Returns the mode of the standard distribution as user_frame() requires it, or 0 if user_law.h does not use it. */
double mode_if_needed(struct worker *, const struct user_law *);

/* without_store: no neighbouring element has the same shape, so that no node set is stored for it. */
int point_eval(struct worker *, const struct user_law *, double x, int what, int give_log, int without_store,
               struct point_values *);
int point_quantile(struct worker *, const struct user_law *, double p, int lower, int log_p, int without_store,
                   double *q);

/* Computes elements first, ..., first + count - 1 of the stream of a key, all for one law. */
int point_random(struct worker *, const struct user_law *, struct philox_key, uint64 first,
                 size_t count, double *y);

/* Allocates w->scorer, which point_score() needs, unless present; returns 0 if memory is short. */
int score_prepare(struct worker *w);

/* Computes the scores y[SCORE_COLUMNS] in the order of stable/score.h; with is_approximate only to the accuracy
 * that optimisers need. */
int point_score(struct worker *w, const struct user_law *, double x, int is_approximate, double *y);
int point_mode(struct worker *, const struct user_law *, double *mode);

/* --- the table of quantities --------------------------------------------------------------------- */

/* Approximate seconds per element (measured at 2 to 3 GHz): with one shape for all elements, and with a shape
 * that changes between elements. */
struct cost { double same, varying; };

/* Computes elements [from, to) of a job, or blocks of elements. */
typedef int range_function(const struct evaluation *, struct worker *, size_t from, size_t to);

struct quantity_method {
    const char *name;                   /* by which R requests it; "": it has an entry point of its own */
    int columns;                        /* number of outputs; if several, R receives a matrix */
    range_function *range;
    int (*prepare)(struct worker *);    /* allocates what range() needs besides the shape, unless present; returns 0
                                           if memory is short; NULL: it needs nothing else */
    size_t unit;                        /* SUM_BLOCK if range() computes blocks of elements (job.h), else 1 */
    size_t minimum;                       /* smallest range assigned to a thread, so that assignment is inexpensive */
    struct cost cost;                   /* by the formulas */
};

extern const struct quantity_method quantity_methods[QUANTITIES];

/* The range function of JOB_VALUES. */
range_function values_range;

/* --- interpolants (interpolated.c) ----------------------------------------------------------------- */

/* Smallest number of elements for which an interpolant (interpolant/build.h) is built; from this number on two
 * of three shapes gain by it.  Building mostly takes 1.5 ms; exact evaluation takes 0.3 us per element and 30 us
 * per node set.  Existing interpolants are also used for smaller jobs. */
#define BUILD_INTERPOLANT 5000

/* Compute elements [from, to) of JOB_VALUES without error estimates, or of JOB_QUANTILES if the interpolant has a
 * quantile interpolant.  Elements outside the interpolant are evaluated by point_eval() or point_quantile(). */
range_function interpolated_values, interpolated_quantiles;

/* Encode elements [from, to) of JOB_VALUES with one output, or of JOB_QUANTILES, for single.cl, and convert its results
 * to the output y of the job (y[from], ...).  The arrays `word` and `value` begin with element `from`.  decode_range()
 * returns the number of elements outside the encoding, which remain to be computed. */
void encode_range(const struct evaluation *, const struct encoding *, size_t from, size_t to, uint32 *word);
size_t decode_range(const struct evaluation *, const struct encoding *, size_t from, size_t to, const uint32 *word,
                    const float *value, double *y);

/* --- sums (sums.c) -----------------------------------------------------------------------------------
 *
 * Sums over the elements of a sample are computed in blocks (job.h).  Log densities of one law with
 * their derivatives come from its tensor approximation (interpolant/approximation.h); point_eval() and point_score()
 * evaluate elements outside the approximation. */

/* Returns the number of elements in block k of n elements. */
size_t block_length(size_t k, size_t n);

/* Returns the sum over block k with the weights of the job; `value` holds the terms and is overwritten. */
struct double_double block_total(const struct element_job *, size_t k, double *value);

/* Adds the sums of all blocks in order: one sum of JOB_LOGLIK, APPROXIMATE_SUMS of JOB_APPROXIMATE. */
void blocks_total(const struct element_job *, double *sum);

/* Allocate what the ranges need in a worker, unless present; return 0 if memory is short.  The batch is too large for
 * the stack of a thread. */
int approximate_prepare(struct worker *);
int logliks_prepare(struct worker *);

/* Computes blocks [from, to) of JOB_APPROXIMATE. */
range_function approximate_range;

/* Computes laws [from, to) of JOB_LOGLIKS; each law is evaluated by one thread. */
range_function logliks_range;

/* Computes elements [from, to) of JOB_APPROXIMATE_EACH.  Builds only those pieces of tensor approximations that contain
 * an element; adjacent elements with the same shape share them. */
range_function approximate_each_range;

#endif
