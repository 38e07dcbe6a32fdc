/* Likely laws with small alpha, whose mode may be in any gap between observations.
 *
 * For alpha -> 0 the law of S1 with its mode at zeta has, at the distance d from it, the density
 *
 *     f(x) = p alpha/d v exp(-v),     v = (d/gamma)^-alpha,     p = (1 + beta)/2 above zeta, (1 - beta)/2 below,
 *
 * so that log d has a Gumbel distribution (starting_values.c).  With W the total weight, sums over the observations,
 * and y = log d, the log-likelihood
 *
 *     sum log p + W log alpha - sum y + sum log v - sum v
 *
 * has its maximum over beta at beta = (weight above - weight below)/W, and that over gamma where sum v = W:
 *
 *     gamma^alpha = W / sum d^-alpha.
 *
 * Two positions are compared in each gap.  In the middle, all observations are at their distances.  Next to an
 * observation of weight w, the distance of this one is that of a fixed location (starting_values.c), where
 * v = log(W/EXPECTED) for every alpha and gamma, and the sum over the others is W - w v.  Since an estimate is a
 * maximum for its fixed location, alpha is not that of the largest log-likelihood, which increases without bound as
 * alpha -> 0, but that where the derivative for this distance is 0:
 *
 *     sum (1/alpha + (1 - v) log(gamma/d)) = 0,
 *
 * in which the observation next to the location has the term w (1 + (1 - v) log v)/alpha.  The sums of d^-alpha and of
 * d^-alpha log d for all alpha of a grid follow from two powers for each observation, by squaring. */
#include <math.h>
#include "starting_values.h"
#include "../stable/law.h"

#define MIN_ALPHA   0.0125              /* of the grid, in which alpha increases by factors of sqrt(2) */
#define DOUBLINGS   6
#define ALPHAS      (2 * DOUBLINGS)
#define MAX_GAPS    128                 /* gaps of which all are compared */
#define NEAR_GAPS   64                  /* of more gaps, those nearest to the half-sample mode, and others at equal
                                           distances in rank */

/* The sums of d^-alpha and of d^-alpha log d, in units of the least distance. */
struct powers { double sum, moment; };

/* The sums for one position: the weight above and below, the weight next to it, the sum of y without that, the
 * logarithm of the least distance, half the width of the gap, and the sums of powers. */
struct distances { double above, below, beside, log_sum, log_nearest, half_gap; struct powers grid[ALPHAS]; };

static double grid_alpha(int r) { return MIN_ALPHA * ldexp(r % 2 ? sqrt(2.0) : 1.0, r / 2); }

/* Returns the logarithm of the distance of the value z. */
static double log_distance(double z, double position)
{
    return log(fabs(z - position)) + sample_log_excess(z);
}

/* Adds the observation at the distance exp(y). */
static void add_distance(struct distances *a, double w, double y)
{
    double power[2];
    a->log_sum += w * y;
    for (int odd = 0; odd < 2; odd++) {
        power[odd] = exp(-grid_alpha(odd) * (y - a->log_nearest));
        for (int r = odd; r < ALPHAS; r += 2, power[odd] *= power[odd]) {
            a->grid[r].sum += w * power[odd];
            a->grid[r].moment += w * power[odd] * (y - a->log_nearest);
        }
    }
}

/* Sets the sums for a position in the gap before observation `gap`; observations at the position itself are those
 * next to it. */
static struct distances distances_from(const struct sample *s, size_t gap, double position)
{
    struct distances a = { 0 };
    double nearest = INFINITY;
    size_t from = gap, to = gap;
    while (from > 0 && s->z[from - 1] == position) from--;
    while (to < s->n && s->z[to] == position) to++;
    if (from > 0) nearest = position - s->z[from - 1];
    if (to < s->n) nearest = fmin(nearest, s->z[to] - position);
    a.log_nearest = log(nearest);
    a.half_gap = gap > 0 && gap < s->n ? 0.5 * (s->z[gap] - s->z[gap - 1]) : INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        double w = sample_weight(s, i);
        *(i < gap ? &a.below : &a.above) += w;
        if (i >= from && i < to) a.beside += w;
        else add_distance(&a, w, log_distance(s->z[i], position));
    }
    return a;
}

/* Returns the logarithm of the scale for this alpha, NaN if the position is not possible. */
static double log_scale(const struct problem *p, const struct sample *s, const struct distances *a, double alpha,
                        const struct powers *power)
{
    double rest = a->above + a->below - a->beside * starts_power(s);
    if (p->is_fixed[GAMMA]) return log(p->fixed[GAMMA]);
    return rest > 0.0 ? a->log_nearest + log(rest / power->sum) / alpha : NAN;
}

/* Returns alpha times the derivative of the log-likelihood in alpha. */
static double slope_at(const struct problem *p, const struct sample *s, const struct distances *a, double alpha,
                       const struct powers *power)
{
    double others = a->above + a->below - a->beside, v = starts_power(s), scale = log_scale(p, s, a, alpha, power);
    double above = scale - a->log_nearest, values = exp(alpha * above) * (above * power->sum - power->moment);
    return others + alpha * (others * scale - a->log_sum - values) + a->beside * (1.0 + (1.0 - v) * log(v));
}

