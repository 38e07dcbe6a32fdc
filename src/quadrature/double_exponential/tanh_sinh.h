/* Double exponential quadrature (Takahasi and Mori 1974, doi:10.2977/prims/1195192451), for integrands that are
 * analytic inside the range, regardless of their behaviour at its ends:
 *
 *     u = (pi/2) sinh t,    finite range:  x = a + (b - a)/(1 + exp(-2u)),
 *     half-line:            x = a + exp(u) or b - exp(u),    whole line:  x = sinh u,
 *
 * and the trapezoidal rule in t.  A node is computed from its distance to the nearer end, so that a singularity at an
 * end that is 0 is fully resolved, and one at any other end as far as the spacing of numbers allows.  Each level halves
 * the step.  The error is that of the level before, d_k = |S_k - S_(k-1)|; the error of S_k is about its square.
 *
 * If the integrand has a jump or a kink inside the range, errors fall by a constant factor only, and one of many d_k is
 * small by chance.  Therefore d_k is the error if it is below FAST_RATIO d_(k-1) and d_(k-1) has fallen, too, or if it
 * is below FAST_RATIO^2 d_(k-1); otherwise the error is the larger of d_k and d_(k-1)/FALL.  For integrals with a kink
 * at a random position and a tolerance of 1e-4, the error is then underestimated in 0.1 % of the cases, with d_k alone
 * in 35 %; analytic integrands take the same number of evaluations (bench/errors.R).
 *
 * No level has a node between an end and the outermost node there, whose distance D from the end is as small as the
 * spacing of numbers allows.  If f is proportional to the distance to the power of -b, the integral over this interval
 * is |f| D/(1 - b): ENDS |f| D is added to the error.
 *
 * Values that are not finite count as 0 if |t| > 2.5 (within 1e-8 of an end of a finite range); elsewhere they end the
 * integral.
 */
#ifndef STABLECL_QUADRATURE_DOUBLE_EXPONENTIAL_TANH_SINH_H
#define STABLECL_QUADRATURE_DOUBLE_EXPONENTIAL_TANH_SINH_H

#include "../../special/elementary.h"
#include "../integral.h"

#define TANHSINH_MAX     6.5            /* largest |t|; exp(-pi sinh 6.5) is below the smallest positive number */
#define TANHSINH_FIRST   2              /* first level, of step 2^-2; convergence is accepted from the third level on */
#define TANHSINH_LEVELS  12
#define TANHSINH_FAR_OUT 2.5
#define TANHSINH_FAST_RATIO 1e-4
#define TANHSINH_FALL    4.0
#define TANHSINH_FALLEN  0.1
#define TANHSINH_ENDS    8.0

/* Sets x at t and the weight dx/dt.  Returns 0 if x is an end of the range or not finite, or if the weight is 0 or
 * infinite. */
FN int tanhsinh_node(double a, double b, double t, double *x, double *weight)
{
    double u = HALF_PI * sinh(t), du = HALF_PI * cosh(t);
    if (isfinite(a) && isfinite(b)) {
        double length = b - a, e = exp(-2.0 * fabs(u)), away = length * (e / (1.0 + e));
        *x = t < 0.0 ? a + away : b - away;
        *weight = 2.0 * du * away / (1.0 + e);
    } else if (isfinite(a) || isfinite(b)) {
        double e = exp(u);
        *x = isfinite(a) ? a + e : b - e;
        *weight = du * e;
    } else {
        *x = sinh(u);
        *weight = du * cosh(u);
    }
    return *weight > 0.0 && isfinite(*weight) && isfinite(*x) && *x != a && *x != b;
}

/* Values of t that a level adds to those before: (first + k stride) step, k = 0, ..., count - 1. */
struct tanhsinh_nodes { double step; int first, stride, count; };

FN struct tanhsinh_nodes tanhsinh_nodes(int level)
{
    struct tanhsinh_nodes n = { 1.0 / (double)(1 << level), 0, level == TANHSINH_FIRST ? 1 : 2, 0 };
    int maximum = (int)(TANHSINH_MAX / n.step);
    n.first = level == TANHSINH_FIRST || maximum % 2 ? -maximum : 1 - maximum;
    n.count = (maximum - n.first) / n.stride + 1;
    return n;
}

/* Outermost nodes towards either end: |t| and the absolute value of the term. */
struct tanhsinh_ends { double t[2], term[2]; };

