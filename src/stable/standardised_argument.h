/* The argument of a standard stable distribution.
 *
 * Next to its shift point zeta, a stable distribution with alpha < 1 varies on the scale of log|x - zeta|.  The
 * argument is therefore passed with more than working precision, as an unevaluated sum hi + lo.  In the S1
 * parametrisation the user's x already is the distance from zeta, and no subtraction is needed.
 */
#ifndef STABLECL_STABLE_STANDARDISED_ARGUMENT_H
#define STABLECL_STABLE_STANDARDISED_ARGUMENT_H

#include "zolotarev.h"

struct abscissa {
    double hi, lo;   /* argument = hi + lo, |lo| <= ulp(hi)/2 */
    int    shifted;  /* 0: x of the standard S0 law; 1: x - zeta (S1); at alpha = 1 both equal x */
};

/* --- the quantities by which Zolotarev's integral depends on x --- */

/* Conditions for the decomposition of zolotarev.h for alpha -> 1, where log y - B cancels; for smaller |zeta|, w is so
 * steep that the cancellation is harmless. */
#define NEAR_ONE  0.05
#define NEAR_ZETA 1.0

/* The standardised argument. */
struct position {
    int left;                           /* x < zeta: the distribution of -X is used, and the tails are swapped */
    int at_zeta;                        /* x == zeta */
    int near_one;                       /* decomposition of log g to be used (zolotarev.h) */
    double y, log_y;                    /* |x - zeta| (alpha != 1), and its logarithm */
    double log_G;
    double front;                       /* density = front * sum */
    double dlog_G;                      /* d log G / d|x|, and d log front / d|x| */
    double dlog_front;
};

FN const struct side *argument_side(const struct law *law, const struct position *p)
{
    return p->left ? &law->left : &law->right;
}

/* Sets the quantities of the decomposition for alpha -> 1; b = |beta|. */
FN void argument_near_one(struct position *p, const struct law *law, double b, double x)
{
    double r = law->t / b, part = 1.0 + x * r;  /* y/|zeta| */
    double log_sec = law->eps > 0.0 ? 0.5 * log1p(r * r) / law->eps : 0.0;
    p->log_G = law->sign * law->alpha * (log1p_over(law->eps, x * law->t_eps / b, part) - log_sec);
    p->front = law->alpha * law->t_eps / (b * part * PI);
    p->dlog_G = law->sign * law->alpha * law->t_eps / (b * part);
    p->dlog_front = -r / part;
}

/* TRUE if the decomposition for alpha -> 1 is used on this side of zeta for |x| < |zeta|/2. */
FN int argument_may_be_near_one(const struct law *law, const struct side *side)
{
    return law->eps < NEAR_ONE && law->abs_zeta > NEAR_ZETA && law->sign * side->beta < 0.0;
}

/* Sets all quantities for the argument x. */
APART void argument_set(struct position *p, const struct law *law, struct abscissa x)
{
    double x0 = x.hi, b = fabs(law->beta);
    p->at_zeta = 0;
    if (law->alpha == 1.0) {
        p->left = law->beta < 0.0;
        p->near_one = 1;
        p->y = p->log_y = INFINITY;
        argument_near_one(p, law, b, p->left ? -x0 : x0);
        return;
    }
    struct double_double y = { x.hi, x.lo };
    if (x.shifted) x0 = two_add(y, law->zeta).hi;
    else y = two_add(y, two_neg(law->zeta));
    p->left = y.hi < 0.0;
    p->at_zeta = y.hi == 0.0;
    p->y = fabs(y.hi);
    p->log_y = log(p->y);
    if (p->left) x0 = -x0;
    p->near_one = argument_may_be_near_one(law, argument_side(law, p)) && fabs(x0) < 0.5 * law->abs_zeta;
    if (p->near_one) argument_near_one(p, law, b, x0);
    else {
        p->log_G = law->kappa * (p->log_y - law->log_sec) + law->log_sec;
        p->front = fabs(law->kappa) / (PI * p->y);
        p->dlog_G = law->kappa / p->y;
        p->dlog_front = -1.0 / p->y;
    }
}

/* The inverse of argument_near_one(): returns x of the side on which beta is positive. */
FN double argument_of_near_one(const struct law *law, double log_G)
{
    double b = fabs(law->beta), r = law->t / b, eps = law->eps;
    double u = log_G * law->sign / law->alpha + (eps > 0.0 ? 0.5 * log1p(r * r) / eps : 0.0);
    return b / law->t_eps * (eps > 0.0 ? expm1(eps * u) / eps : u);
}

/* Returns log|x - zeta| for log G in the plain decomposition. */
FN double argument_log_distance(const struct law *law, double log_G)
{
    return (log_G - law->log_sec) / law->kappa + law->log_sec;
}

