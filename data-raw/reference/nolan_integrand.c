/* The integral representation of Zolotarev (1986, section 2.2) in the form of Nolan (1997, theorem 1,
 * doi:10.1080/15326349708807450), for u = x - zeta > 0 and alpha != 1:
 *
 *     f = alpha/(pi |alpha - 1| u) int g exp(-g) dtheta,      g(theta) = u^(alpha/(alpha - 1)) V(theta),
 *     J = int exp(-g) dtheta,  K = int (1 - exp(-g)) dtheta   over -theta0 < theta < pi/2,
 *     alpha < 1:  cdf = kappa/pi + J/pi,  sf = K/pi;      alpha > 1:  sf = J/pi,  cdf = kappa/pi + K/pi,
 *
 * with B = alpha theta0 = arctan(beta tan(pi alpha/2)) and kappa = pi/2 - theta0.  For alpha = 1 and beta > 0
 *
 *     f = 1/(2 beta) int g exp(-g) dtheta,  cdf = J/pi,  sf = K/pi  over -pi/2 < theta < pi/2,
 *     g = (2/pi) exp(-pi x/(2 beta)) q/cos(theta) exp(q tan(theta)/beta),  q = pi/2 + beta theta.
 *
 * Let phi = theta + theta0 and psi = pi/2 - theta be the distances from the ends of the range, whose length is
 * w = pi - kappa.  Then
 *
 *     V = cos(B)^(1/(alpha - 1)) (sin psi/sin(alpha phi))^(alpha/(alpha - 1)) sin(alpha phi + psi)/sin psi.
 *
 * The variable of integration is the log-odds z = log(phi/psi), in which phi and psi have full relative accuracy at
 * both ends, powers of phi and psi become exponentials, and the singularities next to the ends stay at a distance of
 * about pi from the real axis.  Near phi = 0 the sines are evaluated as sin psi = sin(phi + kappa) and
 * sin(alpha phi + psi) = sin(kappa + (1 - alpha) phi); near psi = 0, with kappa' = pi - alpha w, as
 * sin(alpha phi) = sin(alpha psi + kappa') and sin(alpha phi + psi) = sin(kappa' + (alpha - 1) psi).  kappa = 0 for
 * alpha < 1, beta = 1, and kappa' = 0 for alpha > 1, beta = -1 are exact.  Where g passes 1 within a tiny part of the
 * range, z = centre + unit s is measured from there.
 *
 * g is monotone in theta.  Hence the integrals beyond a range of z are at most the distance to the end of the range
 * times the supremum of the integrand, which follows from g at its ends.
 */
#include "nolan.h"

void nolan_init(struct nolan *n)
{
    arb_init(n->a); arb_init(n->b); arb_init(n->a1); arb_init(n->w); arb_init(n->kappa); arb_init(n->kappa1);
    arb_init(n->e); arb_init(n->lead); arb_init(n->density);
    arb_init(n->centre); arb_init(n->unit);
}

void nolan_clear(struct nolan *n)
{
    arb_clear(n->a); arb_clear(n->b); arb_clear(n->a1); arb_clear(n->w); arb_clear(n->kappa); arb_clear(n->kappa1);
    arb_clear(n->e); arb_clear(n->lead); arb_clear(n->density);
    arb_clear(n->centre); arb_clear(n->unit);
}

/* Sets the constants for alpha != 1 and u = x - zeta > 0. */
static void set_general(struct nolan *n, const struct point *p)
{
    slong prec = n->prec;
    arb_t t, B, u;
    arb_init(t); arb_init(B); arb_init(u);
    tangent(t, p->alpha, prec);
    arb_mul(t, t, n->b, prec);
    arb_atan(B, t, prec);
    arb_div(n->e, n->a, n->a1, prec);
    arb_sqr(t, t, prec);                                       /* log cos B = -log(1 + tan^2 B)/2 */
    arb_log1p(n->lead, t, prec);
    arb_mul_2exp_si(n->lead, n->lead, -1);
    arb_div(n->lead, n->lead, n->a1, prec);
    shifted(u, p, prec);
    arb_log(t, u, prec);
    arb_mul(t, t, n->e, prec);
    arb_sub(n->lead, t, n->lead, prec);
    arb_const_pi(t, prec);
    arb_mul_2exp_si(n->kappa, t, -1);
    arb_mul(n->kappa1, n->kappa, n->a, prec);
    arb_add(n->kappa1, n->kappa1, B, prec);
    arb_sub(n->kappa1, t, n->kappa1, prec);
    arb_div(B, B, n->a, prec);
    arb_sub(n->kappa, n->kappa, B, prec);
    if (p->alpha < 1 && p->beta == 1) arb_zero(n->kappa);
    if (p->alpha == 2 || (p->alpha > 1 && p->beta == -1)) arb_zero(n->kappa1);
    arb_sub(n->w, t, n->kappa, prec);
    arb_mul(t, t, u, prec);
    arb_div(n->density, n->e, t, prec);
    arb_abs(n->density, n->density);
    arb_clear(t); arb_clear(B); arb_clear(u);
}