/* Returns alpha for a position, NaN if the position is not possible.  The grid bounds alpha. */
static double alpha_at(const struct problem *p, const struct sample *s, const struct distances *a)
{
    double minimum = fmax(1.5 * p->alpha_min, s->tied_alpha), before = NAN, here;
    if (p->is_fixed[ALPHA]) return p->fixed[ALPHA];
    for (int r = 0; r < ALPHAS; r++, before = here) {
        here = NAN;
        if (grid_alpha(r) < minimum) continue;
        here = slope_at(p, s, a, grid_alpha(r), &a->grid[r]);
        if (here > 0.0 && r < ALPHAS - 1) continue;
        if (isnan(here)) return NAN;
        return grid_alpha(r) * (before > 0.0 && here < 0.0 ? exp2(0.5 * here / (before - here)) : 1.0);
    }
    return NAN;
}

/* Sets the best law with alpha for a position, and its log-likelihood. */
static void law_at(const struct problem *p, const struct sample *s, const struct distances *a, double alpha,
                   const struct powers *power, struct small_alpha_law *law)
{
    double W = a->above + a->below, others = W - a->beside, v = starts_power(s);
    double beta = p->is_fixed[BETA] ? p->fixed[BETA] : (a->above - a->below) / W;
    double scale = log_scale(p, s, a, alpha, power);
    double value = W * log(alpha) - a->log_sum, y = scale - log(v) / alpha;
    if (isnan(scale) || (a->beside > 0.0 && y > log(a->half_gap))) return;
    if (a->above > 0.0) value += a->above * log(0.5 * (1.0 + beta));
    if (a->below > 0.0) value += a->below * log(0.5 * (1.0 - beta));
    value += alpha * (others * scale - a->log_sum) - power->sum * exp(alpha * (scale - a->log_nearest));
    if (a->beside > 0.0) value += a->beside * (log(v) - v - y);
    law->theta[ALPHA] = alpha;
    law->theta[BETA] = beta;
    law->theta[GAMMA] = exp(scale);
    law->value = value;
}

/* Sets the best law for a position in the gap before observation `gap`; its value is -Inf if there is none. */
static void best_law(const struct problem *p, const struct sample *s, size_t gap, double position,
                     struct small_alpha_law *law)
{
    struct distances a = distances_from(s, gap, position);
    struct powers power = { 0.0, 0.0 };
    double alpha = alpha_at(p, s, &a);
    law->value = -INFINITY;
    if (isnan(alpha)) return;
    for (size_t i = 0; i < s->n; i++) {
        double y = log_distance(s->z[i], position) - a.log_nearest;
        if (s->z[i] != position) power.sum += sample_weight(s, i) * exp(-alpha * y);
    }
    law_at(p, s, &a, alpha, &power, law);
    if (law->value == -INFINITY) return;
    law->mode = position;
    law->theta[DELTA] = position + delta_minus_zeta(law->theta);
}

/* Sets the best law with its mode in the gap before observation `gap`. */
static void best_in_gap(const struct problem *p, const struct sample *s, size_t gap, struct small_alpha_law *law)
{
    struct distances a = { 0 };
    struct small_alpha_law other = { .value = -INFINITY };
    law->value = -INFINITY;
    if (gap > 0 && gap < s->n && s->z[gap] == s->z[gap - 1]) return;
    for (size_t i = 0; i < s->n; i++) *(i < gap ? &a.below : &a.above) += sample_weight(s, i);
    int is_below = (p->is_fixed[BETA] ? p->fixed[BETA] : a.above - a.below) > 0.0;
    if (is_below ? gap < s->n : gap > 0) best_law(p, s, gap, s->z[is_below ? gap : gap - 1], law);
    if (gap > 0 && gap < s->n) best_law(p, s, gap, 0.5 * (s->z[gap - 1] + s->z[gap]), &other);
    if (other.value > law->value) *law = other;
}

/* Inserts a law into the list, which is in decreasing order of value. */
static int insert(const struct small_alpha_law *law, int count, struct small_alpha_law *list)
{
    int at = count < MAX_SMALL_ALPHA ? count : MAX_SMALL_ALPHA - 1;
    if (!(law->value > (count < MAX_SMALL_ALPHA ? -INFINITY : list[at].value))) return count;
    for (; at > 0 && list[at - 1].value < law->value; at--) list[at] = list[at - 1];
    list[at] = *law;
    return count < MAX_SMALL_ALPHA ? count + 1 : count;
}

int small_alpha_laws(const struct problem *p, const struct sample *s, struct small_alpha_law list[MAX_SMALL_ALPHA])
{
    size_t gaps = s->n + 1, near = numbers_below(s->n, s->z, s->mode), step = 1, first = 0, last = gaps;
    struct small_alpha_law law;
    int count = 0;
    if (p->is_fixed[DELTA] || (p->is_fixed[ALPHA] && p->fixed[ALPHA] > NARROW_ALPHA)) return 0;
    if (gaps > MAX_GAPS) {
        step = gaps / (MAX_GAPS - NEAR_GAPS);
        first = near > NEAR_GAPS / 2 ? near - NEAR_GAPS / 2 : 0;
        last = first + NEAR_GAPS;
    }
    for (size_t gap = 0; gap < gaps; gap++) {
        if ((gap < first || gap >= last) && gap % step) continue;
        best_in_gap(p, s, gap, &law);
        count = insert(&law, count, list);
    }
    return count;
}
