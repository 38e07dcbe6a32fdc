/* Heuristic forward quadrature along one axis (Thuerck, Widmer, Kuijper and Goesele 2014,
 * doi:10.1007/978-3-642-55224-3_61, algorithm 3).
 *
 * A stepper applies the trapezoidal rule to steps whose length is chosen in advance; no step is rejected:
 *
 *     h = h_min + exp(-d) (h_max - h_min),    d = max(|(s - s')/s|, |s - s'|),
 *
 * where s is the absolute slope over the last step and s' that over the step before.  The first step has the length
 * h_min; its s' is the slope over its first tenth.  The last step ends at the upper limit.  h_min and h_max are lengths
 * in t (parts.h).
 *
 * A value at a limit that is not finite, or belongs to a point at infinity, is replaced by the value at the
 * neighbouring point.  On a half-line, values that are not finite count as 0 if they lie further out than the last
 * zero; any other such value ends the integral.  If all values are 0 in one dimension, the stepper repeats the range
 * once with steps of 1/64 of the length.
 *
 * In several dimensions, by Fubini's theorem, each point along an axis requires an integral along the next axis.  Its
 * trapezoidal rule sums the values of these integrals; their errors are weighted by the distances between the points.
 */
#ifndef STABLECL_QUADRATURE_PUBLISHED_FORWARD_RULE_H
#define STABLECL_QUADRATURE_PUBLISHED_FORWARD_RULE_H

#include "../integral.h"
#include "../parts.h"

#define FORWARD_AXES 12                 /* largest number of axes */
#define FORWARD_BLOCKS_MAX  65536

/* Integrals of one call of which devices step through all lines at the same time, if there are no more: of any
 * integrand, and of a long one.  Of more integrals each is computed by one work item. */
#define FORWARD_FEW      8
#define FORWARD_FEW_LONG 4096

/* The trapezoidal rule with steps of any lengths, and an error estimate from second differences.
 *
 * A step of length h has the error h^3/12 |f''|, with f'' at some point of the step; f'' is estimated by the larger of
 * the second divided differences at the two ends.  For smooth integrands the sum of these estimates tends to the error.
 * A jump J within a step may cause an error of h J/2, for which the estimate is h J/4; therefore `error` is twice the
 * sum.
 *
 * Thuerck et al. (2014, doi:10.1007/978-3-642-55224-3_61, Theorem 1) bound the error with the steps of
 * forward quadrature by
 *
 *     sup h~^2 |f''| (b - a)/24,    h~ = h_min + exp(-|s - s'|/|s'|) (h_max - h_min),
 *
 * where s and s' are the slopes over a step and over the previous one.  The constant is that of the midpoint rule; that
 * of the trapezoidal rule is twice as large.  Here the supremum is taken over the steps.
 */
struct trapezoid {
    /* the first and the last point, the value at the last point, the step to it, the slope over that step, and the
     * second divided difference (absolute) at its beginning */
    double start, p, f, h, slope, curvature;
    double value, size, error, supremum; /* size: integral of |f|; supremum: that above, without (b - a)/24 */
};

/* Begins at the point p.  slope, h: those of a short step before the first one; NAN if there is none. */
FN struct trapezoid trapezoid_begin(double p, double f, double slope, double h)
{
    struct trapezoid t = { p, p, f, h, slope, 0.0, 0.0, 0.0, 0.0, 0.0 };
    return t;
}

/* Adds the step to the point p, where the value is f. */
FN void trapezoid_extend(struct trapezoid *t, double p, double f, double h_min, double h_max)
{
    double h = p - t->p, slope = (f - t->f) / h, slope_change = fabs(slope - t->slope);
    double curvature = 2.0 * slope_change / (h + t->h);
    if (isnan(curvature)) curvature = slope_change = 0.0;
    double h_tilde = h_min + (slope_change > 0.0 ? exp(-slope_change / fabs(t->slope)) : 1.0) * (h_max - h_min);
    t->supremum = fmax(t->supremum, h_tilde * h_tilde * curvature);
    if (t->p > t->start) t->error += t->h * t->h * t->h / 6.0 * fmax(t->curvature, curvature);
    t->value += 0.5 * h * (f + t->f);
    t->size += 0.5 * h * (fabs(f) + fabs(t->f));
    t->p = p;
    t->f = f;
    t->h = h;
    t->slope = slope;
    t->curvature = curvature;
}

/* Adds the error of the last step. */
FN void trapezoid_end(struct trapezoid *t)
{
    t->error += t->h * t->h * t->h / 6.0 * t->curvature;
}

/* Returns the error bound of Theorem 1. */
FN double trapezoid_bound(const struct trapezoid *t)
{
    return t->supremum * (t->p - t->start) / 24.0;
}

#define FORWARD_FINER     64.0
#define FORWARD_REMAINDER 1e-6          /* in steps: a shorter remainder, due to rounding, joins the last step */
#define FORWARD_MIN_SHARE (1.0 / 100.0) /* default h_min and h_max, in units of the range */
#define FORWARD_MAX_SHARE (1.0 / 20.0)

