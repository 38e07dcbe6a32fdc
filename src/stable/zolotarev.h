/* The logarithm of Zolotarev's function V, and its slope.
 *
 * The angle is given by s = log(phi/psi), so that both ends of (0, L) are resolved to full relative precision.  The
 * integrand of every distribution depends on w = log g, g = G V(phi), where G depends on the argument x.  Two
 * equivalent decompositions of w are used:
 *
 *   general:   log G = kappa (log y - B) + B,  y = x - zeta,  B = log(1+zeta^2)/2,
 *              log V = kappa log(sin psi / sin(alpha phi)) + log(sin A / sin psi);
 *
 *   near one (alpha -> 1, |x| < |zeta|/2, zeta < 0):  every term divided by eps,
 *              log G = +-alpha [log(1 + x/|zeta|) - log(1 + 1/zeta^2)/2] / eps,
 *              log V = -+alpha log(1 + eps Q) / eps + log(sin A sec(alpha theta0) / sin psi),
 *              eps Q = sin A cot psi - 2 sin^2(A/2),
 *
 *   whose value at eps = 0 is the formula for alpha = 1.
 *
 * Each sine is computed from the smaller of an angle and its supplement; both are sums of positive terms.
 */
#ifndef STABLECL_STABLE_ZOLOTAREV_H
#define STABLECL_STABLE_ZOLOTAREV_H

#include "../special/elementary.h"
#include "law.h"

#define LOG_MAX 700.0           /* larger arguments of exp() are not needed */

/* The angles, and their sines, 1/sines (over_) and cotangents; those of phi are taken at alpha phi. */
struct angles { double phi, psi, sin_phi, sin_psi, csc_phi, csc_psi, cot_phi, cot_psi; };

/* Computes phi = L e^s/(1+e^s) and psi = L/(1+e^s).  `factor` multiplies e^-|s|, for angles between those of two
 * consecutive doubles s. */
LANE void split_angle(double L, double s, double factor, double *phi, double *psi)
{
    double e = node_exp(-fabs(s)) * factor, big = L / (1.0 + e), small = big * e;
    uint64 far = mask_of(s > 0.0);
    *phi = blend(far, big, small);
    *psi = blend(far, small, big);
}

/* Returns the minimum of x and y. */
LANE double smaller(double x, double y)
{
    return blend(mask_of(x < y), x, y);
}

/* Returns exp(w), at most exp(LOG_MAX). */
LANE double node_exp_capped(double w)
{
    return node_exp(smaller(w, LOG_MAX));
}

/* Computes sin, 1/sin and cot of an angle in (0, pi) whose supplement is given as well. */
LANE void sin_cot(double x, double supplement, double *s, double *over, double *cot)
{
    double c;
    *s = node_sin_cos(smaller(x, supplement), &c);
    *over = 1.0 / *s;
    c *= *over;
    *cot = blend(mask_of(x < supplement), c, -c);
}

/* Returns the angle with which A increases: phi or psi. */
LANE double increasing_angle(const struct law *law, double phi, double psi)
{
    return blend(mask_of(law->sign < 0.0), phi, psi);
}

LANE double angle_A(const struct law *law, const struct side *side, const struct angles *a)
{
    return side->h + law->eps * increasing_angle(law, a->phi, a->psi);
}

LANE void angles_set(struct angles *a, const struct law *law, const struct side *side, double s, double factor)
{
    split_angle(side->L, s, factor, &a->phi, &a->psi);
    sin_cot(law->alpha * a->phi, a->psi + angle_A(law, side, a), &a->sin_phi, &a->csc_phi, &a->cot_phi);
    sin_cot(a->psi, side->supplement + a->phi, &a->sin_psi, &a->csc_psi, &a->cot_psi);
}

