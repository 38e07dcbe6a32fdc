/* The argument of a standard stable distribution.
 *
 * Next to its shift point zeta, a stable distribution with alpha < 1 varies on the scale of log|x - zeta|.  The
 * argument is therefore passed with more than working precision, as an unevaluated sum hi + lo.  In the S1
 * parametrisation the user's x already is the distance from zeta, and no subtraction is needed.
 */
#ifndef STABLECL_STABLE_STANDARDISED_ARGUMENT_H
#define STABLECL_STABLE_STANDARDISED_ARGUMENT_H

#include "zolotarev.h"
#include "../special/dialect.h"

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
    double y;                           /* |x - zeta| (alpha != 1) */
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

/* Sets all quantities for the argument x. */
APART void argument_set(struct position *p, const struct law *law, struct abscissa x)
{
    double x0 = x.hi, b = fabs(law->beta);
    p->at_zeta = 0;
    if (law->alpha == 1.0) {
        p->left = law->beta < 0.0;
        p->near_one = 1;
        p->y = INFINITY;
        argument_near_one(p, law, b, p->left ? -x0 : x0);
        return;
    }
    struct double_double y = { x.hi, x.lo };
    if (x.shifted) x0 = two_add(y, law->zeta).hi;
    else y = two_add(y, two_neg(law->zeta));
    p->left = y.hi < 0.0;
    p->at_zeta = y.hi == 0.0;
    p->y = fabs(y.hi);
    if (p->left) x0 = -x0;
    p->near_one = law->eps < NEAR_ONE && law->abs_zeta > NEAR_ZETA
               && law->sign * argument_side(law, p)->beta < 0.0 && fabs(x0) < 0.5 * law->abs_zeta;
    if (p->near_one) argument_near_one(p, law, b, x0);
    else {
        p->log_G = law->kappa * (log(p->y) - law->log_sec) + law->log_sec;
        p->front = fabs(law->kappa) / (PI * p->y);
        p->dlog_G = law->kappa / p->y;
        p->dlog_front = -1.0 / p->y;
    }
}

#endif
