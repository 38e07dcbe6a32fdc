/* Integrals of f(x) cos(w x) or f(x) sin(w x) over a half-line or the line, for analytic f that decays slowly, by the
 * double exponential formula of Ooura and Mori (1999, doi:10.1016/S0377-0427(99)00223-X), the robust version of their
 * formula of 1991 (doi:10.1016/0377-0427(91)90181-I).
 *
 * Transforms.  Let x = a + s u, with s = 1 for a range [a, Inf) and s = -1 for (-Inf, a], and p = |w|, q = p a.  Then
 *
 *     cos(p x) = cos(q) cos(p u) - s sin(q) sin(p u),    sin(p x) = sin(q) cos(p u) + s cos(q) sin(p u),
 *
 * so that the integral is the sum of a cosine transform and a sine transform of f(a + s u), u > 0, regardless of the
 * phase at a.  A transform with the factor 0 is omitted: if a = 0, one remains.  The line consists of [0, Inf) and
 * (-Inf, 0], one transform each.  The rounding error of the product p a is added to the angle q.
 *
 * Formula.  With M > 0, the step h = pi/M, B = 1/4 and A = B/sqrt(1 + M log(1 + M)/(4 pi)),
 *
 *     u = M phi(t)/p,    phi(t) = t/(1 - exp(-E)),    E = 2t + A (1 - exp(-t)) + B (exp(t) - 1),
 *
 * and the trapezoidal rule at t = k h for a sine, t = (k - 1/2) h for a cosine.  A value of f has the weight
 * (M/p) phi'(t) h = (pi/p) phi'(t), times the cosine or sine.  For t -> -Inf, u tends to 0 double exponentially.  For
 * t -> Inf, p u tends double exponentially to M t, a zero of the cosine or sine, so that the sum ends although f has
 * hardly decayed.  With d = phi(t) - t = t/(exp(E) - 1), the distance of p u from this zero is M d, and both cos(p u)
 * and sin(p u) are (-1)^k sin(M d), without cancellation; computed from p u they would have no correct digit.
 *
 * Error.  Each level doubles M and has new nodes only, because M also scales u.  Let c_k be the change from one level
 * to the next.  c_k is the error if it passes tanhsinh_converges_fast(), as for analytic f, or is within rounding
 * errors; otherwise the error is the larger of FOURIER_SAFETY c_k and c_(k-1).  The rounding errors of the terms are
 * independent, so that the error of the sum is about eps times the root of the sum of their squares, which is at most
 * sqrt(largest |term| times sum of all |terms|); those of the angles make it grow with M.  No node lies between the end
 * of the range and the smallest u: as in tanh_sinh.h, FOURIER_END |f(x) cos(p u)| u (or the sine) there is added.
 *
 * A level evaluates f up to u = 5.2 M/p.  An integral does not converge while the largest |f| lies in the outer half of
 * this interval, since f may rise to a peak further out, nor, before level FOURIER_ZERO, if all values are 0.
 *
 * Values that are not finite count as 0 if phi(t) < FOURIER_NEAR, or beyond the last finite value if that is 0.
 * Elsewhere they end the integral.
 */
#ifndef STABLECL_QUADRATURE_DOUBLE_EXPONENTIAL_FOURIER_H
#define STABLECL_QUADRATURE_DOUBLE_EXPONENTIAL_FOURIER_H

#include "tanh_sinh.h"

#define FOURIER_FIRST   8               /* M of level 0; convergence is accepted from level 2 on */
#define FOURIER_LEVELS  16
#define FOURIER_ZERO    5               /* about 2600 nodes */
#define FOURIER_SAFETY 4.0
#define FOURIER_BETA    0.25
#define FOURIER_MAX     5.2             /* largest t: exp(-E) < 1e-24 */
#define FOURIER_MIN     709.0           /* least E: exp(709) is still finite */
#define FOURIER_NEAR    1e-8
#define FOURIER_END     8.0

/* --- transforms ------------------------------------------------------------------ */

/* `factor` times the integral of f(origin + side u) times the cosine or sine of p u over u > 0. */
struct fourier_transform { double side, factor; int is_cosine; };

struct fourier_integral { double origin, p; int count; struct fourier_transform transform[2]; };

/* Adds a transform unless its factor is 0. */
FN void fourier_add_transform(struct fourier_integral *to, double side, double factor, int is_cosine)
{
    struct fourier_transform t = { side, factor, is_cosine };
    if (factor != 0.0) to->transform[to->count++] = t;
}

/* Returns the transforms of the integral with the weight cos(omega x) or sin(omega x) over the range from low to high,
 * at least one of which is infinite. */
