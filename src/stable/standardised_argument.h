/* The argument of a standard stable distribution.
 *
 * Near its shift point zeta, a stable distribution with alpha < 1 varies on the scale of log|x - zeta|.  The
 * argument is therefore passed with more than working precision, as an unevaluated sum hi + lo.  In the S1
 * parametrisation the user's x already is the distance from zeta, and no subtraction is needed.
 */
#ifndef STABLECL_STABLE_STANDARDISED_ARGUMENT_H
#define STABLECL_STABLE_STANDARDISED_ARGUMENT_H

#include "zolotarev.h"

struct argument {
    double hi, lo;   /* argument = hi + lo, |lo| <= ulp(hi)/2 */
    int    shifted;  /* 0: x of the standard S0 law; 1: x - zeta (S1); at alpha = 1 both equal x */
};

/* --- the quantities by which Zolotarev's integral depends on x --- */

/* The decomposition of zolotarev.h for alpha -> 1, where log y - B cancels, requires this |zeta|; for a smaller |zeta|,
 * w is so steep that the cancellation is harmless. */
#define NEAR_ZETA 1.0

/* The distance of an argument from zeta, and what depends on it. */
struct standardised_argument {
    int left;                           /* x < zeta: the distribution of -X is used, and the tails are swapped */
    int at_zeta;                        /* x == zeta */
    int near_one;                       /* decomposition of log g to be used (zolotarev.h) */
    double y;                           /* |x - zeta| (alpha != 1) */
    struct double_double log_y, log_G;  /* the logarithm of y, not rounded, and log G */
    double front;                       /* density = front * sum */
    double dlog_G;                      /* d log G / d|x|, and d log front / d|x| */
    double dlog_front;
};

FN const struct side *argument_side(const struct law *law, const struct standardised_argument *p)
{
    return p->left ? &law->left : &law->right;
}

/* The density depends on log G through exp(w), and log G is up to |kappa| times as large as log y.  Its rounding error
 * would be the largest error of the density, so that it is a double-double number. */

/* Returns a (b - c) for a double-double b; a rounded product if it is not finite. */
FN struct double_double dd_scaled_difference(double a, struct double_double b, struct double_double c)
{
    struct double_double d = two_sum(b.hi, -c.hi), p = { a * d.hi, 0.0 };
    if (fabs(p.hi) < 1e300) p.lo = exact_product(a, d.hi).lo + a * (d.lo + (b.lo - c.lo));
    return p;
}

/* Returns log(1 + eps z)/eps, which is z at eps = 0, for eps z > -1. */
FN struct double_double dd_log1p_over(double eps, struct double_double z)
{
    struct double_double d = two_prod(eps, z.hi), one = { 1.0, 0.0 };
    d.lo += eps * z.lo;
    if (fabs(d.hi) < 1e-9)                      /* the next term of the series is below 1e-27 */
        return two_sum(z.hi, z.lo - z.hi * d.hi * (0.5 - d.hi * (1.0 / 3)));
    struct double_double u = dd_add(one, d), l = dd_log(u.hi), y;
    y.hi = l.hi / eps;
    y.lo = (fma(-y.hi, eps, l.hi) + (l.lo + u.lo / u.hi)) / eps;
    return quick_two_sum(y.hi, y.lo);
}

/* Returns x t/(eps b). */
FN struct double_double argument_over_zeta(const struct law *law, double b, struct double_double x)
{
    struct double_double skewness = { b, 0.0 }, rough = { x.hi * law->t_eps.hi / b, 0.0 };
    if (!(fabs(rough.hi) < 1e290) || !(fabs(x.hi) < 1e290)) return rough;
    return dd_div(dd_mul(x, law->t_eps), skewness);
}

/* Sets the quantities of the decomposition for alpha -> 1; b = |beta|. */
FN void argument_near_one(struct standardised_argument *p, const struct law *law, double b, struct double_double x)
{
    double r = law->t / b, part = 1.0 + x.hi * r;  /* y/|zeta| */
    struct double_double log_sec = { law->eps > 0.0 ? 0.5 * log1p(r * r) / law->eps : 0.0, 0.0 };
    struct double_double log_part = dd_log1p_over(law->eps, argument_over_zeta(law, b, x));
    p->log_G = dd_scaled_difference(law->sign * law->alpha, log_part, log_sec);
    p->front = law->alpha * law->t_eps.hi / (b * part * PI);
    p->dlog_G = law->sign * law->alpha * law->t_eps.hi / (b * part);
    p->dlog_front = -r / part;
}

