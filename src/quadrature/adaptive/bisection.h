/* Decisions of adaptive quadrature about the intervals and boxes that it bisects, shared by all backends.
 *
 * Sums over all subregions of an integral are its value V, its error E and the integral A of |f|.  Bisection can reduce
 * the part U of E: not the errors of subregions as narrow as the spacing of numbers, nor the part N that is due to the
 * rounding of values and points.  The tolerance T is the largest error that the caller allows, but at least 100 eps A
 * (quadrature/integral.h), because no rule has an error below 50 eps A: rounding errors dominate there (so QUADPACK,
 * Piessens et al. 1983, bounds the errors of its rules).  After each round, refinement_status() tests in this order:
 *
 *     E <= T          The integral has converged.  But if A = 0, all values were 0, and the points may have missed the
 *                     support of the integrand: the range is examined once more with more subregions.
 *     V is NaN        A subregion has no finite value.
 *     infinite > 0    A subregion has an infinite error and cannot be bisected, so E remains infinite.
 *     E - U > T and U <= max(REST T, N)
 *                     Hopeless: the errors that cannot decrease exceed T, and the others are negligible, or no larger
 *                     than the noise.  If N exceeds half of T, rounding is the limit.
 *
 * A range with a narrow feature may have others that no point has sampled.  If a subregion is narrow, the range is
 * `uneven` as long as there are wide ones (interval_width_class(), genz_malik_width_class()), and these are bisected
 * first, regardless of their errors.
 *
 * Otherwise the subregions with an error of at least e are bisected, where e is the least error such that the errors up
 * to e add up to more than a given rest: all smaller ones are negligible together.  If fewer bisections are allowed, e
 * is larger.  (QUADPACK bisects the largest error only, which does not suit many threads.)  Bisections are allowed as
 * long as the evaluations of both halves are.
 */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_BISECTION_H
#define STABLECL_QUADRATURE_ADAPTIVE_BISECTION_H

#include "../integral.h"
#include "../../special/elementary.h"

/* --- sums over subregions --------------------------------------------------------- */

/* Sums over one or several intervals or boxes; size: the integral of |f|. */
struct totals { double value, error, size; };

/* Sums over the subregions of an integral.  open, smallest, largest, count: sum, minimum, maximum and number of the
 * errors, less the noise, of those that can be bisected; noise: their sum due to the rounding of points; infinite:
 * number of the others whose errors are infinite; narrow, wide: numbers of narrow ones, and of wide ones that can be
 * bisected. */
struct region_sums { double value, error, size, noise, open, smallest, largest; int count, infinite, narrow, wide; };

FN struct region_sums region_sums_empty(void)
{
    struct region_sums none = { 0.0, 0.0, 0.0, 0.0, 0.0, INFINITY, 0.0, 0, 0, 0, 0 };
    return none;
}

/* Adds a subregion.  estimate_error: its error without the contribution of neighbours; noise: the part of it that is
 * due to the rounding of points; width_class: 1 if wide, -1 if narrow. */
FN void region_sums_add(struct region_sums *to, struct totals one, double estimate_error, double noise, int is_stuck,
                        int width_class)
{
    double open = one.error - noise;
    to->narrow += width_class < 0;
    to->wide += width_class > 0 && !is_stuck;
    to->value += one.value;
    to->error += one.error;
    to->size += one.size;
    if (is_stuck) {
        to->infinite += isinf(estimate_error) ? 1 : 0;
        return;
    }
    to->noise += noise;
    to->open += open;
    to->smallest = open < to->smallest ? open : to->smallest;
    to->largest = open > to->largest ? open : to->largest;
    to->count++;
}

/* Returns the sums over two sets of subregions together. */
FN struct region_sums region_sums_joined(struct region_sums a, struct region_sums b)
{
    struct region_sums both = { a.value + b.value, a.error + b.error, a.size + b.size, a.noise + b.noise,
                                a.open + b.open, fmin(a.smallest, b.smallest), fmax(a.largest, b.largest),
                                a.count + b.count, a.infinite + b.infinite, a.narrow + b.narrow, a.wide + b.wide };
    return both;
}

/* --- the status of an integral --------------------------------------------------------- */

/* Results of refinement_status() besides enum integral_status: subregions are to be bisected; all values were 0, and
 * the range is to be examined again. */
#define REFINEMENT_BISECTS (-1)
#define REFINEMENT_ZERO    (-2)

/* Returns the number of bisections for which evaluations are left, if each half takes `points`. */
FN int bisections_allowed(double max_eval, double evaluations, int points)
{
    double left = (max_eval - evaluations) / (2 * points);
    return left >= 1e9 ? 1000000000 : left >= 1.0 ? (int)left : 0;
}

/* TRUE if an integral of which every value was 0 is not examined again: it began as the larger number `first_zero` of
 * subregions, or that number with `points` each takes too many evaluations. */
FN int refinement_accepts_zero(int first, int first_zero, int points, double max_eval)
{
    return first >= first_zero || !(max_eval > 2.0 * (first_zero * points));
}

/* TRUE if the wide subregions are to be bisected; allowed: bisections allowed. */
FN int refinement_is_uneven(const struct region_sums *s, int allowed)
{
    return s->narrow > 0 && s->wide > 0 && allowed > 0;
}

