/* The constants of one shape (alpha, beta).
 *
 * For x > zeta, Zolotarev's integral (Nolan 1997, doi:10.1080/15326349708807450; Zolotarev 1986, section 2.2) extends
 * over an angle phi in (0, L).  With psi = L - phi,
 *
 *     V(phi) = (sin psi / sin(alpha phi))^kappa  sin A / sin psi,
 *     kappa = alpha/(alpha-1),     alpha phi + psi + A = pi,
 *     A = h + (1-alpha) phi   (alpha < 1),   A = h + (alpha-1) psi   (alpha > 1).
 *
 * Each of L, h and pi - L may be tiny (|beta| -> 1, alpha -> 1, alpha -> 2) and must have full relative precision, so
 * none of them is computed by a subtraction that cancels.  With eta = pi min(alpha, 2-alpha)/2,
 *
 *     plus = eta + atan(beta tan eta),     minus = eta - atan(beta tan eta)
 *          = atan( tan(eta) (1-beta) / (1 + beta tan^2 eta) )     for beta > 0,
 *
 *     alpha < 1:  alpha L = plus,       alpha h = minus,   pi - L = h
 *     alpha > 1:  alpha L = pi - plus,        h = plus,    pi - L = (pi (alpha-1) + h)/alpha.
 *
 * For x < zeta the distribution of -X, with -beta, is used; its constants are those of the left side.
 */
#ifndef STABLECL_STABLE_LAW_H
#define STABLECL_STABLE_LAW_H

#include "../special/elementary.h"
#include "../special/double_double.h"

struct side {
    double beta;                        /* skewness: beta for the right side, -beta for the left side */
    double L;                           /* range of phi; L/pi is the probability of this side of zeta */
    double h;                           /* smallest value of A */
    double rest;                        /* pi - L */
    double h_eps;      /* h/eps, finite at alpha = 1 for beta > 0 (alpha <= 1) or beta < 0 (alpha > 1) */
};

struct law {
    double alpha, beta;
    double eps;                         /* |1 - alpha| */
    double sign;                        /* -1 for alpha <= 1, +1 for alpha > 1: the sign of kappa */
    double kappa;                       /* alpha/(alpha-1); not used at alpha = 1 */
    double t;                           /* tan(pi eps/2) = 1/tan(eta) */
    double t_eps;                       /* t/eps, pi/2 at alpha = 1 */
    double abs_zeta;                    /* |zeta| = |beta|/t */
    double log_sec;                     /* log(1/cos(alpha theta0)) = log(1 + zeta^2)/2 */
    double sec_eps;                     /* eps/cos(alpha theta0), finite at alpha = 1 */
    struct double_double zeta;
    struct side right, left;
};

/* Computes the sine and cosine of pi u, 0 <= u <= 1/4, as double-double numbers by Taylor series with 14 terms; the
 * first omitted term is below 2^-110. */
APART void two_sincospi(double u, struct double_double *s, struct double_double *c)
{
    const struct double_double pi = { PI, PI_LO };
    struct double_double uu = { u, 0.0 }, x = two_mul(pi, uu), x2 = two_neg(two_mul(x, x));
    struct double_double ts = x, tc = { 1.0, 0.0 };
    *s = ts;
    *c = tc;
    for (int k = 1; k <= 14; k++) {
        struct double_double ds = { 2.0 * k * (2.0 * k + 1.0), 0.0 }, dc = { 2.0 * k * (2.0 * k - 1.0), 0.0 };
        ts = two_div(two_mul(ts, x2), ds);
        tc = two_div(two_mul(tc, x2), dc);
        *s = two_add(*s, ts);
        *c = two_add(*c, tc);
    }
}

/* Returns tan(pi u/2) for 0 <= u <= 1. */
FN struct double_double two_tan_half_pi(double u)
{
    struct double_double s, c;
    if (u <= 0.5) {
        two_sincospi(0.5 * u, &s, &c);
        return two_div(s, c);
    }
    two_sincospi(0.5 * (1.0 - u), &s, &c);
    return two_div(c, s);
}

/* Returns eta - atan(b tan eta) for b >= 0, where t = 1/tan(eta). */
FN double angle_minus(double b, double t)
{
    return atan(t * (1.0 - b) / (t * t + b));
}

/* Sets the constants of the side with skewness beta; alpha, eps and t of the law must be set. */
FN void side_set(struct side *s, const struct law *law, double beta)
{
    double b = fabs(beta), t = law->t, a = law->alpha;
    double eta = HALF_PI * (a < 1.0 ? a : 2.0 - a), atn = atan2(b, t);
    double sum = eta + atn, dif = angle_minus(b, t);
    double plus = beta >= 0.0 ? sum : dif, minus = beta >= 0.0 ? dif : sum;
    s->beta = beta;
    if (b == 0.0) {                     /* symmetric: both sides get identical constants */
        s->L = s->rest = HALF_PI;
        s->h = a < 1.0 ? HALF_PI : eta;
        s->h_eps = s->h / law->eps;
        return;
    }
    if (a <= 1.0) {
        s->L = plus / a;
        s->h = minus / a;
        s->rest = s->h;
    } else {
        s->L = (beta > 0.0 ? atan2(t, b) + HALF_PI * law->eps : PI - plus) / a;
        s->h = plus;
        s->rest = (PI * law->eps + plus) / a;
    }
    s->h_eps = law->eps > 0.0 ? s->h / law->eps : HALF_PI * (1.0 - b) / b;
}

/* Sets all constants.  Domain: 0 < alpha < 2, |beta| <= 1, except alpha = 1 with beta = 0. */
APART void law_set(struct law *law, double alpha, double beta)
{
    struct double_double b = { -beta, 0.0 };
    law->alpha = alpha;
    law->beta = beta;
    law->eps = fabs(1.0 - alpha);
    law->sign = alpha > 1.0 ? 1.0 : -1.0;
    law->kappa = alpha / (alpha - 1.0);
    law->zeta.hi = law->zeta.lo = 0.0;
    law->t = 0.0;
    law->t_eps = HALF_PI;
    law->abs_zeta = INFINITY;
    law->log_sec = INFINITY;
    if (alpha != 1.0) {
        struct double_double tn = two_tan_half_pi(alpha < 1.0 ? alpha : 2.0 - alpha);
        law->zeta = two_mul(b, tn);
        if (alpha > 1.0) law->zeta = two_neg(law->zeta);
        law->abs_zeta = fabs(law->zeta.hi);
        law->t = 1.0 / tn.hi;
        law->t_eps = law->t / law->eps;
        law->log_sec = law->abs_zeta < 1e8 ? 0.5 * log1p(law->abs_zeta * law->abs_zeta) : log(law->abs_zeta);
    }
    law->sec_eps = hypot(law->beta, law->t) / law->t_eps;
    side_set(&law->right, law, beta);
    side_set(&law->left, law, -beta);
}

#endif
