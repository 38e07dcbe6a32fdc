/* The integrals of Nolan's representation (nolan_integrand.c): where to integrate, bounds of what lies beyond, and the
 * values that follow. */
#include "nolan.h"

#define FAR 20000.0                 /* |z| beyond this is not searched */
#define FAINT 1e6                   /* a limit of g above which the values are too small to be of use */
#define LARGE 115.0                 /* log g beyond which exp(-g) is negligible */


/* ---- where the integrands are large, in doubles; this decides on the cost only, not on the result ---- */

/* log g at s, as a double; *log_slope is set to log(dphi/dz). */
static double log_g_at(double s, const struct nolan *n, double *log_slope)
{
    acb_t l, phi, psi, at;
    double value;
    acb_init(l); acb_init(phi); acb_init(psi); acb_init(at);
    acb_set_d(at, s);
    log_g(l, phi, psi, at, n, 0, n->prec);
    value = arf_get_d(arb_midref(acb_realref(l)), ARF_RND_NEAR);
    if (fabs(value) > 1e200) value = copysign(1e200 * log2_of(acb_realref(l)), value);     /* monotone, and finite */
    *log_slope = M_LN2 * (log2_of(acb_realref(phi)) + log2_of(acb_realref(psi)) - log2_of(n->w));
    acb_clear(l); acb_clear(phi); acb_clear(psi); acb_clear(at);
    return value;
}

/* Sets the centre to a point with log g near 0, and the unit to the distance on which log g changes by about 1, but at
 * most 1; to 0 and 1 if g has no such point.  For alpha = 1, the unit is of the order of 1/x. */
static void set_centre(struct nolan *n)
{
    double slope, at_zero, lo, hi;
    int bisections = 0;
    arb_t step;
    arb_init(step);
    arb_zero(n->centre);
    arb_one(n->unit);
    lo = log_g_at(-FAR, n, &slope);
    hi = log_g_at(FAR, n, &slope);
    n->small[0] = lo < 0;
    n->small[1] = hi < 0;
    if ((lo < 0) != (hi < 0)) {
        arb_set_d(step, FAR);
        while (fabs(at_zero = log_g_at(0, n, &slope)) > 1 && bisections++ < 4000) {
            arb_mul_2exp_si(step, step, -1);
            if ((at_zero < 0) == n->rising) arb_add(n->centre, n->centre, step, 100000);
            else arb_sub(n->centre, n->centre, step, 100000);
        }
        while (fabs(log_g_at(1, n, &slope)) + fabs(log_g_at(-1, n, &slope)) > 8) arb_mul_2exp_si(n->unit, n->unit, -1);
    }
    arb_clear(step);
}

/* The logarithm of an integrand.  Where exp(-g) underflows far below everything else, a value that decreases with g. */
static double log_integrand(double s, const struct nolan *n, int tail)
{
    double slope, l = log_g_at(s, n, &slope);
    double g = exp(fmin(l, LARGE));
    double decay = l > LARGE ? -g * (l / LARGE) : -g;
    if (!tail) return l + decay + slope;
    if (!n->complement) return decay + slope;
    return (l < -30 ? l : log(-expm1(-g))) + slope;
}

/* The place of the maximum of an integrand on one side of the centre, by golden sections in the variable arsinh(s). */
static double peak(const struct nolan *n, int direction, int tail)
{
    const double ratio = 0.6180339887498949;
    double lo = 0, hi = log(2 * FAR) - M_LN2 * log2_of(n->unit);
    double x = hi - ratio * (hi - lo), y = lo + ratio * (hi - lo);
    double fx = log_integrand(direction * sinh(x), n, tail), fy = log_integrand(direction * sinh(y), n, tail);
    while (hi - lo > 1e-2)
        if (fx > fy) {
            hi = y; y = x; fy = fx;
            x = hi - ratio * (hi - lo);
            fx = log_integrand(direction * sinh(x), n, tail);
        } else {
            lo = x; x = y; fx = fy;
            y = lo + ratio * (hi - lo);
            fy = log_integrand(direction * sinh(y), n, tail);
        }
    return direction * sinh(fx > fy ? x : y);
}

/* ---- rigorous bounds of what lies beyond z ---- */