/* Returns the status of an integral without a subregion whose bisection would be useful.  tolerance: its own; allowed:
 * bisections allowed. */
FN int refinement_end(const struct region_sums *s, double tolerance, int allowed)
{
    if (isinf(s->error)) return INTEGRAL_NOT_FINITE;
    return s->noise > 0.5 * tolerance ? INTEGRAL_ROUNDOFF : allowed > 0 ? INTEGRAL_STUCK : INTEGRAL_MAX_EVAL;
}

/* Returns the status of an integral after a round.  tolerance: its own; allowed: bisections allowed; accepts_zero: as
 * above; is_long: it has taken so many evaluations that it is left to the caller as INTEGRAL_NOT_DONE. */
FN int refinement_status(const struct region_sums *s, double tolerance, int allowed, int accepts_zero, int is_long)
{
    double fixed = s->error - s->open;
    int is_hopeless = fixed > tolerance && s->open <= fmax(REST * tolerance, s->noise);
    if (refinement_is_uneven(s, allowed) && !isnan(s->value)) return is_long ? INTEGRAL_NOT_DONE : REFINEMENT_BISECTS;
    if (s->error <= tolerance) return s->size == 0.0 && !accepts_zero ? REFINEMENT_ZERO : INTEGRAL_CONVERGED;
    if (isnan(s->value) || s->infinite) return INTEGRAL_NOT_FINITE;
    if (is_hopeless) return refinement_end(s, tolerance, allowed);
    return is_long ? INTEGRAL_NOT_DONE : REFINEMENT_BISECTS;
}

/* Returns the error of an integral, NaN if a subregion has no value. */
FN double refinement_error(const struct region_sums *s)
{
    return isnan(s->value) ? NAN : s->error;
}

/* --- the subregions to be bisected -------------------------------------------------- */

/* Returns the largest sum of the errors of subregions that are not bisected in a round: a share of the tolerance or, if
 * it is more, `rest_share` of the sum `open` of the errors of all that can be bisected. */
FN double bisections_rest(double tolerance, double open, double rest_share)
{
    return isfinite(open) ? fmax(REST * tolerance, rest_share * open) : REST * tolerance;
}

/* TRUE if the largest error is the only one to be bisected, because the others add up to at most `rest`. */
FN int bisections_only_largest(const struct region_sums *s, double rest)
{
    return s->open - s->largest <= rest;
}

/* TRUE if subregions with a certain error are bisected: the errors up to it add up to `sum`, and `larger` errors exceed
 * it.  The largest error is always bisected. */
FN int bisections_include(double sum, double rest, int larger, int allowed)
{
    return sum > rest && larger < allowed;
}

/* Returns the error at which the search for the least one to be bisected divides the range (low, high): the number with
 * the bit pattern in the middle.  Numbers from 0 on are ordered as their bits are, and errors differ by many orders of
 * magnitude. */
FN double bisections_middle(double low, double high)
{
    uint64 from = bits_of_double(low);
    return double_from_bits(from + (bits_of_double(high) - from) / 2);
}

/* Returns the least error to be bisected, given the one found by comparison.  If some of the error is left for other
 * rounds, it is slightly less, so that equivalent subregions, whose errors differ by rounding, are bisected
 * together. */
#define BISECTIONS_ALIKE 1e-6

FN double bisections_threshold(double found, double rest_share)
{
    return rest_share > 0.0 ? (1.0 - BISECTIONS_ALIKE) * found : found;
}

/* TRUE if enough bisections are allowed for any of `count` subregions to be bisected twice in a round. */
FN int bisections_twice(int allowed, int count)
{
    return allowed / 2 >= count;
}

/* --- errors of halves ------------------------------------------------------------------ */

/* Largest ratio by which changes from level to level are assumed to continue to fall. */
#define HALVES_RATIO 0.8

/* Two halves. value: the sum of both; before: the value of the whole; left, right: error estimates; change: by how much
 * the halves one level above differed from their whole, 0 if there were none. */
struct halves { double value, left, right, before, change; };

/* Raises the errors of two new halves, in proportion, to what their difference from the whole implies.  Changes that
 * continue to fall from level to level by the same ratio r add up to r/(1 - r) times the last one; a ratio that exceeds
 * HALVES_RATIO, or is not known yet, counts as HALVES_RATIO.  Since a bisection examines one axis only and the others
 * may be as bad, the errors add up to at least the change times the number of axes.  Each half has at least
 * `min_share` of the sum. */
FN void halves_compare(struct halves *h, int axes, double min_share)
{
    double change = fabs(h->before - h->value), both = h->left + h->right;
    double ratio = change < HALVES_RATIO * h->change ? change / h->change : HALVES_RATIO;
    double implied = change * fmax((double)axes, ratio / (1.0 - ratio));
    double share = both > 0.0 && isfinite(both) ? h->left / both : 0.5;
    h->change = change;
    if (implied > both) {
        h->left = share * implied;
        h->right = (1.0 - share) * implied;
    }
    double minimum = min_share * (h->left + h->right);
    h->left = fmax(h->left, minimum);
    h->right = fmax(h->right, minimum);
}

#endif