/* Sets the constants for alpha = 1 and beta > 0; kappa and kappa1 hold (1 - beta) pi/2 and (1 + beta) pi/2. */
static void set_one(struct nolan *n, const struct point *p)
{
    slong prec = n->prec;
    arb_t half;
    arb_init(half);
    arb_const_pi(n->w, prec);
    arb_mul_2exp_si(half, n->w, -1);
    arb_sub_si(n->kappa, n->b, 1, prec);
    arb_neg(n->kappa, n->kappa);
    arb_mul(n->kappa, n->kappa, half, prec);
    arb_add_si(n->kappa1, n->b, 1, prec);
    arb_mul(n->kappa1, n->kappa1, half, prec);
    arb_mul(n->lead, half, p->x, prec);
    arb_div(n->lead, n->lead, n->b, prec);
    arb_log(half, half, prec);
    arb_add(n->lead, n->lead, half, prec);
    arb_neg(n->lead, n->lead);
    arb_mul_2exp_si(n->density, n->b, 1);
    arb_inv(n->density, n->density, prec);
    arb_clear(half);
}

void set_constants(struct nolan *n, const struct point *p, slong prec)
{
    n->prec = prec;
    n->one = p->alpha == 1;
    n->rising = p->alpha <= 1;
    n->log2_density = n->log2_tail = 0;
    arb_set_d(n->a, p->alpha);
    arb_set_d(n->b, p->beta);
    arb_sub_si(n->a1, n->a, 1, prec);
    if (n->one) set_one(n, p);
    else set_general(n, p);
}

/* The logistic functions of z and -z times w: the distances from both ends. */
void distances(acb_t phi, acb_t psi, const acb_t z, const struct nolan *n, slong prec)
{
    acb_neg(phi, z);
    acb_exp(phi, phi, prec);
    acb_add_si(phi, phi, 1, prec);
    acb_exp(psi, z, prec);
    acb_add_si(psi, psi, 1, prec);
    acb_inv(phi, phi, prec);
    acb_inv(psi, psi, prec);
    acb_mul_arb(phi, phi, n->w, prec);
    acb_mul_arb(psi, psi, n->w, prec);
}

/* log(1 + t); NaN if 1 + t meets the branch cut and `analytic` is set. */
static void log_one_plus(acb_t l, const acb_t t, int analytic, slong prec)
{
    arb_t real;
    arb_init(real);
    arb_add_si(real, acb_realref(t), 1, prec);
    if (analytic && !arb_is_positive(real) && arb_contains_zero(acb_imagref(t))) acb_indeterminate(l);
    else acb_log1p(l, t, prec);
    arb_clear(real);
}

/* c = cot(t) sin(delta) and s = sin(delta)/sin(d) at the end where delta is a multiple of the distance d, by sin(x)/x,
 * whose enclosure is narrow next to 0: g tends to a positive limit there. */
static void quotients_at_zero(acb_t c, acb_t s, const acb_t delta, const acb_t t, const acb_t d, int left,
                              const struct nolan *n, slong prec)
{
    acb_t q;
    acb_init(q);
    acb_sinc(s, delta, prec);
    acb_mul_arb(s, s, n->a1, prec);
    if (left) acb_neg(s, s);
    acb_cos(c, t, prec);
    acb_sinc(q, t, prec);
    acb_div(c, c, q, prec);
    acb_mul(c, c, s, prec);
    if (left) acb_div_arb(c, c, n->a, prec);
    acb_sinc(q, d, prec);
    acb_div(s, s, q, prec);
    acb_clear(q);
}

/* log g for alpha != 1.  delta is kappa + (1 - alpha) phi or kappa' + (alpha - 1) psi; it is small for alpha next to 1,
 * where the exponent e is large.  The ratio sin psi/sin(alpha phi) is
 *     sin(alpha phi + delta)/sin(alpha phi) = cos delta + cot(alpha phi) sin delta     or, near psi = 0,
 *     sin(psi)/sin(psi + delta)             = 1/(cos delta + cot(psi) sin delta),
 * whose logarithm has a narrow enclosure also on wide balls, because cos delta - 1 and sin delta are small. */
