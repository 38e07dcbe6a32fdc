/* The standard distribution of one shape, and the choice of the method of evaluation.
 *
 *     closed forms, series at infinity        value.h, evaluate.h
 *     sums over nodes, stored or streamed     node_set.h, streamed_sum.h
 */
#ifndef STABLECL_STABLE_STANDARD_H
#define STABLECL_STABLE_STANDARD_H

#include "evaluate.h"

/* At larger |log G|, the rounding error of log G shifts a peak by more than 1e-13 of the peak's width, and each point
 * needs its own node set. */
#define LOG_G_CELLS 2000.0

/* At alpha = 1, the distribution differs from the Cauchy distribution by at most beta log|x|. */
#define CAUCHY_BETA 1e-30

struct standard {
    double alpha, beta;
    double quantum;                     /* width of a cell of log G */
    struct law law;                     /* if a closed form is used everywhere, only zeta = 0 is set */
};

/* TRUE if a closed form is used everywhere. */
FN int standard_is_closed(double alpha, double beta)
{
    return alpha == 2.0 || (alpha == 1.0 && fabs(beta) < CAUCHY_BETA);
}

/* Domain: 0 < alpha <= 2, -1 <= beta <= 1. */
NOINLINE void standard_set(struct standard *s, double alpha, double beta)
{
    s->alpha = alpha;
    s->beta = beta;
    s->quantum = alpha < 0.5 ? QUANTUM * alpha / (1.0 - alpha) : QUANTUM;
    if (standard_is_closed(alpha, beta)) s->law.zeta.hi = s->law.zeta.lo = 0.0;
    else law_set(&s->law, alpha, beta);
}

/* Returns zeta = -beta tan(pi alpha/2) as an unevaluated sum; 0 at alpha = 1. */
FN struct argument standard_zeta(const struct standard *s)
{
    struct argument z = { s->law.zeta.hi, s->law.zeta.lo, 0 };
    return z;
}

/* Returns P(X < zeta) (left) or P(X > zeta), alpha != 1. */
FN double standard_mass(const struct standard *s, int left)
{
    return (left ? s->law.left.L : s->law.right.L) / PI;
}

/* Returns 1 if v holds the value at x (finite); otherwise p is set. */
NOINLINE int standard_closed(const struct standard *s, struct argument x, struct standardised_argument *p,
                             struct stable_value *v)
{
    v->error = 30.0 * EPSILON;
    if (s->alpha == 2.0) {
        gaussian_value(x.hi, v);
        return 1;
    }
    if (standard_is_closed(s->alpha, s->beta)) {
        cauchy_value(x.hi, v);
        return 1;
    }
    if (value_leading_term(&s->law, x.hi, v)) return 1;
    argument_set(p, &s->law, x);
    return value_closed(&s->law, p, v) || value_laplace(&s->law, p, v);
}

/* TRUE if the series at infinity may be accurate enough. */
FN int standard_is_far(const struct standard *s, const struct standardised_argument *p)
{
    return s->alpha != 1.0 && !p->near_one && argument_log_z(&s->law, p) <= 1.0;
}

/* Returns the integrand for one argument. */
FN struct zolotarev_integrand standard_integrand(const struct standard *s, const struct standardised_argument *p)
{
    struct zolotarev_integrand b = { &s->law, argument_side(&s->law, p), p->near_one, p->log_G, -s->law.sign, 0.0 };
    return b;
}

/* Stores the number of the cell of p.  Returns 0 if p lies in no cell. */
FN int standard_cell(const struct standard *s, const struct standardised_argument *p, int64 *key)
{
    if (!(fabs(p->log_G.hi) < LOG_G_CELLS)) return 0;
    *key = (int64) rint(p->log_G.hi / s->quantum) * 4 + 2 * p->left + p->near_one;
    return 1;
}

/* Returns the integrand at the centre of a cell, with the half-width of the cell. */
FN struct zolotarev_integrand standard_integrand_of_cell(const struct standard *s, int64 key)
{
    int left = (int) (key >> 1 & 1), near_one = (int) (key & 1);
    double log_G = (double) (key >> 2) * s->quantum;
    const struct side *side = left ? &s->law.left : &s->law.right;
    struct zolotarev_integrand b = { &s->law, side, near_one, { log_G, 0.0 }, -s->law.sign, 0.5 * s->quantum };
    return b;
}

#endif