FN struct fourier_integral fourier_transforms(double low, double high, double omega, int is_cosine)
{
    double side = isfinite(low) ? 1.0 : -1.0, sign = is_cosine || omega > 0.0 ? 1.0 : -1.0;
    struct fourier_integral to = { 0.0, fabs(omega), 0, { { 0.0, 0.0, 0 }, { 0.0, 0.0, 0 } } };

    if (isinf(low) && isinf(high)) {
        fourier_add_transform(&to, 1.0, sign, is_cosine);
        fourier_add_transform(&to, -1.0, is_cosine ? 1.0 : -sign, is_cosine);
        return to;
    }
    to.origin = isfinite(low) ? low : high;
    double q = to.p * to.origin, rest = fma(to.p, to.origin, -q), c, s = sin_and_cos(q, &c);
    double cosine = c - rest * s, sine = s + rest * c;
    fourier_add_transform(&to, side, sign * (is_cosine ? cosine : sine), 1);
    fourier_add_transform(&to, side, sign * side * (is_cosine ? -sine : cosine), 0);
    return to;
}

/* --- nodes ----------------------------------------------------------------------- */

/* Constants of phi, and the nodes of a transform: first, ..., first + count - 1. */
struct fourier_level { double m, alpha, step; int first, count; };

FN struct fourier_level fourier_level(int level)
{
    double m = (double)(FOURIER_FIRST << level), step = PI / m;
    double alpha = FOURIER_BETA / sqrt(1.0 + m * log1p(m) / (4.0 * PI));
    int first = -(int)(log1p(FOURIER_MIN / alpha) / step);
    struct fourier_level l = { m, alpha, step, first, (int)(FOURIER_MAX / step) - first + 1 };
    return l;
}

/* Sets *phi and its derivative *slope at t, and *beyond to phi - t, which is used if t > 0. */
FN void fourier_phi(const struct fourier_level *l, double t, double *phi, double *slope, double *beyond)
{
    double g = expm1(fabs(t)), rising = t < 0.0 ? -g / (1.0 + g) : g, falling = t < 0.0 ? g : -g / (1.0 + g);
    double e = 2.0 * t - l->alpha * falling + FOURIER_BETA * rising;
    double de = 2.0 + l->alpha * (1.0 + falling) + FOURIER_BETA * (1.0 + rising);
    double r = 1.0 / expm1(fabs(e));
    *beyond = t * r;
    if (t > 0.0) {
        *phi = t + *beyond;
        *slope = (1.0 - t * de * r) * (1.0 + r);
    } else if (t < 0.0) {
        *phi = -t * r;
        *slope = r * (-t * de * (1.0 + r) - 1.0);
    } else {                            /* the limits */
        *phi = 1.0 / de;
        *slope = 0.5 * (1.0 + (l->alpha - FOURIER_BETA) / (de * de));
    }
}

/* The weight of f(x) is 0 if the node is to be omitted.  u: distance from the origin; end_ratio: the ratio of
 * |cos(p u)| u (or the sine) to the weight. */
struct fourier_node { double x, u, weight, end_ratio; };

/* Returns node k of a transform. */
FN struct fourier_node fourier_node(const struct fourier_integral *j, int transform, const struct fourier_level *l,
                                    int k)
{
    struct fourier_transform of = j->transform[transform];
    double t = (k - (of.is_cosine ? 0.5 : 0.0)) * l->step, phi, slope, beyond, cosine;
    fourier_phi(l, t, &phi, &slope, &beyond);
    double sine = sin_and_cos(l->m * (t > 0.0 ? beyond : phi), &cosine);
    double wave = t > 0.0 ? (k % 2 ? -sine : sine) : of.is_cosine ? cosine : sine;
    struct fourier_node n = { 0.0, l->m / j->p * phi, PI / j->p * slope * wave * of.factor, l->m * phi / (PI * slope) };
    n.x = j->origin + of.side * n.u;
    if (!(n.u > 0.0) || !isfinite(n.x) || !isfinite(n.weight)) n.weight = 0.0;
    return n;
}

/* --- sums ------------------------------------------------------------------------ */

/* Sums over all or some nodes of a transform.  size, largest: the sum and the largest of all |terms|; near_u, near: the
 * smallest u with a finite value, and |f(x) cos(p u)| u (or the sine) there; far_u, far: the largest u with a finite
 * value, and |f| there; invalid_u: the smallest u with a value that neither is finite nor counts as 0 because u is
 * small; inner, outer: the largest |f| in both halves of the interval of u. */
struct fourier_sums {
    double value, size, largest, near_u, near, far_u, far, invalid_u, inner, outer;
    int evaluations;
};

FN struct fourier_sums fourier_sums_empty(void)
{
    struct fourier_sums s = { 0.0, 0.0, 0.0, INFINITY, 0.0, 0.0, 0.0, INFINITY, 0.0, 0.0, 0 };
    return s;
}