/* Returns log(1 + eps z)/eps, which is z at eps = 0; computed from sum = 1 + eps z if that is below 1/2. */
LANE double log1p_over(double eps, double z, double sum)
{
    uint64 small = mask_of(eps * z > -0.5);
    double u = blend(small, 1.0 + eps * z, sum), less = u - 1.0;  /* node_log1p(eps z) z/(eps z) */
    return blend(mask_of(less == 0.0), z, node_log(u) * (blend(small, z, 1.0) / blend(small, less, eps)));
}

/* Returns d w / d s = (phi psi / L) d w / d phi.  The second form is accurate where sin A is small, the first where
 * alpha is small. */
LANE double zolotarev_slope(const struct law *law, const struct side *side, const struct angles *a,
                            double kappa_sin_A, double one_minus_alpha_cot_A)
{
    double both = a->phi * a->psi;
    double common = one_minus_alpha_cot_A * both + a->cot_psi * a->psi * a->phi;
    double small = law->kappa * (law->alpha * a->cot_phi * both + a->cot_psi * both);
    double large = kappa_sin_A * (a->psi * a->csc_psi) * (a->phi * a->csc_phi)
                 + law->alpha * a->cot_phi * a->phi * a->psi;
    return (common - blend(mask_of(law->alpha < 0.5), small, large)) / side->L;
}

/* Returns log V in the general decomposition, and stores its slope. */
LANE double zolotarev_general(const struct law *law, const struct side *side, const struct angles *a, double *slope)
{
    double sin_A, csc_A, cot_A;
    sin_cot(angle_A(law, side, a), law->alpha * a->phi + a->psi, &sin_A, &csc_A, &cot_A);
    *slope = zolotarev_slope(law, side, a, law->kappa * sin_A, (1.0 - law->alpha) * cot_A);
    return law->kappa * node_log(a->sin_psi * a->csc_phi) + node_log(sin_A * a->csc_psi);
}

/* Returns log V in the decomposition near one, and stores its slope. */
LANE double zolotarev_near_one(const struct law *law, const struct side *side, const struct angles *a, double *slope)
{
    double over = 0.5 * (side->h_eps + increasing_angle(law, a->phi, a->psi));  /* A/(2 eps) */
    double x = law->eps * over, c, s = node_sin_cos(x, &c);
    double m = over * blend(mask_of(x < 1e-8), 1.0, s / x), sin_A = 2.0 * m * c;  /* both divided by eps */
    double Q = sin_A * a->cot_psi - 2.0 * s * m;
    *slope = zolotarev_slope(law, side, a, law->sign * law->alpha * sin_A, -law->sign * (1.0 - 2.0 * s * s) / sin_A);
    return node_log(law->sec_eps * sin_A * a->csc_psi)
         - law->sign * law->alpha * log1p_over(law->eps, Q, a->sin_phi * a->csc_psi);
}

/* Returns log V at s, and stores d log V / d s and the angles.  factor: see split_angle(). */
LANE double zolotarev_angles(const struct law *law, const struct side *side, int near_one, double s, double factor,
                             struct angles *a, double *slope)
{
    angles_set(a, law, side, s, factor);
    return near_one ? zolotarev_near_one(law, side, a, slope) : zolotarev_general(law, side, a, slope);
}

/* Returns g = G V in the general decomposition, and stores phi psi, if nothing else is needed. */
LANE double zolotarev_general_g(const struct law *law, const struct side *side, double s, double factor,
                                struct double_double log_G, double *both)
{
    double phi, psi, A, a, sin_psi, power;
    split_angle(side->L, s, factor, &phi, &psi);
    *both = phi * psi;
    A = side->h + law->eps * increasing_angle(law, phi, psi);
    a = law->alpha * phi;
    sin_psi = node_sin(smaller(psi, side->supplement + phi));
    power = (log_G.hi + law->kappa * node_log(sin_psi / node_sin(smaller(a, psi + A)))) + log_G.lo;
    return node_exp_capped(power) * (node_sin(smaller(A, a + psi)) / sin_psi);
}

#endif
