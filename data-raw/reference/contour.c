/* Inversion of the characteristic function along a path in the complex plane (Zolotarev 1986, section 2.2; Gil-Pelaez
 * 1951, doi:10.1093/biomet/38.3-4.481): with E(t) = -ixt + log phi(t), continued from t > 0 to the half-plane
 * Re t >= 0,
 *
 *     f(x) = 1/pi Re int exp(E(t)) dt,      1 - F(x) = 1/pi Im int exp(E(t))/t dt,
 *
 * where the path begins at 0 in the direction -i; the quarter of a circle around 0 that leads there from the real axis
 * replaces the constant 1/2 of the usual formula.  The path is
 *
 *     leg 1: t = -ir, 0 < r < R.  There E = A + iW with real A and W = (1 + beta) sin(pi alpha/2) r^alpha, so that both
 *            integrands are real: exp(A) sin(W) dr and exp(A) sin(W) dr/r, without cancellation in the heavy tail;
 *     leg 2: the straight line from -iR to a point T on the real axis, behind which |phi(t)| = exp(-t^alpha) bounds the
 *            rest.  For alpha <= 1/2 that point would be far away.  There R is infinite if u = x - zeta > 0, because
 *            exp(A) <= exp(-ur); if u < 0, leg 2 is the ray t = -iR + s exp(i pi/4), on which
 *            Re E <= |u| (R - s/sqrt(2)): the arguments of t^alpha (1 - i beta T) stay within +-pi/2.
 *
 * In light tails the best R is the saddle point of E on the imaginary axis, and leg 2 descends from it.  The smaller
 * one of 1 - F(x; beta) and F(x; beta) = 1 - F(-x; -beta) is computed in this way.
 *
 * E is evaluated in one of two forms.  With T = tan(pi alpha/2), S = sin(pi alpha/2), C = cos(pi alpha/2)
 *
 *     E = -ixt - t^alpha - i beta T t^alpha (t^(1-alpha) - 1),
 *     A = -xr - C r^alpha + beta T r (S (r^(alpha-1) - 1) - (1 - S))     or
 *     E = -iut - (1 - i beta T) t^alpha,
 *     A = -ur - (C - beta T S) r^alpha,
 *
 * the first next to alpha = 1, where T is large; its limit is E = -ixt - t - i beta (2/pi) t log t,
 * A = -xr - beta (2/pi) r log r for alpha = 1.
 */
#include "path.h"

void path_init(struct path *h)
{
    arb_init(h->a); arb_init(h->b); arb_init(h->xx); arb_init(h->uu); arb_init(h->one_less); arb_init(h->bT);
    arb_init(h->S); arb_init(h->C); arb_init(h->defect); arb_init(h->lead); arb_init(h->power);
    acb_init(h->from); acb_init(h->step);
}

void path_clear(struct path *h)
{
    arb_clear(h->a); arb_clear(h->b); arb_clear(h->xx); arb_clear(h->uu); arb_clear(h->one_less); arb_clear(h->bT);
    arb_clear(h->S); arb_clear(h->C); arb_clear(h->defect); arb_clear(h->lead); arb_clear(h->power);
    acb_clear(h->from); acb_clear(h->step);
}

void path_set(struct path *h, const struct point *p, slong prec)
{
    arb_t t;
    arb_init(t);
    h->prec = prec;
    h->alpha = p->alpha;
    h->beta = p->beta;
    h->near_one = fabs(p->alpha - 1) < 0.1;
    arb_set_d(h->a, p->alpha);
    arb_set_d(h->b, p->beta);
    arb_set(h->xx, p->x);
    shifted(h->uu, p, prec);
    arb_sub_si(h->one_less, h->a, 1, prec);
    arb_neg(h->one_less, h->one_less);
    if (p->alpha == 1) {                                        /* beta T (t^(1-alpha) - 1) -> beta (2/pi) log t */
        arb_const_pi(t, prec);
        arb_mul_2exp_si(t, t, -1);
        arb_div(h->bT, h->b, t, prec);
    } else {
        tangent(h->bT, p->alpha, prec);
        arb_mul(h->bT, h->bT, h->b, prec);
    }
    arb_mul_2exp_si(t, h->a, -1);
    arb_sin_cos_pi(h->S, h->C, t, prec);
    arb_mul_2exp_si(t, h->one_less, -2);                        /* 1 - S = 2 sin^2(pi (1 - alpha)/4) */
    arb_sin_pi(h->defect, t, prec);
    arb_sqr(h->defect, h->defect, prec);
    arb_mul_2exp_si(h->defect, h->defect, 1);
    arb_mul(h->power, h->bT, h->S, prec);                       /* C - beta T S */
    arb_sub(h->power, h->C, h->power, prec);
    arb_add_si(h->lead, h->b, 1, prec);                         /* (1 + beta) S */
    arb_mul(h->lead, h->lead, h->S, prec);
    arb_clear(t);
}