static void log_g_general(acb_t l, const acb_t phi, const acb_t psi, int left, const struct nolan *n, int analytic,
                          slong prec)
{
    acb_t delta, s, c, t;
    acb_init(delta); acb_init(s); acb_init(c); acb_init(t);
    acb_mul_arb(delta, left ? phi : psi, n->a1, prec);
    if (left) acb_neg(delta, delta);
    acb_add_arb(delta, delta, left ? n->kappa : n->kappa1, prec);
    if (left) acb_mul_arb(t, phi, n->a, prec);
    else acb_set(t, psi);
    if (arb_is_zero(left ? n->kappa : n->kappa1)) quotients_at_zero(c, s, delta, t, left ? phi : psi, left, n, prec);
    else {
        acb_cot(c, t, prec);
        acb_sin(s, delta, prec);
        acb_mul(c, c, s, prec);
        if (left) acb_add_arb(t, phi, n->kappa, prec);
        acb_sin(t, t, prec);
        acb_div(s, s, t, prec);
    }
    acb_mul_2exp_si(delta, delta, -1);
    acb_sin(delta, delta, prec);
    acb_sqr(delta, delta, prec);
    acb_mul_2exp_si(delta, delta, 1);
    acb_sub(c, c, delta, prec);
    log_one_plus(c, c, analytic, prec);
    acb_mul_arb(c, c, n->e, prec);
    if (!left) acb_neg(c, c);
    acb_log_analytic(l, s, analytic, prec);
    acb_add(l, l, c, prec);
    acb_add_arb(l, l, n->lead, prec);
    acb_clear(delta); acb_clear(s); acb_clear(c); acb_clear(t);
}

/* log g for alpha = 1: q = kappa + beta phi = kappa1 - beta psi, cos(theta) = sin(phi) = sin(psi), tan(theta) =
 * -cot(phi) = cot(psi). */
static void log_g_one(acb_t l, const acb_t phi, const acb_t psi, int left, const struct nolan *n, int analytic,
                      slong prec)
{
    acb_t q, s, c;
    acb_init(q); acb_init(s); acb_init(c);
    acb_mul_arb(q, left ? phi : psi, n->b, prec);
    if (!left) acb_neg(q, q);
    acb_add_arb(q, q, left ? n->kappa : n->kappa1, prec);
    acb_sin_cos(s, c, left ? phi : psi, prec);
    if (left) acb_neg(c, c);
    if (left && arb_is_zero(n->kappa)) {
        acb_sinc(q, phi, prec);
        acb_inv(q, q, prec);
    } else acb_div(q, q, s, prec);
    acb_mul(c, c, q, prec);
    acb_div_arb(c, c, n->b, prec);
    acb_log_analytic(l, q, analytic, prec);
    acb_add(l, l, c, prec);
    acb_add_arb(l, l, n->lead, prec);
    acb_clear(q); acb_clear(s); acb_clear(c);
}

/* log g and the distances from both ends at s */
void log_g(acb_t l, acb_t phi, acb_t psi, const acb_t s, const struct nolan *n, int analytic, slong prec)
{
    acb_t z;
    int left;
    acb_init(z);
    acb_mul_arb(z, s, n->unit, prec);
    acb_add_arb(z, z, n->centre, prec);
    left = arf_sgn(arb_midref(acb_realref(z))) < 0;
    distances(phi, psi, z, n, prec);
    if (n->one) log_g_one(l, phi, psi, left, n, analytic, prec);
    else log_g_general(l, phi, psi, left, n, analytic, prec);
    acb_clear(z);
}

int nolan_integrand(acb_ptr out, const acb_t s, void *context, slong order, slong prec)
{
    const struct nolan *n = context;
    acb_t g, phi, psi, decay;
    acb_init(g); acb_init(phi); acb_init(psi); acb_init(decay);
    log_g(g, phi, psi, s, n, order != 0, prec);
    acb_exp(g, g, prec);
    acb_neg(decay, g);
    acb_exp(decay, decay, prec);
    acb_mul(out, g, decay, prec);
    scale(out, n->log2_density);
    if (n->complement) {
        acb_neg(g, g);
        acb_expm1(decay, g, prec);
        acb_neg(decay, decay);
    }
    scale(decay, n->log2_tail);
    acb_mul_onei(decay, decay);
    acb_add(out, out, decay, prec);
    acb_mul(phi, phi, psi, prec);                               /* dphi/dz = phi psi/w */
    acb_div_arb(phi, phi, n->w, prec);
    acb_mul_arb(phi, phi, n->unit, prec);
    acb_mul(out, out, phi, prec);
    acb_clear(g); acb_clear(phi); acb_clear(psi); acb_clear(decay);
    return 0;
}

void least_g(arb_t g, const struct nolan *n)
{
    arb_t t;
    arb_zero(g);
    if (!arb_is_zero(n->rising ? n->kappa : n->kappa1)) return;
    arb_init(t);
    if (n->one) arb_sub_si(g, n->lead, 1, n->prec);
    else {
        arb_abs(g, n->a1);
        arb_log(g, g, n->prec);
        arb_log(t, n->a, n->prec);
        arb_mul(t, t, n->e, n->prec);
        arb_sub(g, g, t, n->prec);
        arb_add(g, g, n->lead, n->prec);
    }
    arb_exp(g, g, n->prec);
    arb_clear(t);
}
