/* Adaptive quadrature by the continuity assumption that neighbouring intervals need about the same length (Kern and
 * Alaghband 2013, Parallel processing of irregular workloads on the GPGPU: adaptive quadrature).
 *
 * On an interval, T is the trapezoidal rule and S is Simpson's rule; the value is S and the error |S - T|.  A region
 * consists of one or several intervals.  It is accepted if the sum of its errors is within its share of the tolerance,
 * which is in proportion to its length.  The next region, towards the lower limit, is then tried with the same length
 * or, in an expansion step, with twice that length.  A region that is not accepted is tried again with half its length.
 *
 *     PBCAQ, BCAQ   regions of `cells` intervals (bcaq.h), with and without threads
 *     SCAQ          regions of one interval (quadrature/published/scaq.h)
 *     PSCAQ         SCAQ in `cells` equal parts of the range, in parallel
 *     CAQ           no continuity: a queue of intervals, bisected until all are accepted (quadrature/published/caq.c)
 *
 * No interval is longer than 1/cells of a range; with 1 cell, SCAQ and CAQ are those of the paper.  Because the
 * tolerance is relative, the range is first evaluated in `cells` intervals to estimate the value; if the final value
 * requires a smaller tolerance, the integral is repeated.  There are two differences from the paper, so that the
 * computation ends at singular endpoints: an error below 2^-24 of the tolerance is accepted regardless of the length,
 * and so are regions too narrow to be divided in floating-point arithmetic.
 *
 * An expansion step is made always; or with probability 1/2, by a random bit that depends only on seed, integral, part
 * and step; or if the errors decrease in the direction of travel (slope); or if log(tolerance/error) >= log 4, because
 * intervals of twice the length have 8 times the error, and a region of twice the length has twice the tolerance.  (The
 * paper does not give the threshold of the logarithm.)
 */
#ifndef STABLECL_QUADRATURE_PUBLISHED_CONTINUITY_H
#define STABLECL_QUADRATURE_PUBLISHED_CONTINUITY_H

#include "../parts.h"
#include "../integral.h"

enum expansion { EXPAND_ALWAYS, EXPAND_COIN, EXPAND_SLOPE, EXPAND_LOG };
enum cut_variant { CUT_PBCAQ, CUT_PSCAQ, CUT_BCAQ, CUT_SCAQ, CUT_CAQ };

/* If all values on a range are 0, the integral is repeated with this number of intervals. */
#define CUT_CELLS_ZERO 2048

#define CUT_CELLS_MAX        0x1p26     /* largest number of intervals of a region */
#define CUT_EVALUATIONS_EACH 8.0        /* least number of evaluations allowed for each of them */

/* Statuses of integrals that must be repeated. */
#define CUT_ZERO  (-1)                  /* with CUT_CELLS_ZERO intervals */
#define CUT_AGAIN (-2)                  /* with the tolerance for the value found */

#define CUT_AGAIN_MAX  3                /* largest number of repetitions */
#define CUT_MARGIN     0.9              /* part of the tolerance for the shares; the rest is for CUT_MIN */
#define CUT_MIN        0x1p-24          /* least share of the tolerance, regardless of the length */

struct cut_rule {
    double rel_tol, abs_tol, max_eval;
    int64 cells;                        /* intervals of a region */
    int expansion;                      /* enum expansion */
    struct philox_key key;
};

FN struct cut_rule cut_rule_of(const struct cut_options *o, double rel_tol, double abs_tol, double max_eval)
{
    double maximum = fmin(floor(max_eval / CUT_EVALUATIONS_EACH), CUT_CELLS_MAX);
    int64 cells = (int64)fmax(fmin(floor(o->cells), maximum), 1.0);
    struct cut_rule rule = { rel_tol, abs_tol, max_eval, cells, o->expansion, o->key };
    return rule;
}

/* --- intervals -------------------------------------------------------------------- */

/* Sums over intervals: of the values, the errors and the integrals of |f| (size), and the slope of the errors in the
 * direction of t.  On a half-line, a value that is not finite counts as 0 if the last finite value before it, in the
 * direction from high to low, is 0.  first: whether values that are not finite precede all finite ones; last: whether
 * the last finite value is 0 and on a half-line, -1 if there is no finite value; finite: 0 if any other value is not
 * finite. */
struct cut_sum {
    double value, error, size, slope;
    int finite, first, last, unused;
};

