/* The canonical sample: sorted, with quartile distance one, leaning to the right.
 *
 *     x = centre + side * scale * z        z the canonical sample, side = 1 or -1
 *
 * Whatever is estimated from z alone is equivariant by construction: c + k x, -x and any permutation of x
 * lead to the same z up to rounding.  The centre is a sample value at the place where the density peaks when
 * alpha is small (there the law lives on the scale of log|x - zeta|, and x - centre must be exact), the median
 * otherwise.  Of a sample that is too large to be sorted all this is taken from a part.
 */
#ifndef STABLECL_FIT_SAMPLE_H
#define STABLECL_FIT_SAMPLE_H

#include <stddef.h>
#include "matrix.h"
#include "../run/backend.h"

#define SAMPLE_LEVELS 5                 /* probabilities 0.05, 0.25, 0.5, 0.75, 0.95 */
extern const double sample_level[SAMPLE_LEVELS];

struct sample {
    size_t n;
    double *z;                          /* NULL: too many to be sorted, ... */
    const double *x;                    /* ... taken as they come and in the user's units, ... */
    double *part;                       /* ... but for a canonical part of so many */
    size_t parts;
    unsigned long data;                 /* number under which devices know x; 0: none */
    double *weight;                     /* NULL: 1 each */
    double total;                       /* of the weights */
    double tied_alpha;                  /* below, equal values leave the likelihood without bound; 0: there are none */
    double quantile[SAMPLE_LEVELS];
    double spike;                       /* half-sample mode */
    double centre, scale, side;
};

/* The value that most of the weight is equal to.  With half of them equal, the likelihood
 * has no bound for any alpha < 1 as the scale shrinks to 0 around them. */
struct tie {
    size_t values;
    double at;
    double share;                       /* of the weight, that these values have, ... */
    double all;                         /* ... and that all values have which occur more than once */
};

/* Of z as it lies there, sorted: are at least half of the values equal? */
int sample_is_tied(const struct sample *, struct tie *);

/* Quantiles of z as it lies there, sorted; with unit weights of type 5, for which McCulloch's estimator is
 * consistent. */
void sample_quantiles(struct sample *);

/* Turns the sorted values z into the canonical sample.  is_spiked: does the peak of the density locate the law? */
void sample_turn(struct sample *);
void sample_place(struct sample *, int is_spiked);

/* Laws (alpha, beta, gamma, delta) of S0, to and from canonical units; the covariance of estimates from them. */
void sample_to_canonical(const struct sample *, double *theta);
void sample_from_canonical(const struct sample *, double *theta);
void sample_covariance(const struct sample *, double cov[PARAMETERS][PARAMETERS]);

#endif
