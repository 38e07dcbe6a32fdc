/* Adaptive quadrature by the continuity assumption (Kern and Alaghband 2013, Parallel processing of
 * irregular workloads on the GPGPU: adaptive quadrature): neighbours need about the same length.
 *
 * An interval has the trapezoid T and Simpson's rule S; its error is |S - T|, its value S.  A region - some intervals,
 * or one - is accepted if the sum of its errors is within its share, by length, of the tolerance; then the next
 * one, towards the lower limit, is tried at the same length or, in an expansion step, at twice that.  Otherwise
 * it is halved.
 *
 *     PBCAQ, BCAQ   regions of `cells` intervals (bcaq.h), in threads or not
 *     SCAQ          regions of one interval (quadrature/published/scaq.c)
 *     PSCAQ         the same in `cells` equal parts of the range, side by side
 *     CAQ           no neighbours: a queue of intervals, halved until all are accepted (quadrature/published/caq.c)
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
#ifndef STABLECL_QUADRATURE_PUBLISHED_CONTINUITY_H
#define STABLECL_QUADRATURE_PUBLISHED_CONTINUITY_H

#include "../parts.h"
#include "../../special/philox.h"

enum expansion { EXPAND_ALWAYS, EXPAND_COIN, EXPAND_SLOPE, EXPAND_LOG };
enum cut_variant { CUT_PBCAQ, CUT_PSCAQ, CUT_BCAQ, CUT_SCAQ, CUT_CAQ };

/* A range on which all values were 0 is looked at again in that many intervals, before it is believed. */
#define CUT_CELLS_ZERO 2048

/* Statuses in between. */
#define CUT_ZERO  (-1)
#define CUT_AGAIN (-2)                  /* with the tolerance that belongs to the value */

#define CUT_AGAIN_MOST 3
#define CUT_MARGIN     0.9              /* for what is accepted beyond its share */
#define CUT_LEAST      0x1p-24

struct cut_rule {
    double rel_tol, abs_tol, max_eval;
    int64 cells;
    int expansion;                      /* enum expansion */
    struct philox_key key;
};

/* --- intervals -------------------------------------------------------------------- */

/* Of intervals; slope: of their errors, in the direction of t.  Values that are not finite on a half-line count as 0
 * if the last finite one before them, on the way from high to low, is 0.  first: there are some before all that are
 * finite; last: is the last finite one 0, -1: there is none; finite: all others that count. */
struct cut_sum {
    double value, error, size, slope;
    int finite, first, last;
};

#define CUT_NOTHING { 0.0, 0.0, 0.0, 0.0, 1, 0, -1 }

FN void cut_add(struct cut_sum *to, const struct cut_sum *one)
{
    to->value += one->value;
    to->error += one->error;
    to->size += one->size;
    to->slope += one->slope;
    to->finite &= one->finite;
}

/* What values lower than those of `to` add to it. */
FN void cut_add_lower(struct cut_sum *to, const struct cut_sum *lower)
{
    cut_add(to, lower);
    if (lower->first && to->last < 0) to->first = 1;
    else if (lower->first) to->finite &= to->last;
    if (lower->last >= 0) to->last = lower->last;
}

/* The last finite value before was 0, or was not: *carry, which becomes that of the next ones. */
FN void cut_finalise(struct cut_sum *s, int *carry)
{
    if (s->first) s->finite &= *carry;
    if (s->last >= 0) *carry = s->last;
    s->first = 0;
}

/* The point q of 0, 1, 2. */
FN double cut_point(double low, double high, int q)
{
    return q == 0 ? low : q == 2 ? high : 0.5 * low + 0.5 * high;
}

/* Three values of one interval in t, with its part.  A value that is not finite, at a limit, or at infinity, is that
 * of the middle. */
FN struct cut_sum cut_interval(const struct part *p, double low, double high, const double *f)
{
    struct cut_sum s = CUT_NOTHING;
    double g[3], h = high - low;
    for (int q = 0; q < 3; q++) {
        double t = cut_point(low, high, q);
        g[q] = p->side == 0 ? f[q] : f[q] / (t * t);
    }
    if (low == p->low && (!isfinite(g[0]) || (p->side != 0 && low == 0.0))) g[0] = g[1];
    if (high == p->high && !isfinite(g[2])) g[2] = g[1];
    for (int q = 2; q >= 0; q--) {
        if (isfinite(g[q])) s.last = p->side != 0 && g[q] == 0.0;
        else {
            g[q] = 0.0;
            if (s.last < 0) s.first = 1;
            else s.finite &= s.last;
        }
    }
    s.value = h / 6.0 * (g[0] + 4.0 * g[1] + g[2]);
    s.size = h / 6.0 * (fabs(g[0]) + 4.0 * fabs(g[1]) + fabs(g[2]));
    s.error = fmax(fabs(s.value - 0.5 * h * (g[0] + g[2])), 50.0 * ROUNDING * s.size);
    if (!isfinite(s.value)) s.finite = 0;
    return s;
}

/* --- what is accepted ----------------------------------------------------------------- */

/* tolerance: of the whole length. */
FN int cut_accepts(double error, double tolerance, double share)
{
    return error <= tolerance * fmax(share, CUT_LEAST);
}

/* Whether the step after an accepted region is an expansion; tolerance: of the region. */
FN int cut_expands(const struct cut_rule *c, uint64 integral, uint32 part, uint32 step, double tolerance,
                   const struct cut_sum *s)
{
    struct philox_block counter = { { step, part, (uint32)integral, (uint32)(integral >> 32) } };
    if (c->expansion == EXPAND_COIN) return (int)(philox4x32_10(counter, c->key).word[0] & 1u);
    if (c->expansion == EXPAND_SLOPE) return s->slope >= 0.0;
    if (c->expansion == EXPAND_LOG) return s->error <= 0.25 * tolerance;
    return 1;
}

/* What is left of the tolerance for the regions. */
FN double cut_tolerance(const struct cut_rule *c, double value, double size)
{
    return CUT_MARGIN * error_wanted(c->rel_tol, c->abs_tol, value, size);
}

/* Of an integral, `again`: how often it has been done again; used_up: its evaluations. */
FN int cut_status(const struct cut_rule *c, const struct cut_sum *s, double tolerance, int used_up, int again)
{
    double wanted = cut_tolerance(c, s->value, s->size);
    if (s->finite && s->size == 0.0 && c->cells < CUT_CELLS_ZERO) return CUT_ZERO;
    if (!s->finite) return INTEGRAL_NOT_FINITE;
    if (s->error <= wanted / CUT_MARGIN) return INTEGRAL_CONVERGED;
    if (!used_up && wanted < tolerance && again < CUT_AGAIN_MOST) return CUT_AGAIN;
    return used_up ? INTEGRAL_MAX_EVAL : INTEGRAL_STUCK;
}

#endif