enum forward_stage { FORWARD_START, FORWARD_PROBE, FORWARD_STEPPER };

struct forward_stepper {
    struct part part;
    double h_min, h_max, max_eval;          /* max_eval: evaluations allowed */
    double t, p, f, h, slope;           /* t: point to be evaluated; p, f: last point; h: step; slope: the last one */
    /* leading: 1 on a half-line before the first finite value; 2 if some values there were not finite; otherwise 0.
     * is_again: the range is not repeated if all values are 0. */
    int stage, leading, is_again;
    int status;                         /* INTEGRAL_NOT_DONE until the stepper has finished */
    double value, error, bound;
    struct trapezoid trace;
};

/* Returns the largest step. */
FN double forward_longest(struct forward_options given, double range)
{
    return given.h_max > 0.0 ? given.h_max : fmax(FORWARD_MAX_SHARE * range, given.h_min);
}

/* Returns the least number of evaluations of a stepper. */
FN double forward_min_evaluations(struct forward_options given, double range)
{
    return range / forward_longest(given, range) + 2.0;
}

/* Sets the state at the lower limit. */
FN void forward_begin(struct forward_stepper *w)
{
    w->stage = FORWARD_START;
    w->p = w->t = w->part.low;
    w->h = fmin(w->h_min, w->part.high - w->part.low);
    w->leading = w->part.side != 0;
    w->status = INTEGRAL_NOT_DONE;
}

/* Returns the number of blocks of a part. */
FN int forward_blocks(struct forward_options given, struct part part)
{
    return part.side == 0 ? given.blocks : 1;
}

/* Initialises a stepper.  range: the length to which default steps refer, that of the part before it is divided into
 * blocks. */
FN void forward_init(struct forward_stepper *w, struct part part, double range, struct forward_options given,
                     double max_eval, int is_again)
{
    w->part = part;
    w->h_max = forward_longest(given, range);
    w->h_min = fmin(given.h_min > 0.0 ? given.h_min : FORWARD_MIN_SHARE * range, w->h_max);
    w->max_eval = max_eval;
    w->is_again = is_again;
    w->trace = trapezoid_begin(part.low, 0.0, NAN, NAN);
    forward_begin(w);
}

/* Stops the stepper with a status and sets its results. */
FN void forward_stop(struct forward_stepper *w, int status)
{
    w->status = status;
    w->value = w->trace.value;
    w->bound = trapezoid_bound(&w->trace);
    w->error = fmax(fmax(w->trace.error, w->bound), 50.0 * ROUNDING * w->trace.size);
    if (status != INTEGRAL_CONVERGED) w->error = INFINITY;
}

/* Returns f dx/dt at t. */
FN double forward_scaled_value(const struct forward_stepper *w, double f)
{
    return w->part.side == 0 ? f : f / (w->t * w->t);
}

/* Returns f dx/dt at t.  If it is not finite, returns 0, and stops the stepper unless the value counts as 0. */
FN double forward_checked_value(struct forward_stepper *w, double f)
{
    double g = forward_scaled_value(w, f);
    int is_finite = isfinite(g), is_invalid = is_finite ? w->leading > 1 && g != 0.0 : !w->leading;
    if (is_finite) w->leading = 0;
    else if (w->leading) w->leading = 2;
    if (is_invalid) forward_stop(w, INTEGRAL_NOT_FINITE);
    return is_finite ? g : 0.0;
}

/* Sets the next point, unless the step is too short or no evaluations are left. */
FN void forward_set_next(struct forward_stepper *w, double evaluations)
{
    if (w->p + (1.0 + FORWARD_REMAINDER) * w->h >= w->part.high) w->h = w->part.high - w->p;
    w->t = w->h < w->part.high - w->p ? w->p + w->h : w->part.high;
    w->stage = FORWARD_STEPPER;
    if (!(w->t > w->p)) forward_stop(w, INTEGRAL_STUCK);
    else if (evaluations >= w->max_eval) forward_stop(w, INTEGRAL_MAX_EVAL);
}

/* Records the value at the lower limit, and sets the point at a tenth of the first step. */
FN void forward_start(struct forward_stepper *w, double f)
{
    w->f = forward_scaled_value(w, f);
    w->t = w->p + 0.1 * w->h;
    w->stage = FORWARD_PROBE;
}

/* Computes the first slope from the value at a tenth of the first step.  Returns 1, or 0 if the stepper has stopped. */
FN int forward_probe(struct forward_stepper *w, double f, double evaluations)
{
    int at_infinity = w->part.side != 0 && w->p == 0.0;
    double g = forward_checked_value(w, f);
    if (w->status != INTEGRAL_NOT_DONE) return 0;
    if (!isfinite(w->f) || at_infinity) w->f = g;
    w->slope = (g - w->f) / (0.1 * w->h);
    w->trace = trapezoid_begin(w->p, w->f, w->slope, 0.1 * w->h);
    forward_set_next(w, evaluations);
    return 1;
}