/* Bounds of the scaled integrals from s to the end of the range on its side (direction -1: left). */
static void beyond(arb_t density, arb_t tail, double s, int direction, const struct nolan *n)
{
    acb_t l, phi, psi, at;
    arb_t g, decay;
    int falls = (direction > 0) != n->rising;                   /* g decreases towards that end */
    slong prec = n->prec;
    acb_init(l); acb_init(phi); acb_init(psi); acb_init(at); arb_init(g); arb_init(decay);
    acb_set_d(at, s);
    log_g(l, phi, psi, at, n, 0, prec);
    arb_exp(g, acb_realref(l), prec);
    arb_neg(decay, g);
    arb_exp(decay, decay, prec);
    arb_one(density);
    arb_one(tail);
    if (falls) {
        arb_min(density, density, g, prec);                     /* g exp(-g) <= min(1, g) */
        if (n->complement) arb_min(tail, tail, g, prec);        /* 1 - exp(-g) <= g */
        least_g(g, n);
        arb_neg(decay, g);
        arb_exp(decay, decay, prec);
    }
    if (arf_cmp_si(arb_midref(g), 2) > 0) arb_mul(density, g, decay, prec);    /* which decreases for g > 1 */
    if (!n->complement) arb_set(tail, decay);
    arb_mul(density, density, acb_realref(direction < 0 ? phi : psi), prec);
    arb_mul(tail, tail, acb_realref(direction < 0 ? phi : psi), prec);
    arb_set(acb_realref(at), density);
    arb_set(acb_imagref(at), tail);
    scale(at, n->log2_density);
    arb_set(density, acb_realref(at));
    scale(at, n->log2_tail - n->log2_density);
    arb_set(tail, acb_imagref(at));
    acb_clear(l); acb_clear(phi); acb_clear(psi); acb_clear(at); arb_clear(g); arb_clear(decay);
}

/* The nearest end of a range, outwards from s, beyond which both scaled integrals are below 2^log2_small; adds their
 * bounds to *density and *tail. */
static double range_end(double s, int direction, double log2_small, arb_t density, arb_t tail, const struct nolan *n)
{
    arb_t d, t;
    double step = 0.01 * (1 + fabs(s)), end = s;
    arb_init(d); arb_init(t);
    for (int i = 0; i < 2000; i++, step *= 2) {
        end = s + direction * step;
        beyond(d, t, end, direction, n);
        if (log2_of(d) < log2_small && log2_of(t) < log2_small) break;
    }
    arb_add(density, density, d, n->prec);
    arb_add(tail, tail, t, n->prec);
    arb_clear(d); arb_clear(t);
    return end;
}

/* Sets the scaling such that the larger maximum of each integrand on the two sides is about 1, and tops[] to the places
 * of the maxima: of density and tail on the left, then on the right. */
static void find_peaks(double tops[4], struct nolan *n)
{
    double largest[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < 4; k++) {
        n->complement = n->small[k / 2];
        tops[k] = peak(n, k < 2 ? -1 : 1, k % 2);
        largest[k % 2] = fmax(largest[k % 2], log_integrand(tops[k], n, k % 2));
    }
    n->log2_density = -floor(largest[0] / M_LN2 + log2_of(n->unit));
    n->log2_tail = -floor(largest[1] / M_LN2 + log2_of(n->unit));
}

/* Adds the integral over the range on one side to density, and sets tail to that of the tail. */
static void one_side(arb_t density, arb_t tail, int direction, const double tops[2], struct nolan *n, slong goal)
{
    double cut[4] = {0, fmin(fabs(tops[0]), fabs(tops[1])), fmax(fabs(tops[0]), fabs(tops[1])), 0};
    double width;
    arb_t left_out, left_out_tail;
    acb_t part, total, a, b;
    arb_init(left_out); arb_init(left_out_tail); acb_init(part); acb_init(total); acb_init(a); acb_init(b);
    n->complement = n->small[direction > 0];
    /* A first range, to learn the width of the peaks. */
    width = fabs(range_end(direction * cut[2], direction, -8, left_out, left_out_tail, n));
    width = fmin(0, log2(width) - 6);
    arb_zero(left_out); arb_zero(left_out_tail);
    cut[3] = fabs(range_end(direction * cut[2], direction, width - goal, left_out, left_out_tail, n));
    for (int k = 0; k < 3; k++) if (cut[k] < cut[k + 1]) {
        acb_set_d(a, direction * cut[k]);
        acb_set_d(b, direction * cut[k + 1]);
        integrate(part, nolan_integrand, n, direction > 0 ? a : b, direction > 0 ? b : a, goal, width - goal, n->prec);
        acb_add(total, total, part, n->prec);
    }
    add_error(acb_realref(total), left_out);
    add_error(acb_imagref(total), left_out_tail);
    acb_set(part, total);
    scale(part, -n->log2_density);
    arb_add(density, density, acb_realref(part), n->prec);
    acb_set(part, total);
    scale(part, -n->log2_tail);
    arb_set(tail, acb_imagref(part));
    arb_clear(left_out); arb_clear(left_out_tail); acb_clear(part); acb_clear(total); acb_clear(a); acb_clear(b);
}

