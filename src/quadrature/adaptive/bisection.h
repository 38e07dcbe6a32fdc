/* What adaptive quadrature decides about intervals and boxes that it halves, on every backend. */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_BISECTION_H
#define STABLECL_QUADRATURE_ADAPTIVE_BISECTION_H

#include "../integral.h"

/* Of one interval or box, or of some together; size: the integral of |f|. */
struct totals { double value, error, size; };

/* A change from level to level may go on to fall by that at most. */
#define HALVES_RATIO 0.8

/* Two halves.  value: of both together, and `before` that of the whole; left, right: errors; change: by how much the
 * halves that came before differed from their whole, 0: there were none. */
struct halves { double value, left, right, before, change; };

/* Errors of two new halves, in proportion.  Changes from level to level that go on to fall by the same ratio r add up
 * to r/(1 - r) times the last one; a ratio beyond HALVES_RATIO, or not known yet, counts as that.  And a halving tells
 * of one axis only: the others may be as bad.  Each half has `least_share` of the sum at least. */
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

/* What the errors of those that are not halved may add up to: some of the error wanted, or `rest_share` of the errors
 * `open` of all that can be. */
FN double bisections_rest(double wanted, double open, double rest_share)
{
    return isfinite(open) ? fmax(REST * wanted, rest_share * open) : REST * wanted;
}

/* The least error that is to be halved, found by comparison.  Where some of the error is left for other rounds, pieces
 * that are alike go together, although their errors differ by rounding. */
#define BISECTIONS_ALIKE 1e-6

FN double bisections_least(double found, double rest_share)
{
    return rest_share > 0.0 ? (1.0 - BISECTIONS_ALIKE) * found : found;
}

/* Halvings that the evaluations allow, where a half takes `points`. */
FN int bisections_allowed(double max_eval, double evaluations, int points)
{
    double left = (max_eval - evaluations) / (2 * points);
    return left >= 1e9 ? 1000000000 : left >= 1.0 ? (int)left : 0;
}

/* Where so many halvings are allowed for each piece, any of them may be halved twice in a round. */
#define BISECTIONS_TWICE 2

/* Is it vain to go on?  What is too narrow to be halved keeps an error beyond the one wanted, and the errors of all
 * others, `open`, count for little. */
FN int bisection_is_hopeless(double error, double open, double wanted)
{
    return open <= REST * wanted && error - open > wanted;
}

/* The status of an integral of which nothing is left to be halved. */
FN int bisection_ends(double error, int allowed)
{
    return isinf(error) ? INTEGRAL_NOT_FINITE : allowed ? INTEGRAL_STUCK : INTEGRAL_MAX_EVAL;
}

/* Where every value was 0, is there a second look, in so many points? */
FN int bisection_re_examines(double max_eval, int points)
{
    return max_eval > 2.0 * points;
}

#endif