/* Conversion between the user's x and the argument of the standard distribution.
 *
 * Next to zeta, a distribution with alpha < 1 varies on the scale of log|x - zeta|.  The argument (x - delta)/gamma is
 * therefore a sum hi + lo: the difference is computed exactly (Knuth's two-sum), and the second part of
 * the quotient follows from the exact remainder of the first (Dekker's product).
 *
 * Error: |hi + lo - (x - delta)/gamma| <= 2^-102 |(x - delta)/gamma|, for any finite x and delta and any finite
 * gamma > 0, subnormal or huge.
 * Source: Dekker (1971) <doi:10.1007/BF01397083>.
 */

/* a + b = hi + lo exactly, unless it overflows. */
FN struct abscissa argument_sum(double a, double b)
{
    struct abscissa s;
    s.hi = a + b;
    double part = s.hi - a;
    s.lo = (a - (s.hi - part)) + (b - part);
    s.shifted = 0;
    return s;
}

/* a * b = hi + lo exactly, for |a|, |b| < 2^990 and |a b| > 2^-900. */
FN struct abscissa argument_product(double a, double b)
{
    const double split = 134217729.0;   /* 2^27 + 1 */
    struct abscissa p;
    double ca = split * a, cb = split * b;
    double ah = ca - (ca - a), al = a - ah;
    double bh = cb - (cb - b), bl = b - bh;
    p.hi = a * b;
    p.lo = ((ah * bh - p.hi) + ah * bl + al * bh) + al * bl;
    p.shifted = 0;
    return p;
}

/* (hi + lo) / gamma, if the quotient and the products are in range. */
FN struct abscissa argument_quotient(double hi, double lo, double gamma)
{
    double q = hi / gamma;
    struct abscissa p = argument_product(q, gamma);
    double rest = ((hi - p.hi) - p.lo) + lo;
    return argument_sum(q, rest / gamma);
}

/* z + a for a double a; both parts are kept. */
FN struct abscissa argument_shift(struct abscissa z, double a)
{
    struct abscissa s = argument_sum(z.hi, a);
    s = argument_sum(s.hi, s.lo + z.lo);
    s.shifted = z.shifted;
    return s;
}

/* TRUE if products and quotients of such numbers neither overflow nor underflow. */
FN int argument_is_tame(double a)
{
    double m = fabs(a);
    return m < 0x1p400 && m > 0x1p-400;
}

/* Arguments with a larger binary exponent are replaced by one with this exponent. */
#define ARGUMENT_MAX_EXPONENT 1000

/* (x - delta) / gamma for finite x, delta and 0 < gamma < infinity.
 *
 * The quotient can lie far outside the range of a double (1e300 / 1e-300).  *beyond is the logarithm of the missing
 * factor: the true argument is the returned one times exp(*beyond), and the caller extrapolates the power law. */
FN struct abscissa argument_for(double x, double delta, double gamma, double *beyond)
{
    struct abscissa d = argument_sum(x, -delta), z;
    int ed, eg, excess = 0;

    *beyond = 0;
    if (gamma == 1.0 && fabs(d.hi) < 0x1p1000) return d;
    if (d.hi == 0.0) return d;
    if (argument_is_tame(d.hi) && argument_is_tame(gamma) && argument_is_tame(d.hi / gamma))
        return argument_quotient(d.hi, d.lo, gamma);

    if (fabs(x) > 0x1p1000 || fabs(delta) > 0x1p1000) {
        d = argument_sum(0.25 * x, -0.25 * delta);
        excess = 2;
    }
    double h = frexp(d.hi, &ed), g = frexp(gamma, &eg);
    z = argument_quotient(h, ldexp(d.lo, -ed), g);
    excess += ed - eg;
    if (excess > ARGUMENT_MAX_EXPONENT) {
        *beyond = (excess - ARGUMENT_MAX_EXPONENT) * 0.69314718055994530942;
        excess = ARGUMENT_MAX_EXPONENT;
    }
    z.hi = ldexp(z.hi, excess);
    z.lo = ldexp(z.lo, excess);
    return z;
}

/* delta + gamma * z, with one rounding if the product is in range. */
FN double argument_back(struct abscissa z, double delta, double gamma)
{
    double size = gamma * z.hi;
    if (isinf(size)) return size;       /* the result overflows, and lo may overflow as well */
    if (gamma != 1.0 && !(argument_is_tame(z.hi) && argument_is_tame(gamma)))
        return (size + gamma * z.lo) + delta;

    struct abscissa p = { size, 0.0, 0 };
    if (gamma != 1.0) p = argument_product(gamma, z.hi);
    struct abscissa s = argument_sum(p.hi, delta);
    return s.hi + (s.lo + (p.lo + gamma * z.lo));
}

#endif
