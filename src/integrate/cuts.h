/* integrate/cuts.h: adaptive quadrature by the continuity assumption (Kern and Alaghband 2013, Parallel processing of
 * irregular workloads on the GPGPU: adaptive quadrature): neighbours need about the same length.
 *
 * An interval has the trapezoid T and Simpson's rule S; its error is |S - T|, its value S.  A region - some intervals,
 * or one - is accepted if the sum of its errors is within its share, by length, of the tolerance; then the next
 * one, towards the lower limit, is tried at the same length or, in an expansion step, at twice that.  Otherwise
 * it is halved.
 *
 *     PBCAQ, BCAQ   regions of `cells` intervals (blockcut.c), in threads or not
 *     SCAQ          regions of one interval (sidecut.c)
 *     PSCAQ         the same in `cells` equal parts of the range, side by side
 *     CAQ           no neighbours: a queue of intervals, halved until all are accepted (queuecut.c)
 *
 * No interval is longer than the cells-th part of a range; with 1 cell SCAQ and CAQ are those of the paper.  The
 * tolerance is relative, so the range is looked at once beforehand, in `cells` intervals; if the value turns out to be
 * another, the integral is done again.  What deviates from the paper: an error below 2^-24 of the tolerance is accepted
 * whatever the length, so that singular ends come to an end, and so are regions as narrow as numbers are.
 *
 * The expansion step is made always; by the toss of a coin that depends on seed, integral, part and step only; if the
 * errors fall in the direction of travel (slope); or if log(tolerance/error) >= log 4: doubled intervals have 8 times
 * the error, a region of twice the length twice the tolerance.  (The paper's text does not say which value of the
 * logarithm decides.)
 */
#ifndef STABLECL_CUTS_H
#define STABLECL_CUTS_H

#include "../core/parts.h"
#include "sampler.h"
#include "../core/philox.h"

enum expansion { EXPAND_ALWAYS, EXPAND_COIN, EXPAND_SLOPE, EXPAND_LOG };
enum cut_variant { CUT_PBCAQ, CUT_PSCAQ, CUT_BCAQ, CUT_SCAQ, CUT_CAQ };

/* A range on which all values were 0 is looked at again in that many intervals, before it is believed. */
#define CUT_CELLS_ZERO 2048
#define CUT_ZERO       (-1)             /* a status in between */

struct cuts {
    const struct integral_job *job;
    const struct sampler *sampler;
    long cells;
    enum expansion expansion;
    enum cut_variant variant;
    struct philox_key key;
};

/* Of intervals; slope: of their errors, in the direction of t. */
struct cut_sum {
    double value, error, size, slope;
    int finite;                         /* all values that count */
};

#define CUT_NOTHING { 0.0, 0.0, 0.0, 0.0, 1 }

static inline void cut_add(struct cut_sum *to, const struct cut_sum *one)
{
    to->value += one->value;
    to->error += one->error;
    to->size += one->size;
    to->slope += one->slope;
    to->finite &= one->finite;
}

/* Three values of one interval in t, with its part.  *carry: the last finite value on the way from `high` to `low` is
 * 0, on a half-line. */
struct cut_sum cut_interval(const struct part *, double low, double high, const double *f, int *carry);

/* The point q of 0, 1, 2. */
static inline double cut_point(double low, double high, int q)
{
    return q == 0 ? low : q == 2 ? high : 0.5 * low + 0.5 * high;
}

/* tolerance: of the whole length. */
static inline int cut_accepts(double error, double tolerance, double share)
{
    return error <= tolerance * fmax(share, 0x1p-24);
}

/* Whether the step after an accepted region is an expansion; tolerance: of the region. */
int cut_expands(const struct cuts *, size_t integral, uint32 part, uint32 step, double tolerance,
                const struct cut_sum *);

/* What is left of the tolerance for the regions. */
double cut_tolerance(const struct cuts *, double value, double size);

/* Results of an integral.  1 if it is to be done again with the tolerance that belongs to its value. */
int cut_end(const struct cuts *, size_t integral, const struct cut_sum *, double tolerance, int used_up, int again);

/* The range in `cells` intervals; 0 if the sampler fails. */
double cut_look_points(const struct cuts *);
int cut_look(const struct cuts *, int thread, size_t integral, const struct part *, double low, double high,
             struct cut_sum *);

int cut_side(const struct cuts *, poll_function, struct status *);
int cut_queue(const struct cuts *, poll_function, struct status *);

#endif