/* Returns log y as a double-double number; for subnormal y rounded to a double.  inverse = 1/y.
 *
 * The error 2^-58 has the effect of changing y by 2^-58 y.  Rounding x changes it by up to 2^-53 |x|, and where the
 * general decomposition is used, y is at most of size |x| or 10. */
FN struct double_double log_of_distance(struct double_double y, double inverse)
{
    struct double_double l = { 0.0, 0.0 };
    if (y.hi >= 0x1p-1022) {
        l = dd_log_fast(y.hi);
        l.lo += y.lo * inverse;
    } else l.hi = log(y.hi);
    return l;
}

/* Sets the quantities of the general decomposition; inverse = 1/y. */
FN void argument_general(struct standardised_argument *p, const struct law *law, double inverse)
{
    struct double_double power = dd_mul_double(p->log_y, law->kappa), sum = two_sum(power.hi, law->log_G_1.hi);
    p->log_G = quick_two_sum(sum.hi, sum.lo + (power.lo + law->log_G_1.lo));
    if (isinf(power.hi)) {
        p->log_G.hi = power.hi;
        p->log_G.lo = 0.0;
    }
    p->front = fabs(law->kappa) / (PI * p->y);
    p->dlog_front = -inverse;
    p->dlog_G = law->kappa * inverse;
}

/* TRUE if the decomposition for alpha -> 1 is used on this side of zeta for |x| < |zeta|/2. */
FN int argument_may_be_near_one(const struct law *law, const struct side *side)
{
    return law->eps < NEAR_ONE && law->abs_zeta > NEAR_ZETA && law->sign * side->beta < 0.0;
}

/* Sets all quantities for the argument x. */
NOINLINE void argument_set(struct standardised_argument *p, const struct law *law, struct argument x)
{
    double b = fabs(law->beta);
    struct double_double x0 = { x.hi, x.lo }, y = x0;
    p->at_zeta = 0;
    if (law->alpha == 1.0) {
        p->left = law->beta < 0.0;
        p->near_one = 1;
        p->y = p->log_y.hi = INFINITY;
        p->log_y.lo = 0.0;
        argument_near_one(p, law, b, p->left ? dd_neg(x0) : x0);
        return;
    }
    if (x.shifted) x0 = dd_add(y, law->zeta);
    else y = dd_add(y, dd_neg(law->zeta));
    p->left = y.hi < 0.0;
    p->at_zeta = y.hi == 0.0;
    if (p->left) {
        x0 = dd_neg(x0);
        y = dd_neg(y);
    }
    p->y = y.hi;
    double inverse = 1.0 / y.hi;
    p->log_y = log_of_distance(y, inverse);
    p->near_one = argument_may_be_near_one(law, argument_side(law, p)) && fabs(x0.hi) < 0.5 * law->abs_zeta;
    if (p->near_one) argument_near_one(p, law, b, x0);
    else argument_general(p, law, inverse);
}

/* The inverse of argument_near_one(): returns x of the side on which beta is positive. */
FN double argument_of_near_one(const struct law *law, double log_G)
{
    double b = fabs(law->beta), r = law->t / b, eps = law->eps;
    double u = log_G * law->sign / law->alpha + (eps > 0.0 ? 0.5 * log1p(r * r) / eps : 0.0);
    return b / law->t_eps.hi * (eps > 0.0 ? expm1(eps * u) / eps : u);
}

/* Returns log|x - zeta| for log G in the general decomposition. */
FN double argument_log_distance(const struct law *law, double log_G)
{
    return (log_G - law->log_sec.hi) / law->kappa + law->log_sec.hi;
}

/* Conversion between the user's x and the argument of the standard distribution.
 *
 * Near zeta, a distribution with alpha < 1 varies on the scale of log|x - zeta|.  The argument (x - delta)/gamma is
 * therefore a sum hi + lo: the difference is computed exactly (Knuth's two-sum), and the second part of
 * the quotient follows from the exact remainder of the first (Dekker's product).
 *
 * Error: |hi + lo - (x - delta)/gamma| <= 2^-102 |(x - delta)/gamma|, for any finite x and delta and any finite
 * gamma > 0, subnormal or huge.
 * Source: Dekker (1971) <doi:10.1007/BF01397083>.
 */

