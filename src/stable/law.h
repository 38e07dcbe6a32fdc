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
    double supplement;                  /* pi - L */
    double h_eps;      /* h/eps, finite at alpha = 1 for beta > 0 (alpha <= 1) or beta < 0 (alpha > 1) */
};

/* For smaller eps, a decomposition of its own may be used (zolotarev.h). */
#define NEAR_ONE 0.05

struct law {
    double alpha, beta;
    double eps;                         /* |1 - alpha| */
    double sign;                        /* -1 for alpha <= 1, +1 for alpha > 1: the sign of kappa */
    double kappa;                       /* alpha/(alpha-1); not used at alpha = 1 */
    double t;                           /* tan(pi eps/2) = 1/tan(eta) */
    struct double_double t_eps;         /* t/eps, pi/2 at alpha = 1; lo is 0 for eps >= NEAR_ONE */
    double abs_zeta;                    /* |zeta| = |beta|/t */
    struct double_double log_sec;       /* log(1/cos(alpha theta0)) = log(1 + zeta^2)/2 */
    struct double_double log_G_1;       /* log G in the general decomposition at y = 1: (1 - kappa) log_sec */
    double sec_eps;                     /* eps/cos(alpha theta0), finite at alpha = 1 */
    struct double_double zeta;
    struct side right, left;
};

/* 1/n!, n = 2, ..., 29, as double-double numbers up to n = 19. */
#define FACTORIALS_FIRST 2
TABLE double inverse_factorial[28][2] = {
    { 0.5, 0.0 }, { 0.16666666666666666, 9.25185853854297e-18 },
    { 0.041666666666666664, 2.3129646346357427e-18 }, { 0.008333333333333333, 1.1564823173178714e-19 },
    { 0.001388888888888889, -5.300543954373577e-20 }, { 0.0001984126984126984, 1.7209558293420705e-22 },
    { 2.48015873015873e-05, 2.1511947866775882e-23 }, { 2.7557319223985893e-06, -1.858393274046472e-22 },
    { 2.755731922398589e-07, 2.3767714622250297e-23 }, { 2.505210838544172e-08, -1.448814070935912e-24 },
    { 2.08767569878681e-09, -1.20734505911326e-25 }, { 1.6059043836821613e-10, 1.2585294588752098e-26 },
    { 1.1470745597729725e-11, 2.0655512752830745e-28 }, { 7.647163731819816e-13, 7.03872877733453e-30 },
    { 4.779477332387385e-14, 4.399205485834081e-31 }, { 2.8114572543455206e-15, 1.6508842730861433e-31 },
    { 1.5619206968586225e-16, 1.1910679660273754e-32 }, { 8.22063524662433e-18, 2.2141894119604265e-34 },
    { 4.110317623312165e-19, 0.0 }, { 1.9572941063391263e-20, 0.0 },
    { 8.896791392450574e-22, 0.0 }, { 3.868170170630684e-23, 0.0 },
    { 1.6117375710961184e-24, 0.0 }, { 6.446950284384474e-26, 0.0 },
    { 2.4795962632247976e-27, 0.0 }, { 9.183689863795546e-29, 0.0 },
    { 3.279889237069838e-30, 0.0 }, { 1.1309962886447716e-31, 0.0 }
};

/* Computes the sine and cosine of pi u, 0 <= u <= 1/4, as double-double numbers by Taylor series with 14 terms; the
 * first omitted term is below 2^-110.  The last terms, below 2^-55 of the sum, are added in double precision. */
#define TERMS_ALL    14
#define TERMS_DOUBLE 9        /* the first term that is added in double precision */

NOINLINE void dd_sincospi(double u, struct double_double *s, struct double_double *c)
{
    const struct double_double pi = { PI, PI_LO }, one = { 1.0, 0.0 };
    struct double_double uu = { u, 0.0 }, x = dd_mul(pi, uu), x2 = dd_neg(dd_mul(x, x));
    struct double_double ts = { 0.0, 0.0 }, tc = { 0.0, 0.0 };
    for (int k = TERMS_ALL; k >= TERMS_DOUBLE; k--) {
        ts.hi = ts.hi * x2.hi + inverse_factorial[2 * k + 1 - FACTORIALS_FIRST][0];
        tc.hi = tc.hi * x2.hi + inverse_factorial[2 * k - FACTORIALS_FIRST][0];
    }
    for (int k = TERMS_DOUBLE - 1; k >= 1; k--) {
        struct double_double fs = { inverse_factorial[2 * k + 1 - FACTORIALS_FIRST][0],
                                    inverse_factorial[2 * k + 1 - FACTORIALS_FIRST][1] };
        struct double_double fc = { inverse_factorial[2 * k - FACTORIALS_FIRST][0],
                                    inverse_factorial[2 * k - FACTORIALS_FIRST][1] };
        ts = dd_add_ordered(fs, dd_mul(ts, x2));
        tc = dd_add_ordered(fc, dd_mul(tc, x2));
    }
    *s = dd_mul(dd_add_ordered(one, dd_mul(ts, x2)), x);
    *c = dd_add_ordered(one, dd_mul(tc, x2));
}

