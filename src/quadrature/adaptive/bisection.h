/* Decisions of adaptive quadrature about the intervals and boxes that it bisects, shared by all backends. */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_BISECTION_H
#define STABLECL_QUADRATURE_ADAPTIVE_BISECTION_H

#include "../integral.h"

/* Sums over one or several intervals or boxes; size: the integral of |f|. */
struct totals { double value, error, size; };

/* Largest ratio by which changes from level to level are assumed to continue to fall. */
#define HALVES_RATIO 0.8

/* Two halves. value: the sum of both; before: the value of the whole; left, right: error estimates; change: by how much
 * the halves one level above differed from their whole, 0 if there were none. */
struct halves { double value, left, right, before, change; };

/* Raises the errors of two new halves, in proportion, to what their difference from the whole implies.  Changes that
 * continue to fall from level to level by the same ratio r add up to r/(1 - r) times the last one; a ratio that exceeds
 * HALVES_RATIO, or is not known yet, counts as HALVES_RATIO.  Since a bisection examines one axis only and the others
 * may be as bad, the errors add up to at least the change times the number of axes.  Each half has at least
 * `least_share` of the sum. */
FN void halves_compare(struct halves *h, int axes, double least_share)
{
    double change = fabs(h->before - h->value), both = h->left + h->right;
    double ratio = change < HALVES_RATIO * h->change ? change / h->change : HALVES_RATIO;
    double doubt = change * fmax((double)axes, ratio / (1.0 - ratio));
    double share = both > 0.0 && isfinite(both) ? h->left / both : 0.5;
    h->change = change;
    if (doubt > both) {
        h->left = share * doubt;
        h->right = (1.0 - share) * doubt;
    }
    double least = least_share * (h->left + h->right);
    h->left = fmax(h->left, least);
    h->right = fmax(h->right, least);
}

/* Returns the largest sum of the errors of subregions that are not bisected in a round: a share of the tolerance
 * `wanted` or, if it is more, `rest_share` of the sum `open` of the errors of all that can be bisected. */
FN double bisections_rest(double wanted, double open, double rest_share)
{
    return isfinite(open) ? fmax(REST * wanted, rest_share * open) : REST * wanted;
}

/* Returns the least error to be bisected, given the one found by comparison.  If some of the error is left for other
 * rounds, it is slightly less, so that equivalent subregions, whose errors differ by rounding, are bisected
 * together. */
#define BISECTIONS_ALIKE 1e-6

FN double bisections_least(double found, double rest_share)
{
    return rest_share > 0.0 ? (1.0 - BISECTIONS_ALIKE) * found : found;
}

/* Returns the number of bisections for which evaluations are left, if each half takes `points`. */
FN int bisections_allowed(double max_eval, double evaluations, int points)
{
    double left = (max_eval - evaluations) / (2 * points);
    return left >= 1e9 ? 1000000000 : left >= 1.0 ? (int)left : 0;
}

/* If this number of bisections is allowed for each subregion, any of them may be bisected twice in a round. */
#define BISECTIONS_TWICE 2

/* TRUE if further bisections cannot reach the tolerance: the errors of subregions too narrow to be bisected exceed it,
 * and the sum `open` of all other errors is negligible. */
FN int bisection_is_hopeless(double error, double open, double wanted)
{
    return open <= REST * wanted && error - open > wanted;
}

/* Returns the status of an integral of which no subregion can be bisected; allowed: evaluations for a bisection are
 * left. */
FN int bisection_ends(double error, int allowed)
{
    return isinf(error) ? INTEGRAL_NOT_FINITE : allowed ? INTEGRAL_STUCK : INTEGRAL_MAX_EVAL;
}

/* TRUE if an integral of which every value was 0 is to be examined again, with this number of points. */
FN int bisection_re_examines(double max_eval, int points)
{
    return max_eval > 2.0 * points;
}

#endif
