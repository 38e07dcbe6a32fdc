/* Double exponential quadrature (Takahasi and Mori 1974, doi:10.2977/prims/1195192451), for
 * integrands that are analytic inside the range, whatever they do at its ends.
 *
 *     u = (pi/2) sinh t,    finite range:  x = a + (b - a)/(1 + exp(-2u)),
 *     half-line:            x = a + exp(u) or b - exp(u),    whole line:  x = sinh u,
 *
 * and the trapezoidal rule in t.  A node is kept as its distance from the nearer end, so that a singularity at an end
 * that is 0 is resolved to the last; at another end as far as numbers reach.  Each level halves the step; the error
 * is that of the level before, d_k = |S_k - S_(k-1)|, of which about the square is left.
 *
 * Where the integrand has a jump or a kink inside, errors fall by a factor only, and one d_k of many is small by
 * chance.  So d_k is the error where it is below LEAP d_(k-1) and d_(k-1) has fallen, too, or below LEAP^2 d_(k-1);
 * otherwise d_(k-1)/FALL is, if that is larger.  Of integrals with a kink at a random place, wanted to 1e-4, too little
 * is claimed for 0.1 % so, and by d_k alone for 35 %; those that are analytic take as many evaluations
 * (bench/errors.R).
 *
 * No level sees what lies between an end and the outermost node there, whose distance D from it is as small as numbers
 * let it be.  It is |f| D/(1 - b) for f like the distance to the power of -b: ENDS |f| D is added to the error.
 *
 * Values that are not finite count as 0 where t is far out, |t| > 2.5 (within 1e-8 of an end of a finite range);
 * elsewhere they end the integral.
 */
#ifndef STABLECL_QUADRATURE_DOUBLE_EXPONENTIAL_TANH_SINH_H
#define STABLECL_QUADRATURE_DOUBLE_EXPONENTIAL_TANH_SINH_H

#include "../../special/sine_cosine.h"
#include "../integral.h"

#define TANHSINH_MOST    6.5            /* |t|; exp(-pi sinh 6.5) is below the least number */
#define TANHSINH_FIRST   2              /* level, of step 2^-2; the third one is the first to be believed */
#define TANHSINH_LEVELS  12
#define TANHSINH_FAR_OUT 2.5
#define TANHSINH_LEAP    1e-4
#define TANHSINH_FALL    4.0
#define TANHSINH_FALLEN  0.1
#define TANHSINH_ENDS    8.0

/* x at t and dx/dt; 0 if x is an end, or the weight nothing. */
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

/* The t of a level that the levels before do not have: (first + k stride) step, k = 0, ..., count - 1. */
struct tanhsinh_nodes { double step; int first, stride, count; };

FN struct tanhsinh_nodes tanhsinh_nodes(int level)
{
    struct tanhsinh_nodes n = { 1.0 / (double)(1 << level), 0, level == TANHSINH_FIRST ? 1 : 2, 0 };
    int most = (int)(TANHSINH_MOST / n.step);
    n.first = level == TANHSINH_FIRST || most % 2 ? -most : 1 - most;
    n.count = (most - n.first) / n.stride + 1;
    return n;
}

/* Outermost nodes towards either end: |t| and the term's size. */
struct tanhsinh_ends { double t[2], term[2]; };

FN void tanhsinh_reach(struct tanhsinh_ends *e, int side, double t, double term)
{
    if (t < e->t[side]) return;
    e->t[side] = t;
    e->term[side] = term;
}

/* |f| times the distance from the end (twice that in a finite range), of both. */
FN double tanhsinh_beyond(const struct tanhsinh_ends *e)
{
    return e->term[0] / (HALF_PI * cosh(e->t[0])) + e->term[1] / (HALF_PI * cosh(e->t[1]));
}

/* Sums over the nodes of one level, or some of them. */
struct tanhsinh_sums { double value, size; struct tanhsinh_ends ends; int evaluations, spoilt; };

FN struct tanhsinh_sums tanhsinh_none(void)
{
    struct tanhsinh_sums s = { 0.0, 0.0, { { 0.0, 0.0 }, { 0.0, 0.0 } }, 0, 0 };
    return s;
}

FN void tanhsinh_take(struct tanhsinh_sums *s, double f, double weight, double t)
{
    double term = f * weight;
    if (isfinite(term)) {
        s->value += term;
        s->size += fabs(term);
        tanhsinh_reach(&s->ends, t > 0.0, fabs(t), fabs(term));
    } else if (fabs(t) <= TANHSINH_FAR_OUT)
        s->spoilt = 1;
    s->evaluations++;
}

/* An integral: sums over all levels so far; change: by how much the last one differs from that before; ratio: of that
 * change to the one before. */
struct tanhsinh { double sum, size, value, change, ratio, error, evaluations; struct tanhsinh_ends ends; };

FN struct tanhsinh tanhsinh_begin(void)
{
    struct tanhsinh s = { 0.0, 0.0, NAN, INFINITY, 0.0, INFINITY, 0.0, { { 0.0, 0.0 }, { 0.0, 0.0 } } };
    return s;
}

/* The error by the changes from level to level, of which the last one is new. */
FN double tanhsinh_error(struct tanhsinh *s, double change)
{
    double last = s->change, before = s->ratio;
    int leaps = change <= TANHSINH_LEAP * (before <= TANHSINH_FALLEN ? 1.0 : TANHSINH_LEAP) * last;
    s->change = change;
    s->ratio = last > 0.0 ? change / last : 0.0;
    return leaps ? change : fmax(change, last / TANHSINH_FALL);
}

/* A level more; the status, INTEGRAL_NOT_DONE if another level is to follow. */
FN int tanhsinh_next(struct tanhsinh *s, int level, const struct tanhsinh_sums *more, double rel_tol, double abs_tol,
                     double max_eval)
{
    double step = 1.0 / (double)(1 << level), before = s->value;
    s->sum += more->value;
    s->size += more->size;
    s->evaluations += more->evaluations;
    s->value = s->sum * step;
    if (more->spoilt) {
        s->error = INFINITY;
        return INTEGRAL_NOT_FINITE;
    }
    for (int side = 0; side < 2; side++) tanhsinh_reach(&s->ends, side, more->ends.t[side], more->ends.term[side]);
    if (level > TANHSINH_FIRST) {
        double rounding = 50.0 * ROUNDING * s->size * step;
        double wanted = error_wanted(rel_tol, abs_tol, s->value, s->size * step);
        s->error = tanhsinh_error(s, fabs(s->value - before)) + TANHSINH_ENDS * tanhsinh_beyond(&s->ends);
        s->error = fmax(s->error, rounding);
        if (level > TANHSINH_FIRST + 1 && s->error <= wanted) return INTEGRAL_CONVERGED;
    }
    int used_up = 2.0 * s->evaluations > max_eval;
    if (!used_up && level < TANHSINH_LEVELS) return INTEGRAL_NOT_DONE;
    return !isfinite(s->error) ? INTEGRAL_NOT_FINITE : used_up ? INTEGRAL_MAX_EVAL : INTEGRAL_STUCK;
}

#endif
