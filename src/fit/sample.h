/* The canonical sample: the data sorted, centred, scaled to an interquartile range of one, and reflected if the left
 * tail is the longer one.
 *
 *     x = centre + side * scale * z        z: the canonical sample, side = 1 or -1
 *
 * Estimates computed from z alone are equivariant by construction: c + k x, -x and any permutation of x give the same
 * z up to rounding.  For small alpha, the centre is a sample value at the peak of the density, because the density
 * then varies on the scale of log|x - zeta|, and x - centre must be exact; otherwise the centre is the median.  For a
 * sample that is too large to be sorted, centre, scale and side are computed from a subsample.
 *
 * Quotients (x - centre)/scale may be beyond the range of numbers, and for a small gamma so may z/gamma.  A quotient q
 * with |q| > F = SAMPLE_FAR is therefore represented by z = +-F (1 + log|q/F|), which keeps the order.  At such values
 * the density is its power law: the log density at q is that at z minus (1 + alpha) log|q/z|.  The sample holds the sum
 * of these logarithms, `excess`.
 */
#ifndef STABLECL_FIT_SAMPLE_H
#define STABLECL_FIT_SAMPLE_H

#include <math.h>
#include <stddef.h>
#include "../run/backend.h"

/* Indices of the parameters of a law, and their number. */
enum { ALPHA, BETA, GAMMA, DELTA, PARAMETERS };

/* Returns delta of S0 minus zeta, which is beta gamma tan(pi alpha/2), of a law that begins with alpha, beta
 * and gamma. */
double delta_minus_zeta(const double *law);

#define SAMPLE_LEVELS 5                 /* probabilities 0.05, 0.25, 0.5, 0.75, 0.95 */
extern const double sample_level[SAMPLE_LEVELS];

struct sample {
    size_t n;
    double *z;                          /* canonical, increasing; NULL if the sample is too large to be sorted */
    const double *x;                    /* if z is NULL: the values in the user's order and units, or NULL if they
                                           are not in memory */
    double *part;                       /* ... and a canonical subsample of `parts` values; 0: it has been fitted */
    size_t parts;
    unsigned long data;                 /* number under which devices cache x; 0: none */
    double *weight;                     /* NULL: all 1 */
    double total;                       /* sum of the weights */
    double tied_alpha;                  /* below this alpha, ties or weights make the likelihood unbounded; or 0 */
    double quantile[SAMPLE_LEVELS];
    double mode;                        /* half-sample mode */
    double mean, variance;              /* if z is NULL: of all canonical values; variance 0: unknown */
    double centre, scale, side;
    double excess;                      /* sum of the weights times log|q/z| */
};

#define SAMPLE_FAR 0x1p900

/* Returns log|q/z| for the canonical value z. */
static inline double sample_log_excess(double z)
{
    double size = fabs(z) / SAMPLE_FAR;
    return size > 1.0 ? size - 1.0 - log(size) : 0.0;
}

/* Returns the weight of observation i. */
static inline double sample_weight(const struct sample *s, size_t i) { return s->weight ? s->weight[i] : 1.0; }

/* The value with the largest total weight.  If that is at least half of the weight, the likelihood is unbounded for
 * every alpha < 1 as the scale shrinks to 0 around this value. */
struct tie {
    size_t values;                      /* number of observations equal to it */
    double at;                          /* the value */
    double share;                       /* its fraction of the total weight */
    double all;                         /* fraction of the weight at values that occur more than once */
    double alpha;                       /* the likelihood is unbounded below this alpha; 0 if the value counts once */
};

/* TRUE if at least half of the weight is at one value.  Sets *tie.  An observation with twice the smallest weight
 * counts as two equal ones.  z must be sorted; its units do not matter. */
int sample_is_tied(const struct sample *, struct tie *);

/* Convert the sorted values z to the canonical sample.  sample_reflect() reflects them if the left tail is longer, and
 * computes the quantiles and the half-sample mode.  sample_standardise() then centres and scales: at the half-sample
 * mode if at_mode, that is, if the law is located by the peak of its density, else at the median. */
void sample_reflect(struct sample *);
void sample_standardise(struct sample *, int at_mode);

/* Converts the values x to the sample standardised by a law of S0 in the units of x: scale gamma, side the sign of
 * beta, and centre delta or, if at_mode, the value at the peak of the density, so that x - centre is exact there.
 * The mode is not set.  workspace: memory for n values. */
void sample_standardise_by(struct sample *, const double *x, const double *law, int at_mode, double *workspace);

/* Convert a law (alpha, beta, gamma, delta) of S0 to and from canonical units, and the covariance matrix of estimates
 * from canonical units, in place. */
void sample_to_canonical(const struct sample *, double *theta);
void sample_from_canonical(const struct sample *, double *theta);
void sample_covariance(const struct sample *, double cov[PARAMETERS][PARAMETERS]);

/* Sets the part to a subsample of `minimum` values or more of a sorted sample, or to the one that the sample has.  The
 * caller frees *workspace, which may be NULL. */
int sample_part(const struct sample *, size_t minimum, struct sample *part, double **workspace, struct status *);

/* --- sorting --- */

/* Returns the number of elements below a limit in n numbers in increasing order. */
size_t numbers_below(size_t n, const double *x, double limit);

/* Sorts n finite numbers x, and rearranges `with` (NULL: nothing) in the same way.  `workspace` and `workspace_with`
 * are workspace of the same sizes.  Takes time proportional to n; n > 0. */
void sort_numbers(size_t n, double *x, double *with, double *workspace, double *workspace_with);

#endif