/* Records the term at t on one side if no node there lies further out. */
FN void tanhsinh_update_end(struct tanhsinh_ends *e, int side, double t, double term)
{
    if (t < e->t[side]) return;
    e->t[side] = t;
    e->term[side] = term;
}

/* Returns |f| times the distance from the end (twice that in a finite range), added up over both ends. */
FN double tanhsinh_truncation(const struct tanhsinh_ends *e)
{
    return e->term[0] / (HALF_PI * cosh(e->t[0])) + e->term[1] / (HALF_PI * cosh(e->t[1]));
}

/* Sums over all or some nodes of one level.  not_finite: a value is not finite and does not count as 0. */
struct tanhsinh_sums { double value, size; struct tanhsinh_ends ends; int evaluations, not_finite; };

FN struct tanhsinh_sums tanhsinh_sums_empty(void)
{
    struct tanhsinh_sums s = { 0.0, 0.0, { { 0.0, 0.0 }, { 0.0, 0.0 } }, 0, 0 };
    return s;
}

/* Adds the value of f at the node t. */
FN void tanhsinh_add_value(struct tanhsinh_sums *s, double f, double weight, double t)
{
    double term = f * weight;
    if (isfinite(term)) {
        s->value += term;
        s->size += fabs(term);
        tanhsinh_update_end(&s->ends, t > 0.0, fabs(t), fabs(term));
    } else if (fabs(t) <= TANHSINH_FAR_OUT)
        s->not_finite = 1;
    s->evaluations++;
}

/* State of an integral: sums over all levels so far; change: difference of the last two levels; ratio: this change
 * divided by the one before. */
struct tanhsinh { double sum, size, value, change, ratio, error, evaluations; struct tanhsinh_ends ends; };

FN struct tanhsinh tanhsinh_begin(void)
{
    struct tanhsinh s = { 0.0, 0.0, NAN, INFINITY, 0.0, INFINITY, 0.0, { { 0.0, 0.0 }, { 0.0, 0.0 } } };
    return s;
}

/* TRUE if `change`, the last of the changes from level to level, indicates the convergence of an analytic integrand.
 * Records the change. */
FN int tanhsinh_converges_fast(struct tanhsinh *s, double change)
{
    double last = s->change, before = s->ratio;
    s->change = change;
    s->ratio = last > 0.0 ? change / last : 0.0;
    return change <= TANHSINH_FAST_RATIO * (before <= TANHSINH_FALLEN ? 1.0 : TANHSINH_FAST_RATIO) * last;
}

/* Returns the error according to the changes from level to level, of which `change` is the last. */
FN double tanhsinh_error(struct tanhsinh *s, double change)
{
    double last = s->change;
    return tanhsinh_converges_fast(s, change) ? change : fmax(change, last / TANHSINH_FALL);
}

/* Adds a level.  Returns the status, INTEGRAL_NOT_DONE if another level is to follow. */
FN int tanhsinh_add_level(struct tanhsinh *s, int level, const struct tanhsinh_sums *more, double rel_tol,
                          double abs_tol, double max_eval)
{
    double step = 1.0 / (double)(1 << level), before = s->value;
    s->sum += more->value;
    s->size += more->size;
    s->evaluations += more->evaluations;
    s->value = s->sum * step;
    if (more->not_finite) {
        s->error = INFINITY;
        return INTEGRAL_NOT_FINITE;
    }
    for (int side = 0; side < 2; side++) tanhsinh_update_end(&s->ends, side, more->ends.t[side], more->ends.term[side]);
    if (level > TANHSINH_FIRST) {
        double rounding = 50.0 * ROUNDING * s->size * step;
        double tolerance = refinement_tolerance(rel_tol, abs_tol, s->value, s->size * step);
        s->error = tanhsinh_error(s, fabs(s->value - before)) + TANHSINH_ENDS * tanhsinh_truncation(&s->ends);
        s->error = fmax(s->error, rounding);
        if (level > TANHSINH_FIRST + 1 && s->error <= tolerance) return INTEGRAL_CONVERGED;
    }
    int used_up = 2.0 * s->evaluations > max_eval;
    if (!used_up && level < TANHSINH_LEVELS) return INTEGRAL_NOT_DONE;
    return !isfinite(s->error) ? INTEGRAL_NOT_FINITE : used_up ? INTEGRAL_MAX_EVAL : INTEGRAL_STUCK;
}

#endif