/* Finishes the stepper at the upper limit, or repeats the range with shorter steps. */
FN void forward_end(struct forward_stepper *w)
{
    trapezoid_end(&w->trace);
    if (w->trace.size > 0.0 || w->is_again) {
        forward_stop(w, w->leading > 1 ? INTEGRAL_NOT_FINITE : INTEGRAL_CONVERGED);
        return;
    }
    w->is_again = 1;
    w->h_min /= FORWARD_FINER;
    w->h_max /= FORWARD_FINER;
    forward_begin(w);
}

/* Adds the step to t, and sets the length of the next one.  Returns 1, or 0 if the stepper has stopped. */
FN int forward_next(struct forward_stepper *w, double f, double evaluations)
{
    int at_end = w->t >= w->part.high;
    double g = at_end && !isfinite(f) ? w->f : forward_checked_value(w, f);
    if (w->status != INTEGRAL_NOT_DONE) return 0;
    double slope = fabs(g - w->f) / w->h, slope_change = fabs(slope - w->slope);
    double d = slope_change > 0.0 ? fmax(slope_change / slope, slope_change) : 0.0;
    trapezoid_extend(&w->trace, w->t, g, w->h_min, w->h_max);
    w->p = w->t;
    w->f = g;
    w->slope = slope;
    w->h = w->h_min + exp(-d) * (w->h_max - w->h_min);
    if (at_end) forward_end(w);
    else forward_set_next(w, evaluations);
    return 1;
}

/* Advances the stepper by the value f at t; evaluations: their number so far, including this one.  Returns 1 if p has
 * become a new end of a trapezoid. */
FN int forward_step(struct forward_stepper *w, double f, double evaluations)
{
    if (w->stage == FORWARD_PROBE) return forward_probe(w, f, evaluations);
    if (w->stage == FORWARD_STEPPER) return forward_next(w, f, evaluations);
    forward_start(w, f);
    return 0;
}

/* --- along the next axis --------------------------------------------------------- */

/* The sums that a stepper forms of the integrals along the next axis at its points.  Begins with count 0 and status
 * INTEGRAL_CONVERGED. */
struct nested_sum {
    struct trapezoid trace;
    double error, bound, last_error, last_bound;
    int count, status;
};

/* Returns the evaluations allowed for each of the integrals along the next axis at the `count` points of a stepper. */
FN double forward_evaluations_each(const struct forward_stepper *w, double count)
{
    return w->max_eval / count;
}

/* TRUE if the integrals along the next axis, whose range has the length `range`, are to be computed.  Ends a stepper
 * that has reached the upper limit if the evaluations allowed do not suffice for them. */
FN int forward_needs_next_axis(struct forward_stepper *w, struct forward_options given, double count, double range)
{
    if (w->status == INTEGRAL_CONVERGED && forward_evaluations_each(w, count) < forward_min_evaluations(given, range))
        w->status = INTEGRAL_MAX_EVAL;
    return w->status == INTEGRAL_CONVERGED;
}

FN void nested_sum_begin(struct nested_sum *v)
{
    v->trace = trapezoid_begin(0.0, 0.0, NAN, NAN);
    v->error = v->bound = v->last_error = v->last_bound = 0.0;
    v->count = 0;
    v->status = INTEGRAL_CONVERGED;
}

/* Adds the integral along the next axis, computed by the stepper `from`, at point p of stepper w. */
FN void nested_sum_add(struct nested_sum *v, const struct forward_stepper *w, double p,
                       const struct forward_stepper *from)
{
    if (v->count++) {
        double share = 0.5 * (p - v->trace.p);
        v->error += share * (v->last_error + from->error);
        v->bound += share * (v->last_bound + from->bound);
        trapezoid_extend(&v->trace, p, from->value, w->h_min, w->h_max);
    } else v->trace = trapezoid_begin(p, from->value, NAN, NAN);
    v->last_error = from->error;
    v->last_bound = from->bound;
    if (from->status != INTEGRAL_CONVERGED) v->status = from->status;
}

FN void nested_sum_end(struct nested_sum *v, struct forward_stepper *w)
{
    trapezoid_end(&v->trace);
    w->status = v->status;
    w->value = v->trace.value;
    w->bound = v->bound + trapezoid_bound(&v->trace);
    w->error = v->error + fmax(v->trace.error, trapezoid_bound(&v->trace));
}

/* --- an integral --------------------------------------------------------------------- */

/* Sums over the steppers along the first axis.  Begins with { 0, 0, 0, INTEGRAL_CONVERGED }. */
struct forward_sum { double value, error, bound; int status; };

FN void forward_add(struct forward_sum *s, const struct forward_stepper *w)
{
    s->value += w->value;
    s->error += w->error;
    s->bound += w->bound;
    if (w->status != INTEGRAL_CONVERGED) s->status = w->status;
}

FN void forward_finish(struct forward_sum *s, double rel_tol, double abs_tol)
{
    if (s->status == INTEGRAL_NOT_FINITE) s->value = s->error = s->bound = NAN;
    int is_coarse = !(s->error <= error_allowed(rel_tol, abs_tol, s->value));
    if (s->status == INTEGRAL_CONVERGED && is_coarse) s->status = INTEGRAL_COARSE;
}

#endif