/* Adds the value of f at a node. unit: M/p. */
FN void fourier_add_value(struct fourier_sums *s, double f, const struct fourier_node *n, double unit)
{
    double term = f * n->weight;
    s->evaluations++;
    if (!isfinite(term)) {
        if (n->u > FOURIER_NEAR * unit) s->invalid_u = fmin(s->invalid_u, n->u);
        return;
    }
    s->value += term;
    s->size += fabs(term);
    s->largest = fmax(s->largest, fabs(term));
    if (n->u < s->near_u) s->near = fabs(term) * n->end_ratio;
    if (n->u > s->far_u) s->far = fabs(f);
    s->near_u = fmin(s->near_u, n->u);
    s->far_u = fmax(s->far_u, n->u);
    if (n->u < 0.5 * FOURIER_MAX * unit) s->inner = fmax(s->inner, fabs(f));
    else s->outer = fmax(s->outer, fabs(f));
}

/* Returns the sums over two sets of nodes. */
FN struct fourier_sums fourier_joined(struct fourier_sums a, struct fourier_sums b)
{
    a.value += b.value;
    a.size += b.size;
    a.largest = fmax(a.largest, b.largest);
    a.near = b.near_u < a.near_u ? b.near : a.near;
    a.near_u = fmin(a.near_u, b.near_u);
    a.far = b.far_u > a.far_u ? b.far : a.far;
    a.far_u = fmax(a.far_u, b.far_u);
    a.invalid_u = fmin(a.invalid_u, b.invalid_u);
    a.inner = fmax(a.inner, b.inner);
    a.outer = fmax(a.outer, b.outer);
    a.evaluations += b.evaluations;
    return a;
}

/* --- levels ---------------------------------------------------------------------- */

/* State of an integral.  changes: the state of tanhsinh_converges_fast(); before: the value of the last level; near:
 * the part of the error that is due to the interval next to the end of the range; noise: a multiple of the root of the
 * sum of the squares of the terms; covers_support: the values do not suggest that f is larger further out; not_finite:
 * a value is not finite and does not count as 0. */
struct fourier {
    struct tanhsinh changes;
    double value, before, error, evaluations, near, noise;
    int covers_support, not_finite;
};

FN struct fourier fourier_begin(void)
{
    struct fourier s = { tanhsinh_begin(), 0.0, 0.0, INFINITY, 0.0, 0.0, 0.0, 1, 0 };
    return s;
}

FN void fourier_begin_level(struct fourier *s)
{
    s->before = s->value;
    s->value = s->near = s->noise = 0.0;
    s->covers_support = 1;
}

/* Adds the sums of a transform to those of the level. */
FN void fourier_add_sums(struct fourier *s, int level, const struct fourier_sums *t)
{
    double angles = sqrt((double)(FOURIER_FIRST << level)) / 32.0;
    s->value += t->value;
    s->evaluations += t->evaluations;
    s->near += FOURIER_END * t->near;
    s->noise += (2.0 + angles) * sqrt(t->largest) * sqrt(t->size);
    s->covers_support &= t->outer <= t->inner && (t->size > 0.0 || level >= FOURIER_ZERO);
    s->not_finite |= t->invalid_u < INFINITY && (t->invalid_u < t->far_u || t->far > 0.0 || t->far_u == 0.0);
}

/* Returns the error after a level, infinite after the first one. */
FN double fourier_error(struct fourier *s, int level)
{
    double change = fabs(s->value - s->before), last = s->changes.change, rounding = 50.0 * ROUNDING * s->noise;
    if (level == 0) return INFINITY;
    int is_error = tanhsinh_converges_fast(&s->changes, change) || change <= rounding;
    return fmax(is_error ? change : fmax(FOURIER_SAFETY * change, last), rounding) + s->near;
}

/* Ends a level.  Returns the status, INTEGRAL_NOT_DONE if another level of `count` transforms is to follow. */
FN int fourier_end_level(struct fourier *s, int level, int count, double rel_tol, double abs_tol, double max_eval)
{
    double tolerance = refinement_tolerance(rel_tol, abs_tol, s->value, s->noise);
    double next = (double)count * fourier_level(level + 1).count;

    s->error = s->not_finite ? INFINITY : fourier_error(s, level);
    if (s->not_finite) return INTEGRAL_NOT_FINITE;
    if (level > 1 && s->covers_support && s->error <= tolerance) return INTEGRAL_CONVERGED;
    if (level + 1 == FOURIER_LEVELS || (level > 1 && s->covers_support && s->near > tolerance)) return INTEGRAL_STUCK;
    return s->evaluations + next > max_eval ? INTEGRAL_MAX_EVAL : INTEGRAL_NOT_DONE;
}

#endif