#define CUT_SUM_EMPTY { 0.0, 0.0, 0.0, 0.0, 1, 0, -1, 0 }

FN void cut_add(struct cut_sum *to, const struct cut_sum *one)
{
    to->value += one->value;
    to->error += one->error;
    to->size += one->size;
    to->slope += one->slope;
    to->finite &= one->finite;
}

/* Adds the sums of intervals that lie below those of `to`. */
FN void cut_add_lower(struct cut_sum *to, const struct cut_sum *lower)
{
    cut_add(to, lower);
    if (lower->first && to->last < 0) to->first = 1;
    else if (lower->first) to->finite &= to->last;
    if (lower->last >= 0) to->last = lower->last;
}

/* Decides whether the values counted by `first` are 0.  *carry: whether the last finite value before the intervals was
 * 0; it is updated for the intervals that follow. */
FN void cut_finalise(struct cut_sum *s, int *carry)
{
    if (s->first) s->finite &= *carry;
    if (s->last >= 0) *carry = s->last;
    s->first = 0;
}

/* Returns the lower end (q = 0), the midpoint (1) or the upper end (2). */
FN double cut_point(double low, double high, int q)
{
    return q == 0 ? low : q == 2 ? high : 0.5 * low + 0.5 * high;
}

/* Returns the sums of one interval in t from the values f at its three points.  A value at a limit of the part that is
 * not finite, or belongs to a point at infinity, is replaced by the value at the midpoint. */
FN struct cut_sum cut_interval(const struct part *p, double low, double high, const double *f)
{
    struct cut_sum s = CUT_SUM_EMPTY;
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

/* --- acceptance ----------------------------------------------------------------------- */

/* TRUE if a region with the sums s is accepted: its error is small enough, or it is not to be divided, because few
 * evaluations are left (is_last) or its lowest interval, (low, high), is too narrow.  tolerance: that of the whole
 * length, of which the region has `share`. */
FN int cut_accepts(const struct cut_sum *s, double tolerance, double share, int is_last, double low, double high)
{
    return is_last || part_is_narrow(low, high) || (s->finite && s->error <= tolerance * fmax(share, CUT_MIN));
}

/* Returns the lower end of the region of this length below `upper`; if almost nothing or only the last region is left,
 * the end of the range. */
FN double cut_low(double upper, double length, double end, int is_last)
{
    double low = upper - length;
    return is_last || low - end < 1e-9 * length ? end : low;
}

/* TRUE if the step after an accepted region is an expansion step.  tolerance: that of the region. */
FN int cut_expands(const struct cut_rule *c, uint64 integral, uint32 part, uint32 step, double tolerance,
                   const struct cut_sum *s)
{
    struct philox_block counter = { { step, part, (uint32)integral, (uint32)(integral >> 32) } };
    if (c->expansion == EXPAND_COIN) return (int)(philox4x32_10(counter, c->key).word[0] & 1u);
    if (c->expansion == EXPAND_SLOPE) return s->slope >= 0.0;
    if (c->expansion == EXPAND_LOG) return s->error <= 0.25 * tolerance;
    return 1;
}

/* Returns the tolerance that is divided among the regions, for this value and this integral of |f|. */
FN double cut_tolerance(const struct cut_rule *c, double value, double size)
{
    return CUT_MARGIN * refinement_tolerance(c->rel_tol, c->abs_tol, value, size);
}

/* Returns the status of an integral: CUT_ZERO, CUT_AGAIN, or its final status.  If it is not finite, value and error
 * become NaN.  used_up: whether the evaluations allowed are used up; again: number of repetitions so far. */
FN int cut_status(const struct cut_rule *c, struct cut_sum *s, double tolerance, int used_up, int again)
{
    double wanted = cut_tolerance(c, s->value, s->size);
    if (s->finite && s->size == 0.0 && c->cells < CUT_CELLS_ZERO) return CUT_ZERO;
    if (!s->finite) {
        s->value = s->error = NAN;
        return INTEGRAL_NOT_FINITE;
    }
    if (s->error <= wanted / CUT_MARGIN) return INTEGRAL_CONVERGED;
    if (!used_up && wanted < tolerance && again < CUT_AGAIN_MAX) return CUT_AGAIN;
    return used_up ? INTEGRAL_MAX_EVAL : INTEGRAL_STUCK;
}

#endif