/* Sets density to the integral of g exp(-g) and J and K to their integrals.  On the side where g < 1, the integral D of
 * 1 - exp(-g) is computed, on the other that of exp(-g): they need no resolution where g is far from 1.  The lengths of
 * both sides are known. */
static void integrals(arb_t density, arb_t J, arb_t K, struct nolan *n, slong goal)
{
    double tops[4];
    acb_t phi, psi, at;
    arb_t tail;
    acb_init(phi); acb_init(psi); acb_init(at); arb_init(tail);
    find_peaks(tops, n);
    acb_set_arb(at, n->centre);
    distances(phi, psi, at, n, n->prec);
    arb_zero(density); arb_zero(J); arb_zero(K);
    for (int k = 0; k < 2; k++) {
        one_side(density, tail, k ? 1 : -1, tops + 2 * k, n, goal);
        arb_add(n->small[k] ? K : J, n->small[k] ? K : J, tail, n->prec);
        arb_sub(tail, acb_realref(k ? psi : phi), tail, n->prec);
        arb_add(n->small[k] ? J : K, n->small[k] ? J : K, tail, n->prec);
    }
    acb_clear(phi); acb_clear(psi); acb_clear(at); arb_clear(tail);
}

/* Computes the values at one precision.  0 if they are too small to be of use. */
static int evaluate(struct value *v, const struct point *p, slong goal, slong prec)
{
    struct nolan n;
    arb_t pi;
    int useful;
    nolan_init(&n);
    arb_init(pi);
    set_constants(&n, p, prec);
    if (!arb_is_finite(n.lead)) {                               /* x - zeta needs a higher precision */
        arb_indeterminate(v->pdf);
        nolan_clear(&n);
        arb_clear(pi);
        return 1;
    }
    least_g(pi, &n);
    useful = arf_cmpabs_d(arb_midref(pi), FAINT) < 0;
    if (useful) {
        set_centre(&n);
        integrals(v->pdf, n.rising ? v->cdf : v->sf, n.rising ? v->sf : v->cdf, &n, goal);
        arb_mul(v->pdf, v->pdf, n.density, prec);
        arb_const_pi(pi, prec);
        if (!n.one) arb_add(v->cdf, v->cdf, n.kappa, prec);
        arb_div(v->cdf, v->cdf, pi, prec);
        arb_div(v->sf, v->sf, pi, prec);
    }
    nolan_clear(&n);
    arb_clear(pi);
    return useful;
}

static slong least_bits(const struct value *v)
{
    slong bits = accurate_bits(v->pdf), c = accurate_bits(v->cdf), s = accurate_bits(v->sf);
    if (c < bits) bits = c;
    return s < bits ? s : bits;
}

int nolan(struct value *v, const struct point *p, slong goal)
{
    struct point q;
    int mirrored, useful = 1;
    slong bits = 0, extra = 12, prec;
    if ((p->alpha == 1 && p->beta == 0) || (p->alpha != 1 && side(p) == 0)) return 0;
    point_init(&q);
    mirrored = p->alpha == 1 ? p->beta < 0 : side(p) < 0;
    if (mirrored) point_mirror(&q, p);
    else point_set(&q, p->alpha, p->beta, p->x);
    prec = goal + 60;
    if (p->alpha != 1) prec += (slong) (-2 * log2(fabs(p->alpha - 1)));
    else if (!arb_is_zero(p->x)) prec += (slong) fmax(0, 2 * log2_of(p->x) - log2(fabs(p->beta)));
    if (fabs(p->beta) < 1) prec += (slong) (-log2(1 - fabs(p->beta)));
    for (int i = 0; i < 9 && bits < goal && useful; i++, prec += prec / 3, extra += 12) {
        useful = evaluate(v, &q, goal + extra, prec);
        bits = least_bits(v);
    }
    if (mirrored) value_mirror(v);
    point_clear(&q);
    return useful && bits >= goal;
}
