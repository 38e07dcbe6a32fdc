/* Closed forms: the normal distribution with variance 2 (alpha = 2), the Cauchy distribution (alpha = 1, beta = 0), the
 * Levy distribution (alpha = 1/2, |beta| = 1), and the point x = zeta for alpha != 1 (Zolotarev 1986, section 2.2):
 *
 *     f(zeta) = Gamma(1 + 1/alpha) cos(B)^(1/alpha) cos(B/alpha)/pi,  F(zeta) = 1/2 - B/(alpha pi),
 *     B = arctan(beta tan(pi alpha/2)).
 */
#include "reference.h"

/* pdf = exp(-x^2/4)/(2 sqrt(pi)), sf = erfc(x/2)/2 */
static void normal(struct value *v, const arb_t x, slong prec)
{
    arb_t h;
    arb_init(h);
    arb_mul_2exp_si(h, x, -1);
    arb_hypgeom_erfc(v->sf, h, prec);
    arb_mul_2exp_si(v->sf, v->sf, -1);
    arb_neg(v->cdf, h);
    arb_hypgeom_erfc(v->cdf, v->cdf, prec);
    arb_mul_2exp_si(v->cdf, v->cdf, -1);
    arb_sqr(h, h, prec);
    arb_neg(h, h);
    arb_exp(v->pdf, h, prec);
    arb_const_sqrt_pi(h, prec);
    arb_mul_2exp_si(h, h, 1);
    arb_div(v->pdf, v->pdf, h, prec);
    arb_clear(h);
}

/* arctan(1/x)/pi is the upper tail for x > 0. */
static void cauchy(struct value *v, const arb_t x, slong prec)
{
    arb_t one, y;
    arb_init(one); arb_init(y);
    arb_one(one);
    arb_neg(y, x);
    arb_atan2(v->sf, one, x, prec);
    arb_atan2(v->cdf, one, y, prec);
    arb_sqr(y, x, prec);
    arb_add(y, y, one, prec);
    arb_inv(v->pdf, y, prec);
    arb_const_pi(y, prec);
    arb_div(v->sf, v->sf, y, prec);
    arb_div(v->cdf, v->cdf, y, prec);
    arb_div(v->pdf, v->pdf, y, prec);
    arb_clear(one); arb_clear(y);
}

/* u = x - zeta > 0 for beta = 1: f = exp(-1/(2u))/sqrt(2 pi u^3), F = erfc(1/sqrt(2u)) */
static void levy(struct value *v, const arb_t u, slong prec)
{
    arb_t t;
    arb_init(t);
    arb_mul_2exp_si(t, u, 1);
    arb_inv(t, t, prec);
    arb_neg(v->pdf, t);
    arb_exp(v->pdf, v->pdf, prec);
    arb_sqrt(t, t, prec);
    arb_hypgeom_erfc(v->cdf, t, prec);
    arb_hypgeom_erf(v->sf, t, prec);
    arb_const_sqrt_pi(t, prec);
    arb_div(v->pdf, v->pdf, t, prec);
    arb_mul_2exp_si(t, u, 1);
    arb_sqrt(t, t, prec);
    arb_div(v->pdf, v->pdf, t, prec);
    arb_div(v->pdf, v->pdf, u, prec);
    arb_clear(t);
}

static void at_zeta(struct value *v, const struct point *p, slong prec)
{
    arb_t a, B, t, pi;
    arb_init(a); arb_init(B); arb_init(t); arb_init(pi);
    arb_set_d(a, p->alpha);
    arb_set_d(t, p->beta);
    tangent(B, p->alpha, prec);
    arb_mul(B, B, t, prec);
    arb_atan(B, B, prec);
    arb_const_pi(pi, prec);
    arb_inv(a, a, prec);
    arb_add_si(t, a, 1, prec);
    arb_gamma(v->pdf, t, prec);
    arb_cos(t, B, prec);
    arb_pow(t, t, a, prec);
    arb_mul(v->pdf, v->pdf, t, prec);
    arb_mul(B, B, a, prec);
    arb_cos(t, B, prec);
    arb_mul(v->pdf, v->pdf, t, prec);
    arb_div(v->pdf, v->pdf, pi, prec);
    arb_div(v->sf, B, pi, prec);
    arb_set_d(t, 0.5);
    arb_sub(v->cdf, t, v->sf, prec);
    arb_add(v->sf, v->sf, t, prec);
    arb_clear(a); arb_clear(B); arb_clear(t); arb_clear(pi);
}

/* Sets v and returns 1 if there is a closed form. */
static int evaluate(struct value *v, const struct point *p, slong prec)
{
    arb_t u;
    if (p->alpha == 2) normal(v, p->x, prec);
    else if (p->alpha == 1 && p->beta == 0) cauchy(v, p->x, prec);
    else if (p->alpha != 1 && side(p) == 0) at_zeta(v, p, prec);
    else if (p->alpha == 0.5 && fabs(p->beta) == 1) {
        arb_init(u);
        shifted(u, p, prec);
        if (p->beta < 0) arb_neg(u, u);
        levy(v, u, prec);
        if (p->beta < 0) value_mirror(v);
        arb_clear(u);
    } else return 0;
    return 1;
}

int closed(struct value *v, const struct point *p, slong goal)
{
    slong bits = 0;
    for (slong prec = goal + 50; bits < goal && prec < 1 << 16; prec *= 2) {
        if (!evaluate(v, p, prec)) return 0;
        bits = accurate_bits(v->pdf);
        if (accurate_bits(v->cdf) < bits) bits = accurate_bits(v->cdf);
        if (accurate_bits(v->sf) < bits) bits = accurate_bits(v->sf);
    }
    return bits >= goal;
}