/* y = (t^d - 1) with t = exp(log_t), or log t for alpha = 1, where d = 0 */
static void power_less_one(acb_t y, const acb_t log_t, const arb_t d, slong prec)
{
    if (arb_is_zero(d)) acb_set(y, log_t);
    else {
        acb_mul_arb(y, log_t, d, prec);
        acb_expm1(y, y, prec);
    }
}

/* A and W on leg 1 at r = exp(v) */
static void leg_one(acb_t A, acb_t W, acb_t r, const acb_t v, const struct path *h, slong prec)
{
    acb_t q;
    arb_t d;
    acb_init(q); arb_init(d);
    acb_exp(r, v, prec);
    acb_mul_arb(W, v, h->a, prec);
    acb_exp(W, W, prec);
    if (h->near_one) {
        arb_neg(d, h->one_less);
        power_less_one(q, v, d, prec);
        if (h->alpha == 1) acb_neg(q, q);
        else {
            acb_mul_arb(q, q, h->S, prec);
            acb_sub_arb(q, q, h->defect, prec);
        }
        acb_mul_arb(q, q, h->bT, prec);
        acb_sub_arb(q, q, h->xx, prec);
        acb_mul(q, q, r, prec);
        acb_mul_arb(A, W, h->C, prec);
        if (h->alpha == 1) acb_set(A, q);
        else acb_sub(A, q, A, prec);
    } else {
        acb_mul_arb(q, r, h->uu, prec);
        acb_mul_arb(A, W, h->power, prec);
        acb_add(A, A, q, prec);
        acb_neg(A, A);
    }
    acb_mul_arb(W, W, h->lead, prec);
    acb_clear(q); arb_clear(d);
}

/* On leg 1, in v = log r: the integrand of the density, plus i times that of the tail */
int integrand_one(acb_ptr out, const acb_t v, void *context, slong order, slong prec)
{
    const struct path *h = context;
    acb_t A, W, r;
    (void) order;                                               /* entire in v */
    acb_init(A); acb_init(W); acb_init(r);
    leg_one(A, W, r, v, h, prec);
    acb_exp(A, A, prec);
    acb_sin(W, W, prec);
    acb_mul(A, A, W, prec);
    acb_mul(out, A, r, prec);
    scale(out, h->log2_density);
    scale(A, h->log2_tail);
    acb_mul_onei(A, A);
    acb_add(out, out, A, prec);
    acb_clear(A); acb_clear(W); acb_clear(r);
    return 0;
}

static void exponent(acb_t E, const acb_t t, const struct path *h, int analytic, slong prec)
{
    acb_t log_t, q, p;
    acb_init(log_t); acb_init(q); acb_init(p);
    acb_log_analytic(log_t, t, analytic, prec);
    acb_mul_arb(p, log_t, h->a, prec);
    acb_exp(p, p, prec);
    if (h->near_one) {
        power_less_one(q, log_t, h->one_less, prec);
        acb_mul_arb(q, q, h->bT, prec);
        acb_mul_onei(q, q);
        acb_add_si(q, q, 1, prec);
        acb_mul(E, q, p, prec);
        acb_mul_arb(q, t, h->xx, prec);
    } else {
        acb_set_si(q, 1);
        arb_neg(acb_imagref(q), h->bT);
        acb_mul(E, q, p, prec);
        acb_mul_arb(q, t, h->uu, prec);
    }
    acb_mul_onei(q, q);
    acb_add(E, E, q, prec);
    acb_neg(E, E);
    acb_clear(log_t); acb_clear(q); acb_clear(p);
}

/* On leg 2, t = from + step s with 0 < s < 1 */
int integrand_two(acb_ptr out, const acb_t s, void *context, slong order, slong prec)
{
    const struct path *h = context;
    acb_t t, E;
    acb_init(t); acb_init(E);
    acb_mul(t, s, h->step, prec);
    acb_add(t, t, h->from, prec);
    exponent(E, t, h, order != 0, prec);
    acb_exp(E, E, prec);
    acb_mul(E, E, h->step, prec);
    if (h->tail) acb_div(E, E, t, prec);
    scale(E, h->tail ? h->log2_tail : h->log2_density);
    acb_set(out, E);
    acb_clear(t); acb_clear(E);
    return 0;
}