/* Returns a + b exactly, unless it overflows. */
FN struct argument argument_sum(double a, double b)
{
    struct argument s;
    s.hi = a + b;
    double part = s.hi - a;
    s.lo = (a - (s.hi - part)) + (b - part);
    s.shifted = 0;
    return s;
}

/* Returns a * b exactly, for |a|, |b| < 2^990 and |a b| > 2^-900. */
FN struct argument argument_product(double a, double b)
{
    const double split = 134217729.0;   /* 2^27 + 1 */
    struct argument p;
    double ca = split * a, cb = split * b;
    double ah = ca - (ca - a), al = a - ah;
    double bh = cb - (cb - b), bl = b - bh;
    p.hi = a * b;
    p.lo = ((ah * bh - p.hi) + ah * bl + al * bh) + al * bl;
    p.shifted = 0;
    return p;
}

/* Returns (hi + lo) / gamma, if the quotient and the products are in range. */
FN struct argument argument_quotient(double hi, double lo, double gamma)
{
    double q = hi / gamma;
    struct argument p = argument_product(q, gamma);
    double rest = ((hi - p.hi) - p.lo) + lo;
    return argument_sum(q, rest / gamma);
}

/* Returns z + a for a double a; both parts are kept. */
FN struct argument argument_shift(struct argument z, double a)
{
    struct argument s = argument_sum(z.hi, a);
    s = argument_sum(s.hi, s.lo + z.lo);
    s.shifted = z.shifted;
    return s;
}

/* TRUE if products and quotients of such numbers neither overflow nor underflow. */
FN int argument_is_in_range(double a)
{
    double m = fabs(a);
    return m < 0x1p400 && m > 0x1p-400;
}

/* Arguments with a larger binary exponent are replaced by one with this exponent. */
#define ARGUMENT_MAX_EXPONENT 1000

/* Returns (x - delta) / gamma for finite x, delta and 0 < gamma < infinity.
 *
 * The quotient can lie far outside the range of a double (1e300 / 1e-300).  *log_excess is the logarithm of the
 * missing factor: the true argument is the returned one times exp(*log_excess), and the caller extrapolates the power
 * law. */
FN struct argument argument_for(double x, double delta, double gamma, double *log_excess)
{
    struct argument d = argument_sum(x, -delta), z;
    int ed, eg, excess = 0;

    *log_excess = 0;
    if (gamma == 1.0 && fabs(d.hi) < 0x1p1000) return d;
    if (d.hi == 0.0) return d;
    if (argument_is_in_range(d.hi) && argument_is_in_range(gamma) && argument_is_in_range(d.hi / gamma))
        return argument_quotient(d.hi, d.lo, gamma);

    if (fabs(x) > 0x1p1000 || fabs(delta) > 0x1p1000) {
        d = argument_sum(0.25 * x, -0.25 * delta);
        excess = 2;
    }
    double h = frexp(d.hi, &ed), g = frexp(gamma, &eg);
    z = argument_quotient(h, ldexp(d.lo, -ed), g);
    excess += ed - eg;
    if (excess > ARGUMENT_MAX_EXPONENT) {
        *log_excess = (excess - ARGUMENT_MAX_EXPONENT) * 0.69314718055994530942;
        excess = ARGUMENT_MAX_EXPONENT;
    }
    z.hi = ldexp(z.hi, excess);
    z.lo = ldexp(z.lo, excess);
    return z;
}

/* Returns delta + gamma * z, with one rounding if the product is in range. */
FN double argument_to_x(struct argument z, double delta, double gamma)
{
    double size = gamma * z.hi;
    if (isinf(size)) return size;       /* the result overflows, and lo may overflow as well */
    if (gamma != 1.0 && !(argument_is_in_range(z.hi) && argument_is_in_range(gamma)))
        return (size + gamma * z.lo) + delta;

    struct argument p = { size, 0.0, 0 };
    if (gamma != 1.0) p = argument_product(gamma, z.hi);
    struct argument s = argument_sum(p.hi, delta);
    return s.hi + (s.lo + (p.lo + gamma * z.lo));
}

#endif