/* Returns tan(pi u/2) for 0 <= u <= 1. */
FN struct double_double dd_tan_half_pi(double u)
{
    struct double_double s, c;
    if (u <= 0.5) {
        dd_sincospi(0.5 * u, &s, &c);
        return dd_div(s, c);
    }
    dd_sincospi(0.5 * (1.0 - u), &s, &c);
    return dd_div(c, s);
}

/* Returns eta - atan(b tan eta) for b >= 0, where t = 1/tan(eta).  t^2 overflows for alpha below 1e-154. */
FN double angle_minus(double b, double t)
{
    double square = t * t;
    return atan(isinf(square) ? (1.0 - b) / t : t * (1.0 - b) / (square + b));
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
        s->L = s->supplement = HALF_PI;
        s->h = a < 1.0 ? HALF_PI : eta;
        s->h_eps = s->h / law->eps;
        return;
    }
    if (a <= 1.0) {
        s->L = plus / a;
        s->h = minus / a;
        s->supplement = s->h;
    } else {
        s->L = (beta > 0.0 ? atan2(t, b) + HALF_PI * law->eps : PI - plus) / a;
        s->h = plus;
        s->supplement = (PI * law->eps + plus) / a;
    }
    s->h_eps = law->eps > 0.0 ? s->h / law->eps : HALF_PI * (1.0 - b) / b;
}

/* Returns log(1 + zeta^2)/2.  Its absolute error enters densities multiplied by up to kappa, but where |zeta| < 1, a
 * double is accurate enough: its relative error is that of zeta. */
FN struct double_double log_secant(struct double_double zeta)
{
    struct double_double one = { 1.0, 0.0 }, square = dd_mul(zeta, zeta), log_square = { log1p(square.hi), 0.0 };
    if (square.hi >= 1.0) {
        square = dd_add(square, one);
        log_square = dd_log(square.hi);
        log_square = quick_two_sum(log_square.hi, log_square.lo + square.lo / square.hi);
    }
    log_square.hi *= 0.5;
    log_square.lo *= 0.5;
    return log_square;
}

/* Sets all constants.  Domain: 0 < alpha < 2, |beta| <= 1, except alpha = 1 with beta = 0. */
NOINLINE void law_set(struct law *law, double alpha, double beta)
{
    struct double_double b = { -beta, 0.0 }, one = { 1.0, 0.0 }, half_pi = { HALF_PI, 0.5 * PI_LO };
    struct double_double eps = { fabs(1.0 - alpha), 0.0 }, kappa = { 0.0, 0.0 };
    law->alpha = alpha;
    law->beta = beta;
    law->eps = eps.hi;
    law->sign = alpha > 1.0 ? 1.0 : -1.0;
    law->kappa = alpha / (alpha - 1.0);
    law->zeta.hi = law->zeta.lo = 0.0;
    law->t = 0.0;
    law->t_eps = half_pi;
    law->abs_zeta = law->log_sec.hi = INFINITY;
    law->log_sec.lo = law->log_G_1.hi = law->log_G_1.lo = 0.0;
    if (alpha != 1.0) {
        struct double_double tn = dd_tan_half_pi(alpha < 1.0 ? alpha : 2.0 - alpha);
        law->zeta = dd_mul(b, tn);
        if (alpha > 1.0) law->zeta = dd_neg(law->zeta);
        law->abs_zeta = fabs(law->zeta.hi);
        law->t = 1.0 / tn.hi;
        law->t_eps.hi = law->t / law->eps;
        law->t_eps.lo = 0.0;
        if (law->eps < NEAR_ONE) law->t_eps = dd_div(one, dd_mul(tn, eps));
        law->log_sec = log_secant(law->zeta);
        kappa.hi = -law->kappa;
        law->log_G_1 = dd_add(dd_mul(kappa, law->log_sec), law->log_sec);
    }
    law->sec_eps = hypot(law->beta, law->t) / law->t_eps.hi;
    side_set(&law->right, law, beta);
    side_set(&law->left, law, -beta);
}

#endif
